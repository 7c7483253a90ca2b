#define _GNU_SOURCE
#include "CProcess.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int scened_become_program(int parent, char *const arguments[]) {
  if (prctl(PR_SET_PDEATHSIG, SIGTERM) < 0) return -errno;
  /* The kernel sends no signal if the parent ended before prctl(). */
  if (getppid() != parent) return -ESRCH;
  execv(arguments[0], arguments);
  return -errno;
}

void scened_return_freed_memory(void) {
  enum { threshold = 128 << 10 };
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_MMAP_THRESHOLD, threshold);
  mallopt(M_TRIM_THRESHOLD, threshold);
}

/* 13 libraries have 39 such segments. Those beyond the limit stay in memory. */
enum { most_segments = 64 };
struct segments {
  struct { void *start; size_t length; } all[most_segments];
  int count;
};

/* Pages that this process has changed, such as those with relocated addresses, are in writable segments. */
static int list_segments(struct dl_phdr_info *object, size_t size, void *context) {
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  struct segments *segments = context;

  (void)size;
  for (int index = 0; index < object->dlpi_phnum; index++) {
    const ElfW(Phdr) *segment = &object->dlpi_phdr[index];
    if (segment->p_type != PT_LOAD || segment->p_flags & PF_W || segments->count == most_segments) continue;
    uintptr_t start = object->dlpi_addr + segment->p_vaddr, first = start & ~(page - 1);
    segments->all[segments->count].start = (void *)first;
    segments->all[segments->count++].length = start + segment->p_memsz - first;
  }
  return 0;
}

/* The list is complete before anything is released, because it is read from these segments. No library is unloaded. */
void scened_release_code(void) {
  struct segments segments = { .count = 0 };

  dl_iterate_phdr(list_segments, &segments);
  for (int index = 0; index < segments.count; index++)
    madvise(segments.all[index].start, segments.all[index].length, MADV_DONTNEED);
}

/* What this process got from its parent, for programs that it starts. */
static mode_t inherited_mask;
static rlim_t inherited_descriptors;

__attribute__((constructor)) static void note_inherited(void) {
  struct rlimit descriptors;

  /* The mask can only be read by a change. There is no other thread yet. */
  inherited_mask = umask(077);
  umask(inherited_mask);
  inherited_descriptors = getrlimit(RLIMIT_NOFILE, &descriptors) == 0 ? descriptors.rlim_cur : 1024;
}

/* If the path is NULL, the program is searched in $PATH, and gets SIGTERM when the thread that started it ends. */
struct program {
  const char *path;
  char *const *arguments, *const *environment;
  const char *directory;
  int streams[3];
};

/* The child of vfork(2) shares the memory of its parent, so this changes nothing there except `failed` and errno. */
static void become(const struct program *program, volatile enum scened_start_step *failed) {
  /* The kernel's struct sigaction: SIG_DFL, no flags, an empty mask. */
  const unsigned long usual[8] = {0};
  struct rlimit descriptors;
  sigset_t none;

  *failed = SCENED_START_PROCESS;
  /* sigaction(3) refuses the two signals that the C library uses, and a parent may have ignored these too. */
  for (int signal = 1; signal < _NSIG; signal++) syscall(SYS_rt_sigaction, signal, usual, NULL, _NSIG / 8);
  if (!program->path && prctl(PR_SET_PDEATHSIG, SIGTERM) < 0) return;
  if (setsid() < 0) return;
  for (int stream = 0; stream < 3; stream++) {
    if (dup2(program->streams[stream], stream) < 0) return;
  }
  umask(inherited_mask);
  if (getrlimit(RLIMIT_NOFILE, &descriptors) == 0 && descriptors.rlim_cur > inherited_descriptors) {
    descriptors.rlim_cur = inherited_descriptors;
    setrlimit(RLIMIT_NOFILE, &descriptors);
  }
  *failed = SCENED_START_DIRECTORY;
  if (program->directory && chdir(program->directory) < 0) return;
  *failed = SCENED_START_PROGRAM;
  close_range(STDERR_FILENO + 1, ~0U, 0);
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  if (program->path) {
    execve(program->path, program->arguments, program->environment);
  } else {
    execvpe(program->arguments[0], program->arguments, program->environment);
  }
}

static int start(const struct program *program, enum scened_start_step *failed) {
  volatile enum scened_start_step step = SCENED_START_PROCESS;
  volatile int error = 0;
  sigset_t all, former;

  /* No handler of the parent may run in the child, which shares its memory. */
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &former);
  pid_t process = vfork();
  if (process == 0) {
    become(program, &step);
    error = errno;
    _exit(127);
  }
  if (process < 0) error = errno;
  pthread_sigmask(SIG_SETMASK, &former, NULL);
  *failed = step;
  if (error == 0) return process;
  if (process > 0) {
    while (waitpid(process, NULL, 0) < 0 && errno == EINTR) {
    }
  }
  return -error;
}

int scened_start_program(const char *path, char *const arguments[], char *const environment[], const char *directory,
                         enum scened_start_step *failed) {
  *failed = SCENED_START_PROCESS;
  int empty = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (empty < 0) return -errno;
  const struct program program = {path, arguments, environment, directory, {empty, STDOUT_FILENO, STDERR_FILENO}};
  int process = start(&program, failed);
  close(empty);
  return process;
}

int scened_start_self(char *const arguments[], int input) {
  enum scened_start_step failed;
  const struct program program = {"/proc/self/exe", arguments, environ, NULL, {input, STDOUT_FILENO, STDERR_FILENO}};

  return start(&program, &failed);
}

int scened_start_companion(char *const arguments[], int stream, int *messages) {
  enum scened_start_step failed;

  *messages = memfd_create("messages", MFD_CLOEXEC);
  if (*messages < 0) return -errno;
  const struct program program = {NULL, arguments, environ, NULL, {stream, stream, *messages}};
  int process = start(&program, &failed);
  if (process < 0) close(*messages);
  return process;
}

int scened_open_process(int process) {
  long descriptor = syscall(SYS_pidfd_open, process, 0);
  return descriptor < 0 ? -errno : (int)descriptor;
}

/* Returns the type of a file from GIO, or of a name if the file is not there; NULL without an answer. */
static const char *type_of(const char *path, bool is_there) {
  void *gio = dlopen("libgio-2.0.so.0", RTLD_LAZY);
  if (!gio) return NULL;
  if (!is_there) {
    char *(*guess)(const char *, const void *, size_t, int *) = dlsym(gio, "g_content_type_guess");
    const char *type = guess ? guess(path, NULL, 0, NULL) : NULL;
    return type && strcmp(type, "application/octet-stream") == 0 ? "text/plain" : type;
  }
  /* GIO's own file system loads no modules and starts no programs. */
  void *(*files)(void) = dlsym(gio, "g_vfs_get_local");
  void *(*file)(void *, const char *) = dlsym(gio, "g_vfs_get_file_for_path");
  void *(*query)(void *, const char *, int, void *, void **) = dlsym(gio, "g_file_query_info");
  const char *(*type)(void *) = dlsym(gio, "g_file_info_get_content_type");
  if (!files || !file || !query || !type) return NULL;
  void *information = query(file(files(), path), "standard::content-type", 0, NULL, NULL);
  return information ? type(information) : NULL;
}

/* Writes the error of stat(2), and then the type. */
static void look(const char *path, bool may_be_new, int result) {
  struct stat status;
  int error = stat(path, &status) < 0 ? errno : 0;
  const char *type = NULL;

  if (write(result, &error, sizeof error) < 0) return;
  if (error == 0 && S_ISDIR(status.st_mode)) {
    type = "inode/directory";
  } else if (error == 0 || may_be_new) {
    type = type_of(path, error == 0);
  }
  if (type && write(result, type, strlen(type)) < 0) return;
}

int scened_look_at_file(const char *path, bool may_be_new, char *type, int capacity) {
  enum { time_for_file = 2000, time_for_type = 5000 };
  int ends[2], error = 0, length = 0;

  *type = 0;
  if (pipe2(ends, O_CLOEXEC) < 0) return errno;
  pid_t child = fork();
  if (child == 0) {
    /* Whoever waits for the end of this process's output must not wait for the child. */
    int null = open("/dev/null", O_RDWR);
    for (int stream = 0; stream < 3; stream++) dup2(null, stream);
    dup2(ends[1], 3);
    close_range(4, ~0U, 0);
    look(path, may_be_new, 3);
    _exit(0);
  }
  if (child < 0) error = errno;
  close(ends[1]);
  struct pollfd result = {ends[0], POLLIN, 0};
  if (child > 0) {
    if (poll(&result, 1, time_for_file) <= 0 || read(ends[0], &error, sizeof error) != sizeof error) error = ETIMEDOUT;
    if (error != ETIMEDOUT && poll(&result, 1, time_for_type) > 0) length = read(ends[0], type, capacity - 1);
    type[length > 0 ? length : 0] = 0;
    kill(child, SIGKILL);
    /* After an answer, nothing keeps the child. */
    waitpid(child, NULL, error == ETIMEDOUT ? WNOHANG : 0);
  }
  close(ends[0]);
  return error;
}

char *const *scened_environment(void) {
  return environ;
}

enum { most_kept = 1 << 16 };
static atomic_bool is_kept[most_kept];
/* One more than the greatest kept descriptor so far. */
static atomic_int kept_end;
static pthread_mutex_t forks = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t handlers = PTHREAD_ONCE_INIT;

/* Runs in the child of fork(2), where only calls that are safe in a signal handler are allowed. */
static void replace_kept(void) {
  int dead = -1;

  for (int descriptor = 0; descriptor < kept_end; descriptor++) {
    if (!is_kept[descriptor]) continue;
    is_kept[descriptor] = 0;
    close(descriptor);
    /* The first close makes room for this socket, which is close-on-exec, as the kept descriptors are. */
    if (dead < 0) dead = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (dead >= 0 && dead != descriptor) dup3(dead, descriptor, O_CLOEXEC);
  }
  pthread_mutex_unlock(&forks);
}

static void set_handlers(void) {
  pthread_atfork(scened_delay_forks, scened_allow_forks, replace_kept);
}

void scened_delay_forks(void) {
  pthread_mutex_lock(&forks);
}

void scened_allow_forks(void) {
  pthread_mutex_unlock(&forks);
}

void scened_keep_from_children(int descriptor) {
  pthread_once(&handlers, set_handlers);
  if (descriptor < 0 || descriptor >= most_kept) return;
  is_kept[descriptor] = 1;
  if (kept_end <= descriptor) kept_end = descriptor + 1;
}

void scened_release_to_children(int descriptor) {
  if (descriptor >= 0 && descriptor < most_kept) is_kept[descriptor] = 0;
}

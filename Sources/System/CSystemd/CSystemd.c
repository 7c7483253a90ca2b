#include "CSystemd.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-daemon.h>
#define SD_JOURNAL_SUPPRESS_LOCATION
#include <systemd/sd-journal.h>
#include <time.h>
#include <unistd.h>

_Static_assert(SD_LISTEN_FDS_START == SCENED_LISTEN_DESCRIPTORS_START, "the first descriptor has moved");

int scened_notify_ready(const char *status) {
  return status ? sd_notifyf(0, "READY=1\nSTATUS=%s", status) : sd_notify(0, "READY=1");
}

int scened_notify_reloading(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return sd_notifyf(0, "RELOADING=1\nMONOTONIC_USEC=%" PRId64, (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000);
}

int scened_notify_status(const char *status) {
  return sd_notifyf(0, "STATUS=%s", status);
}

int scened_notify_stopping(const char *status) {
  return sd_notifyf(0, "STOPPING=1\nSTATUS=%s", status);
}

int scened_notify_watchdog(void) {
  return sd_notify(0, "WATCHDOG=1");
}

int64_t scened_watchdog_interval(void) {
  uint64_t interval = 0;
  int enabled = sd_watchdog_enabled(0, &interval);
  return enabled > 0 ? (int64_t)interval : enabled;
}

int scened_journal_send(const char *fields, size_t size) {
  struct iovec parts[32];
  int count = 0;

  for (const char *field = fields; field < fields + size; field += strlen(field) + 1) {
    if (count == sizeof parts / sizeof *parts) return -E2BIG;
    parts[count++] = (struct iovec){.iov_base = (void *)field, .iov_len = strlen(field)};
  }
  return sd_journal_sendv(parts, count);
}

static bool has_text(const char *text, size_t length) {
  for (size_t i = 0; i < length; i++) {
    if (!strchr(" \t\r\n", text[i])) return true;
  }
  return false;
}

int scened_journal_last_message(const char *unit, uint64_t since, char *text, size_t size) {
  static const char field[] = "MESSAGE=";
  enum { prefix = sizeof field - 1, user_digits = 32, unit_name = 256 };
  char user[user_digits], name[sizeof "_SYSTEMD_USER_UNIT=" + unit_name];
  sd_journal *journal = NULL;

  /* systemd.unit(5): a name has 255 characters at most. */
  if (snprintf(name, sizeof name, "_SYSTEMD_USER_UNIT=%s", unit) >= (int)sizeof name) return -ENAMETOOLONG;
  snprintf(user, sizeof user, "_UID=%u", getuid());
  int result = sd_journal_open(&journal, SD_JOURNAL_LOCAL_ONLY);
  if (result < 0) return result;
  if ((result = sd_journal_add_match(journal, name, 0)) >= 0 && (result = sd_journal_add_match(journal, user, 0)) >= 0) {
    result = sd_journal_seek_tail(journal);
  }
  while (result >= 0 && (result = sd_journal_previous(journal)) > 0) {
    const void *data;
    size_t length;
    uint64_t time;

    result = sd_journal_get_monotonic_usec(journal, &time, NULL);
    if (result == -ESTALE || (result >= 0 && time < since)) {
      result = 0;
      break;
    }
    if (result < 0) break;
    if (sd_journal_get_data(journal, "MESSAGE", &data, &length) < 0 || length < prefix) continue;
    const char *message = (const char *)data + prefix;
    length -= prefix;
    if (!has_text(message, length)) continue;
    if (length > size) length = size;
    memcpy(text, message, length);
    result = (int)length;
    break;
  }
  sd_journal_close(journal);
  return result;
}

int scened_listen_descriptors(char *names, size_t size) {
  char **list = NULL;
  size_t used = 0;
  int count = sd_listen_fds_with_names(0, &list);

  for (int i = 0; i < count; i++) {
    size_t length = strlen(list[i]);
    /* A separator or the final NUL follows each name. */
    if (length + 1 > size - used) {
      count = -ENOBUFS;
      break;
    }
    memcpy(names + used, list[i], length);
    used += length;
    names[used++] = ':';
  }
  names[count > 0 ? used - 1 : 0] = '\0';
  if (count > 0) {
    sd_listen_fds(1);
  }

  for (char **name = list; name && *name; name++) {
    free(*name);
  }
  free(list);
  return count;
}

# Sourced by scripts in this directory. Defines where they keep files, how they get programs, and how they refuse to
# run.
#
# A script that cannot run on this machine ends with status 77 and a sentence on standard error. The script's test can
# then report itself as skipped, with the sentence as the reason.

program=${0##*/}
# The directory of caches and running boxes. If the directory is deleted, everything is fetched again.
environment_directory=${SCENED_TEST_ENVIRONMENT:-$(cd "${BASH_SOURCE[0]%/*}/../.." && pwd)/.build/environment}
mkdir -p "$environment_directory"
export DEBIAN_FRONTEND=noninteractive

# cannot_run REASON: ends the script because this machine lacks something.
cannot_run() {
  echo "$program: cannot run here: $*" >&2
  exit 77
}

# usage: prints the comment at the top of the script and ends the script.
usage() {
  sed -n '2,/^[^#]/{s/^# \{0,1\}//p}' "$0" >&2
  exit 64
}

# apt ARGUMENT...: runs apt-get, and shows the output of apt-get only after a failure.
#
# Waits up to ten minutes for other programs that install packages. Tries twice: archives fail at times, and a second
# run finishes packages that the first run could not configure. Does not pass on XDG_DATA_DIRS, because the
# directories of a test make Debian's update-desktop-database fail.
apt() {
  local run=(env --unset=XDG_DATA_DIRS flock "$environment_directory/apt.lock"
    apt-get -q -y -o DPkg::Lock::Timeout=600 "$@")
  local output
  "${run[@]}" >/dev/null 2>&1 || output=$("${run[@]}" 2>&1) || cannot_run "apt-get $* failed: $output"
}

# need COMMAND PACKAGE: installs the Debian PACKAGE if COMMAND is missing.
need() {
  command -v "$1" >/dev/null && return
  command -v apt-get >/dev/null || cannot_run "$1 is missing, and there is no apt-get"
  [ "$(id -u)" = 0 ] || cannot_run "$1 is missing; install the package $2"
  apt update
  apt install --no-install-recommends "$2"
}

# debian_mirror: prints the URL of the archive from which this machine's apt takes Debian's packages.
debian_mirror() {
  command -v apt-get >/dev/null || cannot_run "there is no apt-get"
  local query=(apt-get indextargets --format '$(ORIGIN)/$(LABEL) $(REPO_URI)' 'Created-By: Packages')
  local mirror
  mirror=$("${query[@]}" | awk '$1 == "Debian/Debian" { print $2; exit }')
  if [ -z "$mirror" ] && [ "$(id -u)" = 0 ]; then
    # The query needs the release file, which names the archive's origin. A fresh installation has not fetched it yet.
    apt update
    mirror=$("${query[@]}" | awk '$1 == "Debian/Debian" { print $2; exit }')
  fi
  [ -n "$mirror" ] || cannot_run "apt is not configured for Debian, or its lists were never fetched"
  echo "$mirror"
}

# download RELEASE PACKAGE...: fetches packages of a Debian release into the working directory, which must be empty.
#
# apt keeps its lists and cache in this directory, so that it needs no root and changes nothing else on the machine.
download() {
  local release=$1 mirror keyring=/usr/share/keyrings/debian-archive-keyring.gpg
  shift
  mirror=$(debian_mirror)
  [ -e "$keyring" ] || cannot_run "$keyring is missing; install the package debian-archive-keyring"
  mkdir -p apt/lists/partial apt/cache/archives/partial
  # With an empty status file, apt does not care which packages the machine has installed.
  touch apt/status
  echo "deb [signed-by=$keyring] $mirror $release main" >apt/sources.list
  local own=(
    -o Dir::Etc::sourcelist="$PWD/apt/sources.list" -o Dir::Etc::sourceparts=/dev/null
    -o Dir::State::lists="$PWD/apt/lists" -o Dir::State::status="$PWD/apt/status"
    -o Dir::Cache="$PWD/apt/cache" -o APT::Sandbox::User="$(id -un)"
  )
  apt "${own[@]}" update
  apt "${own[@]}" download "$@"
  rm -r apt
}

# once DIRECTORY FUNCTION: creates DIRECTORY if it is missing.
#
# FUNCTION fills an empty directory, which gets the name DIRECTORY only after FUNCTION has succeeded. If another script
# is creating DIRECTORY at the same time, this function waits for that script.
once() {
  (
    flock 9
    [ -e "$1" ] && exit
    rm -rf "$1.part"
    mkdir -p "$1.part"
    "$2" "$1.part"
    mv "$1.part" "$1"
  ) 9>"$1.lock"
}

"""The other names of files: paths without symbolic links, and the directories of git."""

import errno
import os
import re
import stat
from collections.abc import Iterable
from urllib.parse import quote, unquote_to_bytes

# File systems whose answers come from the network or from a program, and may never come.
_MAY_HANG = {
    "9p", "afs", "autofs", "ceph", "cifs", "coda", "davfs", "fuse", "gfs2", "glusterfs", "lustre", "ncpfs", "nfs", "nfs4",
    "ocfs2", "orangefs", "smb3", "smbfs", "virtiofs",
}  # fmt: skip
_ENTRY = re.compile(r"(?:file:(?://(?P<host>[^/?#]*))?)?(?P<path>/[^?#]*)(?P<rest>.*)", re.IGNORECASE | re.DOTALL)
_NO_PATH = re.compile(r"%(?![0-9a-f]{2})|%00|%2f|\0", re.IGNORECASE)
# The characters that GIO leaves as they are in the URL of a path, beside letters and digits.
_PLAIN = "-._~!$&'()*+,=:@/"
_MOST_LINKS, _MOST_GIT_BYTES = 40, 4096
# With the added names, the sets shall still fit into a message and into the limits of a window.
_MOST_ENTRIES, _MOST_CHARACTERS, _LONGEST_ENTRY, _LONGEST_URL = 512, 64 << 10, 4 << 10, 32 << 10


def resolved_url(url: object) -> str | None:
    """Returns the URL of a file's path without symbolic links; None if it is the same, or not of this machine."""
    if not isinstance(url, str) or url[:5].lower() != "file:":
        return None
    return next((name for name in _other_names(url, _hanging_mounts()) if len(name) <= _LONGEST_URL), None)


def with_other_names(
    preferring: Iterable[str], allowing: Iterable[str], showing: Iterable[str]
) -> tuple[list[str], list[str], list[str]]:
    """Returns the sets of a registration, with the other names of files and directories after their own.

    Sets that have more than 512 entries or 64 Ki characters together stay as they are.
    """
    sets = list(preferring), list(allowing), list(showing)
    entries = [entry for entries in sets for entry in entries]
    if len(entries) > _MOST_ENTRIES or sum(map(len, entries)) > _MOST_CHARACTERS:
        return sets
    if any(entry[:1] == "/" or entry[:5].lower() == "file:" for entry in entries):
        hanging = _hanging_mounts()
        for entries in sets:
            known = set(entries)
            for place in range(len(entries), 0, -1):
                names = _other_names(entries[place - 1], hanging, is_identifier=entries is not sets[2])
                names = [name for name in names if name not in known and len(name) <= _LONGEST_ENTRY]
                entries[place:place] = names
                known.update(names)
    return sets


def _hanging_mounts() -> list[str]:
    """Returns the places where a file system that may hang is mounted; nothing below them is ever touched."""
    mounts = {}
    try:
        with open("/proc/self/mountinfo", "rb") as lines:
            for line in lines:
                mount, _, kind = line.partition(b" - ")
                point = re.sub(rb"\\([0-7]{3})", lambda octal: bytes([int(octal[1], 8)]), mount.split(b" ")[4])
                # Of several mounts at one place, the last one hides the others.
                mounts[os.fsdecode(point)] = re.split(rb"[ .]", kind)[0].decode(errors="replace")
    except OSError:
        return ["/"]
    slow = [point for point, kind in mounts.items() if kind in _MAY_HANG]
    # Where `/` or the home hangs, nothing works anyway.
    home = os.path.realpath(os.environ.get("HOME", "/")) if slow else "/"
    return [point for point in slow if not _lies_in(home, [point])]


def _lies_in(path: str, directories: list[str]) -> bool:
    return any((path + "/").startswith(directory.rstrip("/") + "/") for directory in directories)


def _resolved(path: str, hanging: list[str]) -> str:
    """Returns an absolute path without symbolic links. What cannot be looked at is left as it is."""
    done, rest, links = "", path.split("/")[::-1], 0
    while rest:
        name = rest.pop()
        if name == "..":
            done = done.rpartition("/")[0]
        if name in ("", ".", ".."):
            continue
        try:
            if _lies_in(f"{done}/{name}", hanging):
                raise OSError
            target = os.readlink(f"{done}/{name}")
        except OSError as error:
            if error.errno == errno.EINVAL:
                done = f"{done}/{name}"  # It is no link.
                continue
            rest.append(name)
            break
        links += 1
        if links > _MOST_LINKS:
            return path
        done = "" if target.startswith("/") else done
        rest += target.split("/")[::-1]
    result = "/".join([done, *filter(None, reversed(rest))])
    return result + "/" if path.endswith("/") or not result else result


def _other_names(entry: str, hanging: list[str], is_identifier: bool = False) -> list[str]:
    """Returns the other names of the file or directory that an entry of a set names, in the form of the entry."""
    found = _ENTRY.fullmatch(entry)
    if not found or (found["host"] or "").lower() not in ("", "localhost", os.uname().nodename.lower()):
        return []
    if _NO_PATH.search(found["path"]):
        return []
    path = os.fsdecode(unquote_to_bytes(found["path"]))
    names = [_resolved(path, hanging)]
    if is_identifier:
        is_directory = not _lies_in(names[0], hanging) and os.path.isdir(names[0])
        if entry[:1] == "/" != path[-1:] and not is_directory:
            return []
        if is_directory and (git := _git_directory(names[0], hanging)):
            names.append(git + "/" * path.endswith("/"))
    start = "" if entry[:1] == "/" else "file://"
    urls = (start + quote(os.fsencode(name), _PLAIN) + found["rest"] for name in names)
    return [url for url in urls if url != entry]


def _git_directory(directory: str, hanging: list[str]) -> str | None:
    """Returns the directory of git that the file `.git` in a working tree names."""
    file = os.path.join(directory, ".git")
    try:
        if _lies_in(file, hanging) or not stat.S_ISREG(os.lstat(file).st_mode):
            return None
        with open(file, "rb") as content:
            text = content.read(_MOST_GIT_BYTES + 1)
    except OSError:
        return None
    if len(text) > _MOST_GIT_BYTES or not text.startswith(b"gitdir: ") or b"\0" in text:
        return None
    path = os.fsdecode(text[8:].rstrip(b"\r\n"))
    found = _resolved(os.path.join(directory, path), hanging).rstrip("/")
    # A stranger's `.git` must not widen what the window gets.
    if not path or _lies_in(found, hanging) or _lies_in(directory, [found]) or not os.path.lexists(found + "/HEAD"):
        return None
    return found

#pragma once
#include <fcntl.h>
#include <unistd.h>
#include <sqlite3.h>
#if defined(__linux__)
#include <sys/inotify.h>
#include <sys/vfs.h>
#elif defined(__APPLE__)
#include <sys/mount.h>
#include <sys/param.h>
#endif

// Calls of a function with variable arguments, which Swift cannot call.
static inline int entia_sqlite_set_defensive(sqlite3 *connection) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
}

static inline int entia_sqlite_set_checkpoint_on_close(sqlite3 *connection, int checkpoints) {
  return sqlite3_db_config(
    connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, !checkpoints, (int *)0);
}

static inline int entia_sqlite_set_triggers(sqlite3 *connection, int areOn) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, areOn, (int *)0);
}

// Whether a file is on a network drive. Swift has no names for these calls on Linux.
static inline int entia_is_on_network_drive(const char *path) {
#if defined(__linux__)
  struct statfs drive;
  if (statfs(path, &drive) != 0) return 0;
  switch ((unsigned int)drive.f_type) {
  case 0x6969:      // NFS
  case 0x517B:      // SMB
  case 0xFF534D42:  // CIFS
  case 0xFE534D42:  // SMB 2
    return 1;
  }
  return 0;
#elif defined(__APPLE__)
  struct statfs drive;
  return statfs(path, &drive) == 0 && !(drive.f_flags & MNT_LOCAL);
#else
  return 0;
#endif
}

// Marks an open file until the descriptor is closed, for other processes. Nothing is written. The
// mark is a lock of a byte behind the file's end. It belongs to the descriptor, and elsewhere than
// on Linux would exclude a lock of `flock`.
#if defined(__linux__)
enum { entia_set_mark = 37, entia_find_mark = 36 };
#endif

static inline void entia_mark(int descriptor) {
#if defined(__linux__)
  struct flock mark = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = 1 << 20, .l_len = 1};
  fcntl(descriptor, entia_set_mark, &mark);
#endif
}

// Whether a file is marked by another descriptor. True where the system has no such marks.
static inline int entia_is_marked(int descriptor) {
#if defined(__linux__)
  struct flock mark = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 1 << 20, .l_len = 1};
  if (fcntl(descriptor, entia_find_mark, &mark) == 0) return mark.l_type != F_UNLCK;
#endif
  return 1;
}

// Returns a descriptor from which the changes of the files in a folder can be read, without
// waiting; -1 where the system has none.
static inline int entia_watch_folder(const char *path) {
#if defined(__linux__)
  int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  if (watch < 0) return -1;
  if (inotify_add_watch(watch, path, IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_DELETE) >= 0) {
    return watch;
  }
  close(watch);
#endif
  return -1;
}

// The length of an event of `entia_watch_folder` before its name, and the place of the length of
// the name in it.
enum { entia_event_length = 16, entia_event_name_length = 12 };

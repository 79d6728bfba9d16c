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

// Marks of an open file for other processes, until the descriptor is closed. Nothing is written. A
// mark is a lock of a byte behind the file's end. It belongs to the descriptor, and elsewhere than
// on Linux would exclude a lock of `flock`.
enum entia_mark { entia_follower = 0, entia_waiter = 1 };

#if defined(__linux__)
static inline int entia_change_mark(int descriptor, enum entia_mark mark, int command, short type,
                                    short *found) {
  struct flock lock = {
      .l_type = type, .l_whence = SEEK_SET, .l_start = (1 << 20) + (int)mark, .l_len = 1};
  int result = fcntl(descriptor, command, &lock);
  if (found) *found = lock.l_type;
  return result;
}
enum { entia_set_lock = 37, entia_find_lock = 36 };
#endif

static inline void entia_set_mark(int descriptor, enum entia_mark mark, int is_set) {
#if defined(__linux__)
  entia_change_mark(descriptor, mark, entia_set_lock, is_set ? F_RDLCK : F_UNLCK, (short *)0);
#endif
}

// Whether a file is marked by another descriptor; the fallback where the system has no marks.
static inline int entia_is_marked(int descriptor, enum entia_mark mark, int fallback) {
#if defined(__linux__)
  short found = F_UNLCK;
  if (entia_change_mark(descriptor, mark, entia_find_lock, F_WRLCK, &found) == 0) {
    return found != F_UNLCK;
  }
#endif
  return fallback;
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

#include "EntiaFaultVFS.h"

#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { sector_size = 512, most_files = 16 };

/// A write or a truncation that was not synced.
typedef struct {
  int is_truncation;
  sqlite3_int64 offset;
  int count;
  unsigned char *bytes;
} change;

/// What the disk knows of a path.
typedef struct {
  char *path;
  unsigned char *synced;
  sqlite3_int64 synced_count;
  change *changes;
  int change_count;
  int change_capacity;
  /// Whether the file was deleted, and whether that was synced.
  int is_deleted;
  int deletion_is_synced;
} disk_file;

struct entia_fault_disk {
  sqlite3_vfs vfs;
  sqlite3_vfs *system;
  char name[48];
  disk_file files[most_files];
  int file_count;
  sqlite3_int64 operations;
  sqlite3_int64 cut_at;
  sqlite3_int64 first_failure;
  sqlite3_int64 last_failure;
  int failure;
  int is_cut;
  sqlite3_int64 signal_at;
  int signal;
};

/// An open file. The system's file follows it.
typedef struct {
  sqlite3_file base;
  entia_fault_disk *disk;
  /// NULL for temporary files, which no restart sees.
  disk_file *kept;
  /// Whether the next sync is also one of the folder, as the system's VFS does it for a new log.
  int syncs_folder;
} open_file;

static sqlite3_file *system_file(sqlite3_file *file) {
  return (sqlite3_file *)((open_file *)file + 1);
}

static uint64_t next_random(uint64_t *state) {
  uint64_t bits = *state += 0x9E3779B97F4A7C15u;
  bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
  bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
  return bits ^ (bits >> 31);
}

static void drop_changes(disk_file *file) {
  for (int index = 0; index < file->change_count; index++) free(file->changes[index].bytes);
  file->change_count = 0;
}

static int add_change(
    disk_file *file, int is_truncation, sqlite3_int64 offset, const void *bytes, int count) {
  if (file->change_count == file->change_capacity) {
    int capacity = file->change_capacity * 2 + 16;
    change *changes = realloc(file->changes, sizeof(change) * (size_t)capacity);
    if (!changes) return SQLITE_NOMEM;
    file->changes = changes;
    file->change_capacity = capacity;
  }
  unsigned char *copy = NULL;
  if (count > 0) {
    copy = malloc((size_t)count);
    if (!copy) return SQLITE_NOMEM;
    memcpy(copy, bytes, (size_t)count);
  }
  file->changes[file->change_count++] = (change){is_truncation, offset, count, copy};
  return SQLITE_OK;
}

/// Takes the content of the open file as synced.
static int keep_content(disk_file *file, sqlite3_file *system) {
  sqlite3_int64 count = 0;
  int code = system->pMethods->xFileSize(system, &count);
  if (code) return code;
  unsigned char *bytes = malloc((size_t)count + 1);
  if (!bytes) return SQLITE_NOMEM;
  if (count > 0) {
    code = system->pMethods->xRead(system, bytes, (int)count, 0);
    // Another process may have truncated the file meanwhile.
    if (code && code != SQLITE_IOERR_SHORT_READ) {
      free(bytes);
      return code;
    }
  }
  free(file->synced);
  file->synced = bytes;
  file->synced_count = count;
  drop_changes(file);
  return SQLITE_OK;
}

/// Takes the deletion of a file as synced.
static void forget(disk_file *file) {
  drop_changes(file);
  file->synced_count = 0;
  file->deletion_is_synced = 1;
}

/// Numbers an operation. Returns the code with which it fails.
static int begin(entia_fault_disk *disk) {
  if (disk->is_cut) return SQLITE_IOERR;
  disk->operations++;
  if (disk->operations == disk->cut_at) {
    disk->is_cut = 1;
    return SQLITE_IOERR;
  }
  if (disk->operations >= disk->first_failure && disk->operations <= disk->last_failure) {
    return disk->failure;
  }
  return SQLITE_OK;
}

/// Sends the signal if it is due at the operation that has begun.
static void send_signal(entia_fault_disk *disk) {
  if (disk->operations == disk->signal_at) raise(disk->signal);
}

static int file_close(sqlite3_file *file) {
  sqlite3_file *system = system_file(file);
  return system->pMethods ? system->pMethods->xClose(system) : SQLITE_OK;
}

static int file_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  sqlite3_file *system = system_file(file);
  if (((open_file *)file)->disk->is_cut) return SQLITE_IOERR_READ;
  return system->pMethods->xRead(system, bytes, count, offset);
}

static int file_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  open_file *opened = (open_file *)file;
  sqlite3_file *system = system_file(file);
  if (opened->kept) {
    int was_cut = opened->disk->is_cut;
    int code = begin(opened->disk);
    // The write during which the power is cut may be partly there.
    if (!code || (!was_cut && opened->disk->is_cut)) {
      int kept = add_change(opened->kept, 0, offset, bytes, count);
      if (kept) return kept;
    }
    if (code) return code;
    if (opened->disk->operations == opened->disk->signal_at) {
      code = system->pMethods->xWrite(system, bytes, count / 2, offset);
      if (code) return code;
      send_signal(opened->disk);
    }
  }
  return system->pMethods->xWrite(system, bytes, count, offset);
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
  open_file *opened = (open_file *)file;
  sqlite3_file *system = system_file(file);
  if (opened->kept) {
    int code = begin(opened->disk);
    if (!code) code = add_change(opened->kept, 1, size, NULL, 0);
    if (code) return code;
    send_signal(opened->disk);
  }
  return system->pMethods->xTruncate(system, size);
}

static int file_sync(sqlite3_file *file, int flags) {
  open_file *opened = (open_file *)file;
  (void)flags;
  if (!opened->kept) return SQLITE_OK;
  int code = begin(opened->disk);
  if (code) return code;
  send_signal(opened->disk);
  for (int index = 0; opened->syncs_folder && index < opened->disk->file_count; index++) {
    if (opened->disk->files[index].is_deleted) forget(&opened->disk->files[index]);
  }
  opened->syncs_folder = 0;
  return keep_content(opened->kept, system_file(file));
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
  sqlite3_file *system = system_file(file);
  return system->pMethods->xFileSize(system, size);
}

static int file_lock(sqlite3_file *file, int level) {
  sqlite3_file *system = system_file(file);
  return system->pMethods->xLock(system, level);
}

static int file_unlock(sqlite3_file *file, int level) {
  sqlite3_file *system = system_file(file);
  return system->pMethods->xUnlock(system, level);
}

static int file_check_lock(sqlite3_file *file, int *result) {
  sqlite3_file *system = system_file(file);
  return system->pMethods->xCheckReservedLock(system, result);
}

static int file_control(sqlite3_file *file, int operation, void *argument) {
  sqlite3_file *system = system_file(file);
  // The size hint would write beside the numbered operations.
  if (operation == SQLITE_FCNTL_SIZE_HINT) return SQLITE_NOTFOUND;
  return system->pMethods->xFileControl(system, operation, argument);
}

static int file_sector_size(sqlite3_file *file) {
  sqlite3_file *system = system_file(file);
  return system->pMethods->xSectorSize(system);
}

static int file_characteristics(sqlite3_file *file) {
  sqlite3_file *system = system_file(file);
  return system->pMethods->xDeviceCharacteristics(system);
}

// The shared memory is the system's: it is no content, and does not survive the last connection.
static int file_map(sqlite3_file *file, int region, int size, int extends, void volatile **memory) {
  sqlite3_file *system = system_file(file);
  return system->pMethods->xShmMap(system, region, size, extends, memory);
}

static int file_lock_memory(sqlite3_file *file, int offset, int count, int flags) {
  sqlite3_file *system = system_file(file);
  return system->pMethods->xShmLock(system, offset, count, flags);
}

static void file_barrier(sqlite3_file *file) {
  sqlite3_file *system = system_file(file);
  system->pMethods->xShmBarrier(system);
}

static int file_unmap(sqlite3_file *file, int deletes) {
  sqlite3_file *system = system_file(file);
  return system->pMethods->xShmUnmap(system, deletes);
}

static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xShmMap = file_map,
    .xShmLock = file_lock_memory,
    .xShmBarrier = file_barrier,
    .xShmUnmap = file_unmap,
    .xClose = file_close,
    .xRead = file_read,
    .xWrite = file_write,
    .xTruncate = file_truncate,
    .xSync = file_sync,
    .xFileSize = file_size,
    .xLock = file_lock,
    .xUnlock = file_unlock,
    .xCheckReservedLock = file_check_lock,
    .xFileControl = file_control,
    .xSectorSize = file_sector_size,
    .xDeviceCharacteristics = file_characteristics,
};

/// Returns the file with a path, which is added; NULL when there are too many.
static disk_file *find_file(entia_fault_disk *disk, const char *path) {
  for (int index = 0; index < disk->file_count; index++) {
    if (!strcmp(disk->files[index].path, path)) return &disk->files[index];
  }
  if (disk->file_count == most_files) return NULL;
  char *copy = malloc(strlen(path) + 1);
  if (!copy) return NULL;
  strcpy(copy, path);
  disk_file *file = &disk->files[disk->file_count++];
  memset(file, 0, sizeof *file);
  file->path = copy;
  return file;
}

static int vfs_open(
    sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out_flags) {
  entia_fault_disk *disk = vfs->pAppData;
  open_file *opened = (open_file *)file;
  sqlite3_file *system = system_file(file);
  memset(opened, 0, sizeof *opened);
  if (disk->is_cut) return SQLITE_CANTOPEN;
  int code = disk->system->xOpen(disk->system, name, system, flags, out_flags);
  if (code) return code;
  opened->base.pMethods = &methods;
  opened->disk = disk;
  int is_kept = flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL);
  if (!name || !is_kept) return SQLITE_OK;
  int count = disk->file_count;
  opened->kept = find_file(disk, name);
  opened->syncs_folder =
      flags & SQLITE_OPEN_CREATE && flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL);
  if (!opened->kept) code = SQLITE_NOMEM;
  // What was there before the disk is synced.
  if (!code && disk->file_count > count) code = keep_content(opened->kept, system);
  if (!code) opened->kept->is_deleted = 0;
  if (code) {
    file_close(file);
    opened->base.pMethods = NULL;
  }
  return code;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *name, int sync_folder) {
  entia_fault_disk *disk = vfs->pAppData;
  disk_file *file = find_file(disk, name);
  if (!file) return SQLITE_NOMEM;
  int code = begin(disk);
  if (code) return code;
  send_signal(disk);
  file->is_deleted = 1;
  file->deletion_is_synced = 0;
  if (sync_folder) forget(file);
  return disk->system->xDelete(disk->system, name, sync_folder);
}

static int vfs_access(sqlite3_vfs *vfs, const char *name, int flags, int *result) {
  entia_fault_disk *disk = vfs->pAppData;
  return disk->system->xAccess(disk->system, name, flags, result);
}

static int vfs_full_path(sqlite3_vfs *vfs, const char *name, int count, char *path) {
  entia_fault_disk *disk = vfs->pAppData;
  return disk->system->xFullPathname(disk->system, name, count, path);
}

static int vfs_randomness(sqlite3_vfs *vfs, int count, char *bytes) {
  entia_fault_disk *disk = vfs->pAppData;
  return disk->system->xRandomness(disk->system, count, bytes);
}

static int vfs_sleep(sqlite3_vfs *vfs, int microseconds) {
  (void)vfs;
  return microseconds;
}

static int vfs_time(sqlite3_vfs *vfs, double *time) {
  entia_fault_disk *disk = vfs->pAppData;
  return disk->system->xCurrentTime(disk->system, time);
}

entia_fault_disk *entia_fault_disk_create(void) {
  sqlite3_vfs *system = sqlite3_vfs_find(NULL);
  entia_fault_disk *disk = calloc(1, sizeof *disk);
  if (!system || !disk) {
    free(disk);
    return NULL;
  }
  disk->system = system;
  snprintf(disk->name, sizeof disk->name, "entia-fault-%p", (void *)disk);
  disk->vfs = (sqlite3_vfs){
      .iVersion = 1,
      .szOsFile = (int)sizeof(open_file) + system->szOsFile,
      .mxPathname = system->mxPathname,
      .zName = disk->name,
      .pAppData = disk,
      .xOpen = vfs_open,
      .xDelete = vfs_delete,
      .xAccess = vfs_access,
      .xFullPathname = vfs_full_path,
      .xRandomness = vfs_randomness,
      .xSleep = vfs_sleep,
      .xCurrentTime = vfs_time,
  };
  if (sqlite3_vfs_register(&disk->vfs, 0)) {
    free(disk);
    return NULL;
  }
  return disk;
}

const char *entia_fault_disk_name(const entia_fault_disk *disk) { return disk->name; }

void entia_fault_disk_destroy(entia_fault_disk *disk) {
  sqlite3_vfs_unregister(&disk->vfs);
  for (int index = 0; index < disk->file_count; index++) {
    disk_file *file = &disk->files[index];
    drop_changes(file);
    free(file->changes);
    free(file->synced);
    free(file->path);
  }
  free(disk);
}

int64_t entia_fault_disk_operations(const entia_fault_disk *disk) { return disk->operations; }

void entia_fault_disk_cut_at(entia_fault_disk *disk, int64_t operation) {
  disk->cut_at = operation;
}

int entia_fault_disk_is_cut(const entia_fault_disk *disk) { return disk->is_cut; }

void entia_fault_disk_signal_at(entia_fault_disk *disk, int64_t operation, int signal) {
  disk->signal_at = operation;
  disk->signal = signal;
}

void entia_fault_disk_fail(entia_fault_disk *disk, int64_t first, int64_t last, int code) {
  disk->first_failure = first;
  disk->last_failure = last;
  disk->failure = code;
}

/// Content that grows.
typedef struct {
  unsigned char *bytes;
  sqlite3_int64 count;
  sqlite3_int64 capacity;
} content;

static int resize(content *content, sqlite3_int64 count) {
  if (count > content->capacity) {
    unsigned char *bytes = realloc(content->bytes, (size_t)count * 2);
    if (!bytes) return -1;
    content->bytes = bytes;
    content->capacity = count * 2;
  }
  if (count > content->count) {
    memset(content->bytes + content->count, 0, (size_t)(count - content->count));
  }
  content->count = count;
  return 0;
}

static int apply(content *content, const change *change, uint64_t kind, uint64_t *random) {
  // A kind of 0 keeps everything, 1 nothing, 2 keeps or drops whole writes, others tear them.
  if (kind == 1 || (kind == 2 && next_random(random) & 1)) return 0;
  if (change->is_truncation) return kind == 0 || next_random(random) & 1
      ? resize(content, change->offset) : 0;
  for (int start = 0; start < change->count;) {
    sqlite3_int64 offset = change->offset + start;
    int count = sector_size - (int)(offset % sector_size);
    if (count > change->count - start) count = change->count - start;
    if (kind <= 2 || next_random(random) & 1) {
      if (offset + count > content->count && resize(content, offset + count)) return -1;
      memcpy(content->bytes + offset, change->bytes + start, (size_t)count);
    }
    start += count;
  }
  return 0;
}

static int restart_file(disk_file *file, uint64_t *random) {
  content content = {0};
  if (resize(&content, file->synced_count)) return -1;
  if (file->synced_count > 0) memcpy(content.bytes, file->synced, (size_t)file->synced_count);
  uint64_t kind = next_random(random) % 5;
  if (kind == 4) {
    for (int index = file->change_count - 1; index > 0; index--) {
      int other = (int)(next_random(random) % (uint64_t)(index + 1));
      change moved = file->changes[index];
      file->changes[index] = file->changes[other];
      file->changes[other] = moved;
    }
  }
  int result = 0;
  for (int index = 0; index < file->change_count && !result; index++) {
    result = apply(&content, &file->changes[index], kind, random);
  }
  int stays_deleted =
      file->is_deleted && (file->deletion_is_synced || next_random(random) & 1);
  if (!result && stays_deleted) {
    remove(file->path);
  } else if (!result) {
    FILE *stream = fopen(file->path, "wb");
    if (!stream) result = -1;
    if (stream && content.count > 0) {
      size_t written = fwrite(content.bytes, 1, (size_t)content.count, stream);
      if (written != (size_t)content.count) result = -1;
    }
    if (stream && fclose(stream)) result = -1;
  }
  free(content.bytes);
  return result;
}

int entia_fault_disk_restart(entia_fault_disk *disk, uint64_t seed) {
  uint64_t random = seed;
  for (int index = 0; index < disk->file_count; index++) {
    if (restart_file(&disk->files[index], &random)) return -1;
  }
  return 0;
}

#pragma once
#include <stdint.h>

/// A disk for SQLite that loses power, or fails to write, at a chosen operation.
///
/// It is a VFS above the system's one. It keeps what each file had at its last sync and what was
/// written since. Writes, truncations and syncs of the database, of its log and of its journal are
/// numbered from 1. One thread at a time uses it.
typedef struct entia_fault_disk entia_fault_disk;

/// Registers a disk; NULL when there is no memory.
entia_fault_disk *entia_fault_disk_create(void);

/// The name of the disk's VFS.
const char *entia_fault_disk_name(const entia_fault_disk *disk);

/// Unregisters a disk. Its files must have been closed.
void entia_fault_disk_destroy(entia_fault_disk *disk);

/// The number of operations so far.
int64_t entia_fault_disk_operations(const entia_fault_disk *disk);

/// Cuts the power at an operation: it and all later ones fail. 0 means never.
void entia_fault_disk_cut_at(entia_fault_disk *disk, int64_t operation);

/// Whether the power was cut.
int entia_fault_disk_is_cut(const entia_fault_disk *disk);

/// Lets operations fail with a code of SQLite, from a first one to a last one.
void entia_fault_disk_fail(entia_fault_disk *disk, int64_t first, int64_t last, int code);

/// Sends the process a signal at an operation. A write is then half done.
void entia_fault_disk_signal_at(entia_fault_disk *disk, int64_t operation, int signal);

/// Writes what is left after the power was cut: what was synced, and of each later write the sectors
/// that the seed chooses, in an order that the seed chooses. The files must have been closed.
/// Returns 0, or -1 when a file cannot be written.
int entia_fault_disk_restart(entia_fault_disk *disk, uint64_t seed);

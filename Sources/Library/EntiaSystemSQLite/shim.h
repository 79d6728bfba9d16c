#pragma once
#include <sqlite3.h>

// Calls of a function with variable arguments, which Swift cannot call.
static inline int entia_sqlite_set_defensive(sqlite3 *connection) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
}

static inline int entia_sqlite_set_checkpoint_on_close(sqlite3 *connection, int checkpoints) {
  return sqlite3_db_config(
    connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, !checkpoints, (int *)0);
}

#pragma once
#include <sqlite3.h>

// A function with variable arguments, which Swift cannot call.
static inline int entia_sqlite_set_defensive(sqlite3 *connection) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
}

#pragma once
#include <sqlite3.h>

// Swift cannot import SQLITE_TRANSIENT, which makes SQLite copy the text.
static inline int gifplay_sqlite3_bind_text(sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 bytes)
{
    return sqlite3_bind_text64(statement, index, text, bytes, SQLITE_TRANSIENT, SQLITE_UTF8);
}

#pragma once
#include <stddef.h>
#include <stdint.h>

// toml++ behind a C interface: a text comes in, its values go out as one array in the order of the file.

#ifdef __cplusplus
extern "C" {
#endif

/// Bytes of UTF-8, which end with their count.
typedef struct {
    const char *_Nullable bytes;
    size_t count;
} ctoml_text;

typedef enum : uint8_t {
    ctoml_table,
    ctoml_list,
    ctoml_string,
    ctoml_integer,
    ctoml_number,
    ctoml_boolean,
    /// Dates and times.
    ctoml_other,
} ctoml_kind;

/// A value. What it contains follows it, up to and without `end`; the first of them stands right behind it.
typedef struct {
    ctoml_kind kind;
    /// From 1: where its key stands, or the value itself in a list.
    uint32_t line;
    /// The index of the next value beside this one, or behind what contains both.
    size_t end;
    /// Empty in a list.
    ctoml_text key;
    /// Of a string.
    ctoml_text string;
    int64_t integer;
    /// Of a number, and of an integer too.
    double number;
} ctoml_value;

/// What parsing came to. Its texts live as long as itself.
typedef struct {
    /// The first one is the table of everything; none where it failed.
    const ctoml_value *_Nullable values;
    size_t count;
    /// In the parser's words.
    ctoml_text error;
    /// From 1.
    uint32_t error_line;
} ctoml_document;

/// Nothing is thrown. Null where memory is not enough; anything else is to be given to ``ctoml_free``.
const ctoml_document *_Nullable ctoml_parse(const char *_Nullable text, size_t count);

void ctoml_free(const ctoml_document *_Nullable document);

#ifdef __cplusplus
}
#endif

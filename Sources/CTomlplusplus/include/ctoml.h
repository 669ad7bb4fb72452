#pragma once
#include <stddef.h>
#include <stdint.h>

// A C interface to toml++: it parses a text and returns its values as one array in file order.

#ifdef __cplusplus
extern "C" {
#endif

/// UTF-8 text of `count` bytes, without a terminating NUL.
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

/// A value. The values that it contains directly follow it in the array, up to but not including the index `end`.
typedef struct {
    ctoml_kind kind;
    /// Line of its key, or of the value itself in a list, from 1.
    uint32_t line;
    /// Index after this value and all that it contains: the next value at the same or an outer level.
    size_t end;
    /// The key; empty in a list.
    ctoml_text key;
    /// The value of a string.
    ctoml_text string;
    /// The value of an integer; 0 or 1 for a boolean.
    int64_t integer;
    /// The value of a number, and also of an integer.
    double number;
} ctoml_value;

/// The result of parsing. Its texts are valid until the document is freed.
typedef struct {
    /// The first value is the root table. NULL if parsing failed.
    const ctoml_value *_Nullable values;
    size_t count;
    /// The parser's error message; empty if parsing succeeded.
    ctoml_text error;
    /// Line of the error, from 1.
    uint32_t error_line;
} ctoml_document;

/// Parses a document. Throws nothing. Returns NULL if there is not enough memory; otherwise the caller frees the result
/// with ``ctoml_free``.
const ctoml_document *_Nullable ctoml_parse(const char *_Nullable text, size_t count);

void ctoml_free(const ctoml_document *_Nullable document);

#ifdef __cplusplus
}
#endif

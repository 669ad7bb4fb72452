#pragma once
#include <stddef.h>
#include <stdint.h>

// A C interface to toml++. It parses a document and returns all values in one array, in file order.

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
    /// A date or a time.
    ctoml_other,
} ctoml_kind;

/// A value. If it is a table or a list, the values that it contains follow it in the array, up to but not including the
/// index `end`.
typedef struct {
    ctoml_kind kind;
    /// The line of the key, counted from 1. For a list element, which has no key, the line of the element.
    uint32_t line;
    /// The array index that follows this value and all values that it contains.
    size_t end;
    /// The key; empty for a list element and for the root table.
    ctoml_text key;
    /// The value of a string.
    ctoml_text string;
    /// The value of an integer. For a boolean, 1 means true and 0 means false.
    int64_t integer;
    /// The value of a floating-point number or of an integer.
    double number;
} ctoml_value;

/// The result of parsing. Its texts and values are valid until the document is freed.
typedef struct {
    /// The first value is the root table. NULL if parsing failed.
    const ctoml_value *_Nullable values;
    size_t count;
    /// The parser's error message; empty if parsing succeeded.
    ctoml_text error;
    /// The line of the error, counted from 1.
    uint32_t error_line;
} ctoml_document;

/// Parses a document. Never throws an exception. Returns NULL if there is not enough memory. Free the result with
/// ``ctoml_free``.
const ctoml_document *_Nullable ctoml_parse(const char *_Nullable text, size_t count);

void ctoml_free(const ctoml_document *_Nullable document);

#ifdef __cplusplus
}
#endif

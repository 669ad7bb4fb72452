#pragma once

#include <stddef.h>

/// A built-in sample GIF.
struct gifplay_sample {
    const char *name;
    const char *title;
    /// The search tags: in lower case, separated by single spaces. A bar stands after the subjects.
    const char *tags;
    const unsigned char *bytes;
    size_t count;
};

extern const size_t gifplay_sample_count;

/// Returns the sample at `index`, which must be below gifplay_sample_count. The array itself is not declared here,
/// because Swift does not import arrays of unknown length.
const struct gifplay_sample *gifplay_sample_at(size_t index);

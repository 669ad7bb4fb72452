#pragma once

#include <stddef.h>

/// A GIF that gifplay carries.
struct gifplay_sample {
    const char *name;
    const char *title;
    /// Lower-case words with single spaces.
    const char *tags;
    const unsigned char *bytes;
    size_t count;
};

extern const size_t gifplay_sample_count;

/// The sample at `index`, which is below the count. Swift cannot see an array of unknown length.
const struct gifplay_sample *gifplay_sample_at(size_t index);

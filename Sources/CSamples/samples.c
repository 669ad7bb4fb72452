#include "CSamples.h"

/* Embeds the GIFs of Samples/ with .incbin, which every compiler knows, so that the binary needs no other files. Their
 * list is Samples/catalogue.inc, which scripts/samples/make writes. The build does not notice a changed GIF, but the
 * catalogue changes with it, because it has the GIF's hash. */

#define SAMPLE(identifier, name, title, tags, size, hash)                                                             \
    __asm__(".pushsection .rodata.samples,\"a\",%progbits\n"                                                          \
            "gifplay_sample_" #identifier ":\n"                                                                       \
            ".incbin \"" name ".gif\"\n"                                                                              \
            ".popsection");                                                                                           \
    extern const unsigned char gifplay_sample_##identifier[size];
#include "catalogue.inc"
#undef SAMPLE

static const struct gifplay_sample gifplay_samples[] = {
#define SAMPLE(identifier, name, title, tags, size, hash) {name, title, tags, gifplay_sample_##identifier, size},
#include "catalogue.inc"
#undef SAMPLE
};

const size_t gifplay_sample_count = sizeof gifplay_samples / sizeof *gifplay_samples;

const struct gifplay_sample *gifplay_sample_at(size_t index) { return &gifplay_samples[index]; }

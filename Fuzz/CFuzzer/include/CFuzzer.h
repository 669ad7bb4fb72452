#pragma once
#include <stddef.h>
#include <stdint.h>

/// libFuzzer as a library (LLVM's docs/LibFuzzer.rst): runs `body` over and over, as the arguments say.
int LLVMFuzzerRunDriver(int *_Nonnull count, char *_Nullable *_Nullable *_Nonnull arguments,
                        int (*_Nonnull body)(const uint8_t *_Nullable bytes, size_t count));

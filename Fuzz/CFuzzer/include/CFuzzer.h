#pragma once
#include <stddef.h>
#include <stdint.h>

/// Runs `body` repeatedly on generated inputs, as configured by the command-line arguments. This is the entry point of
/// libFuzzer as a library (LLVM's docs/LibFuzzer.rst).
int LLVMFuzzerRunDriver(int *_Nonnull count, char *_Nullable *_Nullable *_Nonnull arguments,
                        int (*_Nonnull body)(const uint8_t *_Nullable bytes, size_t count));

#pragma once
#include <stddef.h>
#include <stdint.h>

/// Runs libFuzzer, which calls `body` repeatedly with generated inputs. `arguments` are command-line arguments for
/// libFuzzer. LLVM documents this function in docs/LibFuzzer.rst.
int LLVMFuzzerRunDriver(int *_Nonnull count, char *_Nullable *_Nullable *_Nonnull arguments,
                        int (*_Nonnull body)(const uint8_t *_Nullable bytes, size_t count));

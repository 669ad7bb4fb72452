#pragma once
#include <stddef.h>
#include <stdint.h>

/// Calls `body` repeatedly with generated inputs. The command-line arguments are those of libFuzzer. This function is
/// the entry point for programs that use libFuzzer as a library (LLVM's docs/LibFuzzer.rst).
int LLVMFuzzerRunDriver(int *_Nonnull count, char *_Nullable *_Nullable *_Nonnull arguments,
                        int (*_Nonnull body)(const uint8_t *_Nullable bytes, size_t count));

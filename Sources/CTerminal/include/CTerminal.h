#pragma once

/* What Swift's Glibc module leaves out of the C library. */

#include <malloc.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/uio.h>
#include <termios.h>

/// Cells that a Unicode scalar takes on a terminal, by the C library's table for C.UTF-8: 0, 1 or 2.
/// Scalars that cannot be printed take 0.
int gifplay_cell_width(uint32_t scalar);

/// Gives the terminal back when the process crashes: on SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT
/// and SIGSYS writes `bytes` to `descriptor`, sets `saved`, and lets the signal go on to its end. Where the
/// terminal takes nothing in, what stands before `bytes` is dropped. Serves the calling thread's stack
/// overflows too.
/// `bytes` and what `saved` points to are copied; at most 128 bytes are kept.
void gifplay_arm_crash_restore(int descriptor, const struct termios *saved, const void *bytes, unsigned long count);

/// From here on a crash touches no terminal.
void gifplay_disarm_crash_restore(void);

/// From here on neither a core file nor another process of the same user gets this process's memory.
void gifplay_withhold_memory(void);

struct pollfd;
struct timespec;

/// poll(2) with a timeout in nanoseconds; NULL waits without end.
int gifplay_poll(struct pollfd *descriptors, unsigned long count, const struct timespec *timeout);

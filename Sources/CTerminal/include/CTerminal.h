#pragma once

/* What Swift's Glibc module leaves out of the C library. */

#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/uio.h>
#include <termios.h>

/// Cells that a Unicode scalar takes on a terminal, by the C library's table for C.UTF-8: 0, 1 or 2.
/// Scalars that cannot be printed take 0.
int gifplay_cell_width(uint32_t scalar);

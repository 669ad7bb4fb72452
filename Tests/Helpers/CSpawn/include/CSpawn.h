#pragma once

#include <sys/ioctl.h>

/// Starts a program whose controlling terminal is a new pseudo-terminal. Returns the process ID, and stores the
/// descriptor of the master end, which is closed on exec, in `master`. Returns -1 with errno on failure.
int spawn_on_pty(
    const char *path, char *const argv[], char *const envp[], const struct winsize *size, int *master);

/// Changes the size that the terminal reports, so that the program receives SIGWINCH. Returns 0, or -1 with errno.
int resize_pty(int master, int columns, int rows);

/// Moves the calling thread into a new network namespace. Processes that the thread starts later are also in this
/// namespace. The namespace has only the loopback interface. This function adds `address` (IPv4) to the interface.
/// Returns 0 or an errno value. Requires root.
int enter_own_network(const char *address);

/// Starts a program with these descriptors as its standard streams. The program has no other open descriptors.
///
/// Tests use this function instead of Foundation's Process. Process opens a socket and waits until every descendant has
/// closed it, but a tmux server never closes it. `folder` is the working directory; NULL keeps the current one. Returns
/// the process ID, or -1 with errno on failure.
int spawn_with_files(
    const char *path, char *const argv[], char *const envp[], const char *folder, int input, int output, int errors);

/// Creates an empty file in memory, which is closed on exec. Returns its descriptor, or -1 with errno on failure.
int create_memory_file(void);

/// Sends a signal to one thread of a process. Returns 0, or -1 with errno.
int kill_thread(int process, int thread, int signal);

/// Limits the size of the files that a running process writes. If `process` is 0, it limits the calling process.
/// Returns 0, or -1 with errno.
int limit_files(int process, long bytes);

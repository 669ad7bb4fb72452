#pragma once

/// Starts a program on a pseudo terminal of its own, as its controlling terminal.
/// Returns the process's id and sets `master`, which is closed on exec; -1 with errno on failure.
int spawn_on_pty(const char *path, char *const argv[], char *const envp[], int columns, int rows, int *master);

/// Changes the size that the terminal reports; the program gets SIGWINCH.
int resize_pty(int master, int columns, int rows);

/// Puts the calling thread, and what it starts from then on, into a network of its own that has nothing but loopback,
/// on which `address` (IPv4) lies as well. Returns 0, or errno: it takes root.
int enter_own_network(const char *address);

/// Starts a program with these descriptors as its standard streams and no others.
///
/// Foundation's Process waits until every descendant has closed its socket, which a tmux server
/// never does. `folder` may be NULL. Returns the process's id, -1 with errno on failure.
int spawn_with_files(
    const char *path, char *const argv[], char *const envp[], const char *folder, int input, int output, int errors);

/// Sets how many bytes any file of a running process may have from now on; 0 is the calling one. Returns 0, or -1 with
/// errno.
int limit_files(int process, long bytes);

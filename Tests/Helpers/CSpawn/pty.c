#define _GNU_SOURCE
#include "CSpawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* Starts a program without the test runner's blocked or ignored signals and its other open descriptors. posix_spawn
   does not copy the page tables of the test runner; fork does, and took a quarter of the tests' processor time. */
static int start(
    const char *path, char *const argv[], char *const envp[], posix_spawn_file_actions_t *actions, short flags) {
    posix_spawnattr_t attributes;
    sigset_t none, ignored;
    sigemptyset(&none);
    sigemptyset(&ignored);
    sigaddset(&ignored, SIGPIPE);
    /* While another test waits in system(3), the test runner ignores these two. */
    sigaddset(&ignored, SIGINT);
    sigaddset(&ignored, SIGQUIT);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &ignored);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | flags);
    posix_spawn_file_actions_addclosefrom_np(actions, 3);
    pid_t process;
    int error = posix_spawn(&process, path, actions, &attributes, argv, envp);
    posix_spawn_file_actions_destroy(actions);
    posix_spawnattr_destroy(&attributes);
    errno = error;
    return error == 0 ? process : -1;
}

int spawn_on_pty(
    const char *path, char *const argv[], char *const envp[], const struct winsize *size, int *master) {
    char name[64];
    *master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (*master < 0 || grantpt(*master) != 0 || unlockpt(*master) != 0 || ptsname_r(*master, name, sizeof name) != 0
        || ioctl(*master, TIOCSWINSZ, size) != 0)
        return -1;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    /* The first terminal that the leader of a new session opens becomes its controlling terminal. */
    posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0);
    posix_spawn_file_actions_adddup2(&actions, 0, 1);
    posix_spawn_file_actions_adddup2(&actions, 0, 2);
    return start(path, argv, envp, &actions, POSIX_SPAWN_SETSID);
}

int resize_pty(int master, int columns, int rows) {
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
    return ioctl(master, TIOCSWINSZ, &size);
}

int spawn_with_files(
    const char *path, char *const argv[], char *const envp[], const char *folder, int input, int output, int errors) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, 0);
    posix_spawn_file_actions_adddup2(&actions, output, 1);
    posix_spawn_file_actions_adddup2(&actions, errors, 2);
    if (folder) posix_spawn_file_actions_addchdir_np(&actions, folder);
    return start(path, argv, envp, &actions, 0);
}

int create_memory_file(void) { return memfd_create("test", MFD_CLOEXEC); }

int kill_thread(int process, int thread, int signal) { return tgkill(process, thread, signal); }

int limit_files(int process, long bytes) {
    struct rlimit limit = {.rlim_cur = (rlim_t)bytes, .rlim_max = (rlim_t)bytes};
    return prlimit(process, RLIMIT_FSIZE, &limit, NULL);
}

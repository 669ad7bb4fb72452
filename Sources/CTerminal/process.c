#define _GNU_SOURCE
#include "CTerminal.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int gifplay_spawn_chdir(posix_spawn_file_actions_t *actions, const char *folder) {
    return posix_spawn_file_actions_addchdir_np(actions, folder);
}

int gifplay_spawn_closefrom(posix_spawn_file_actions_t *actions) {
    return posix_spawn_file_actions_addclosefrom_np(actions, 3);
}

int gifplay_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int gifplay_memory_file(const char *name) { return memfd_create(name, MFD_CLOEXEC); }

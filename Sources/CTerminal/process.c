#define _GNU_SOURCE
#include "CTerminal.h"

#include <sys/mman.h>

int gifplay_spawn_chdir(posix_spawn_file_actions_t *actions, const char *folder) {
    return posix_spawn_file_actions_addchdir_np(actions, folder);
}

int gifplay_memory_file(const char *name) { return memfd_create(name, MFD_CLOEXEC); }

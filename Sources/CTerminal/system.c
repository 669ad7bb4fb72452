#define _GNU_SOURCE
#include "CTerminal.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

/* Functions that Swift's Glibc module lacks, or that need a static state. */

/* RLIMIT_CORE = 0 does not disable all core dumps, because the kernel ignores this limit if it pipes core dumps to a
 * program, such as systemd-coredump. */
void gifplay_protect_memory(void) { prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

int gifplay_poll(struct pollfd *descriptors, unsigned long count, const struct timespec *timeout) {
    return ppoll(descriptors, count, timeout, NULL);
}

/* Replaces a function of Swift's runtime, whose file reads and parses /proc/self/maps at each start to find the
 * arguments. glibc passes them to constructors. */

static char **arguments;
static int argument_count;

__attribute__((constructor)) static void keep_arguments(int count, char **values) {
    argument_count = count;
    arguments = values;
}

char **_swift_stdlib_getUnsafeArgvArgc(int *count);

char **_swift_stdlib_getUnsafeArgvArgc(int *count) {
    *count = argument_count;
    return arguments;
}

int gifplay_spawn_chdir(posix_spawn_file_actions_t *actions, const char *folder) {
    return posix_spawn_file_actions_addchdir_np(actions, folder);
}

int gifplay_spawn_closefrom(posix_spawn_file_actions_t *actions) {
    return posix_spawn_file_actions_addclosefrom_np(actions, 3);
}

int gifplay_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int gifplay_memory_file(const char *name) { return memfd_create(name, MFD_CLOEXEC); }

static int lost_by = EIO;

/* fwrite reports no error if only an earlier part of the buffer was lost, so errno is checked. */
void gifplay_print(const void *bytes, unsigned long count) {
    errno = 0;
    fwrite(bytes, 1, count, stdout);
    if (!errno || !ferror(stdout)) return;
    if (errno == EPIPE) _exit(0);
    lost_by = errno;
}

int gifplay_flush_output(void) {
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout)) return 0;
    return errno ? errno : lost_by;
}

/* In the default C locale, wcwidth supports only ASCII. Returns a locale with UTF-8, or 0 if there is none. */
static locale_t utf8_locale(void) {
    static _Atomic(locale_t) shared;
    locale_t locale = atomic_load(&shared);
    if (locale) return locale;
    locale_t created = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    if (atomic_compare_exchange_strong(&shared, &locale, created)) return created;
    /* Another thread has created the locale in the meantime. */
    if (created) freelocale(created);
    return locale;
}

int gifplay_cell_width(uint32_t scalar) {
    locale_t utf8 = utf8_locale();
    locale_t before = uselocale(utf8 ? utf8 : LC_GLOBAL_LOCALE);
    int width = wcwidth((wchar_t)scalar);
    uselocale(before);
    return width < 0 ? 0 : width;
}

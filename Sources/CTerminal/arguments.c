#include "CTerminal.h"

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

/* The least work of a further loop: writes recorded frames to standard output, one write per frame.
 * usage: replay FRAMES LOOPS
 * FRAMES contains for each frame its length as four little-endian bytes, then its bytes. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int count, char **arguments) {
    FILE *file = count == 3 ? fopen(arguments[1], "rb") : NULL;
    if (!file || fseek(file, 0, SEEK_END)) return 1;
    long size = ftell(file);
    uint8_t *bytes = malloc(size > 0 ? size : 1);
    rewind(file);
    if (!bytes || fread(bytes, 1, size, file) != (size_t)size) return 1;
    for (int loop = atoi(arguments[2]); loop > 0; loop--)
        for (uint8_t *next = bytes; next + 4 <= bytes + size;) {
            size_t left = next[0] | next[1] << 8 | next[2] << 16 | (size_t)next[3] << 24;
            next += 4;
            while (left > 0) {
                ssize_t written = write(1, next, left);
                if (written < 0) return 1;
                next += written;
                left -= written;
            }
        }
    return 0;
}

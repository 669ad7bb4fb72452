/* The least work of one loop: giflib decodes every frame of a file into one reused buffer.
 * usage: decode FILE */
#include <gif_lib.h>
#include <stdio.h>
#include <stdlib.h>

int main(int count, char **arguments) {
    int error = 0;
    GifFileType *gif = count == 2 ? DGifOpenFileName(arguments[1], &error) : NULL;
    if (!gif) return 1;
    GifPixelType *pixels = NULL;
    size_t room = 0;
    unsigned sum = 0;
    GifRecordType record;
    while (DGifGetRecordType(gif, &record) == GIF_OK && record != TERMINATE_RECORD_TYPE) {
        if (record == IMAGE_DESC_RECORD_TYPE) {
            if (DGifGetImageDesc(gif) != GIF_OK) return 1;
            size_t size = (size_t)gif->Image.Width * gif->Image.Height;
            if (size > room && !(pixels = realloc(pixels, room = size))) return 1;
            if (DGifGetLine(gif, pixels, (int)size) != GIF_OK) return 1;
            sum += pixels[size - 1];
        } else if (record == EXTENSION_RECORD_TYPE) {
            int code;
            GifByteType *extension;
            if (DGifGetExtension(gif, &code, &extension) != GIF_OK) return 1;
            while (extension)
                if (DGifGetExtensionNext(gif, &extension) != GIF_OK) return 1;
        }
    }
    fprintf(stderr, "%u\n", sum);
    return 0;
}

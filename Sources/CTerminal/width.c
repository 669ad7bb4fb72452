#define _XOPEN_SOURCE 700
#include "CTerminal.h"

#include <locale.h>
#include <wchar.h>

int gifplay_cell_width(uint32_t scalar) {
    static locale_t utf8;
    /* In the default C locale, wcwidth supports only ASCII. If two threads run this line simultaneously, they might
     * create the locale twice, which is harmless. */
    if (!utf8) utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    locale_t before = uselocale(utf8 ? utf8 : LC_GLOBAL_LOCALE);
    int width = wcwidth((wchar_t)scalar);
    uselocale(before);
    return width < 0 ? 0 : width;
}

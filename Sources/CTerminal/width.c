#define _XOPEN_SOURCE 700
#include "CTerminal.h"

#include <locale.h>
#include <wchar.h>

int gifplay_cell_width(uint32_t scalar) {
    static locale_t utf8;
    /* Without a locale, wcwidth supports only ASCII. If two threads run this line at the same time, the only effect is
     * that the locale may be created twice. */
    if (!utf8) utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    locale_t before = uselocale(utf8 ? utf8 : LC_GLOBAL_LOCALE);
    int width = wcwidth((wchar_t)scalar);
    uselocale(before);
    return width < 0 ? 0 : width;
}

#define _XOPEN_SOURCE 700
#include "CTerminal.h"

#include <locale.h>
#include <stdatomic.h>
#include <wchar.h>

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

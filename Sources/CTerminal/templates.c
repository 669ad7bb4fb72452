#include "CTerminal.h"

/* Embeds the files that `gifplay --generate` prints with .incbin, which every compiler knows. The compiler records a file
 * that __has_include finds as a dependency, so a changed file is embedded again. The names are hidden, because clang 17 for
 * arm64 takes the address of a label from a wrong place of the table of addresses. */
#if !__has_include("docs/man/gifplay.1.in") || !__has_include("share/bash-completion/completions/gifplay") ||           \
    !__has_include("share/zsh/site-functions/_gifplay") || !__has_include("share/fish/vendor_completions.d/gifplay.fish")
#error "a template is missing"
#endif

#define TEMPLATE(identifier, path)                                                                                     \
    __asm__(".pushsection .rodata.templates,\"a\",%progbits\n"                                                         \
            "gifplay_template_" #identifier ":\n"                                                                      \
            ".incbin \"" path "\"\n"                                                                                   \
            ".byte 0\n"                                                                                                \
            ".popsection");                                                                                            \
    extern const char gifplay_template_##identifier[] __attribute__((visibility("hidden")));                           \
    const char *gifplay_##identifier(void) { return gifplay_template_##identifier; }
TEMPLATE(manual, "docs/man/gifplay.1.in")
TEMPLATE(bash_completion, "share/bash-completion/completions/gifplay")
TEMPLATE(zsh_completion, "share/zsh/site-functions/_gifplay")
TEMPLATE(fish_completion, "share/fish/vendor_completions.d/gifplay.fish")

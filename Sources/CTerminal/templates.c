#include "CTerminal.h"

/* The files that `gifplay --generate` prints, embedded with #embed (C23). */

static const char manual[] = {
#embed "../../docs/man/gifplay.1.in"
    , 0};
static const char bash_completion[] = {
#embed "../../share/bash-completion/completions/gifplay"
    , 0};
static const char zsh_completion[] = {
#embed "../../share/zsh/site-functions/_gifplay"
    , 0};
static const char fish_completion[] = {
#embed "../../share/fish/vendor_completions.d/gifplay.fish"
    , 0};

const char *gifplay_manual(void) { return manual; }
const char *gifplay_bash_completion(void) { return bash_completion; }
const char *gifplay_zsh_completion(void) { return zsh_completion; }
const char *gifplay_fish_completion(void) { return fish_completion; }

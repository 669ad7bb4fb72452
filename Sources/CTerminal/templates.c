#include "CTerminal.h"

/* The files that `gifplay --generate` fills in, embedded with #embed (C23). */

static const char manual[] = {
#embed "../../docs/man/gifplay.1.in"
    , 0};
static const char bash_completion[] = {
#embed "../../Templates/gifplay.bash"
    , 0};
static const char fish_completion[] = {
#embed "../../Templates/gifplay.fish"
    , 0};

const char *gifplay_manual(void) { return manual; }
const char *gifplay_bash_completion(void) { return bash_completion; }
const char *gifplay_fish_completion(void) { return fish_completion; }

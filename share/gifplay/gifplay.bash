# gifplay in bash. Load it in ~/.bashrc:
#   source ~/.local/share/gifplay/gifplay.bash

# Alt-g opens the gallery, and Enter inserts the URL of the selected GIF in the command line. Alt-s plays GIFs until the
# next key. There is no idle timeout, because bash ends the shell when TMOUT expires.
gifplay_browse() {
    local picked
    picked=$(gifplay browse --print url) || return
    printf -v picked %q "$picked"
    READLINE_LINE=${READLINE_LINE:0:READLINE_POINT}$picked${READLINE_LINE:READLINE_POINT}
    READLINE_POINT=$((READLINE_POINT + ${#picked}))
}
bind -x '"\eg": gifplay_browse'
bind -x '"\es": gifplay --screensaver'

# gifplay in bash. Load it in ~/.bashrc:
#   source ~/.local/share/gifplay/gifplay.bash

# Alt-g opens the gallery, Alt-s plays GIFs until the next key. Both return to the command line. There is no idle
# timeout, because bash ends the shell when TMOUT expires.
bind -x '"\eg": gifplay browse'
bind -x '"\es": gifplay --screensaver'

# gifplay in zsh. Load it in ~/.zshrc:
#   source ~/.local/share/gifplay/gifplay.zsh

# After five minutes at the prompt without a key, GIFs play until the next key.
TMOUT=300
TRAPALRM() { (( gifplay_browsing )) || gifplay --screensaver }

# Alt-g opens the gallery. Enter inserts the URL of the selected GIF in the command line.
# The time in the gallery counts as idle time, so the screensaver would start as soon as the gallery ends.
gifplay-browse() {
    local gifplay_browsing=1 picked
    picked=$(gifplay browse --print url <$TTY) && LBUFFER+=${(q)picked}
    zle reset-prompt
}
zle -N gifplay-browse
bindkey '^[g' gifplay-browse

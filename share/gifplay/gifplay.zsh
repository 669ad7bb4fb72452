# gifplay in zsh. Load it in ~/.zshrc:
#   source ~/.local/share/gifplay/gifplay.zsh

# After five minutes at the prompt without a key, GIFs play until the next key.
TMOUT=300
TRAPALRM() { gifplay --screensaver }

# Alt-g opens the gallery and returns to the command line.
gifplay-browse() { gifplay browse <$TTY; zle redisplay }
zle -N gifplay-browse
bindkey '^[g' gifplay-browse

# gifplay in tmux. Load it in ~/.tmux.conf:
#   source-file ~/.local/share/gifplay/gifplay.tmux

# The prefix and 'g' open or close a pane of eight rows with GIFs, below the current pane.
bind-key g run-shell 'pane=$(tmux list-panes -t "#{window_id}" -F "##{pane_id} ##{pane_start_command}" | \
    sed -n "s/ .*gifplay --bare.*//p"); \
    if [ -n "$pane" ]; then tmux kill-pane -t "$pane"; \
    else tmux split-window -d -l 8 -t "#{pane_id}" "gifplay --bare"; fi'

# The prefix and 'G' open the gallery in a popup; 'q' or Esc closes it.
bind-key G display-popup -E -w 90% -h 90% 'gifplay browse'

# After five minutes without a key, GIFs play until the next key.
set-option -g lock-after-time 300
set-option -g lock-command 'gifplay --screensaver'

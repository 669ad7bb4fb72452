# Written by scripts/make/completions from the option definitions; do not edit.

# Succeeds if the command line selects this command; with a second argument, only if the command line has that many
# words before the cursor.
function __gifplay_in
    set -l words (commandline -opc)
    set -q argv[2]; and test (count $words) -ne $argv[2]; and return 1
    set -l selected ''
    contains -- "$words[2]" play info samples sources cache browse library record doctor version help; and set selected $words[2]
    contains -- "$words[2] $words[3]" 'library list' 'library export' 'library import' 'library clear'; and set selected "$words[2] $words[3]"
    test "$selected" = "$argv[1]"
end

# Prints the files with this extension, in lower or upper case, and the folders that complete the current word.
function __gifplay_files
    set -l word (commandline -ct)
    complete -C "__fish_command_without_completions $word" | string match -eri -- "(?:\.$argv[1]|/)\$"
end

complete -c gifplay -f
complete -c gifplay -n '__gifplay_in \'\' 1' -a play -d 'Play files, URLs or search results'
complete -c gifplay -n '__gifplay_in \'\' 1' -a info -d 'Print size, frames, delays, loop count and damage of GIF files'
complete -c gifplay -n '__gifplay_in \'\' 1' -a samples -d 'List the built-in GIFs'
complete -c gifplay -n '__gifplay_in \'\' 1' -a sources -d 'List the sources of GIFs in the order in which they are queried'
complete -c gifplay -n '__gifplay_in \'\' 1' -a cache -d 'Show the size of the media cache, or empty it'
complete -c gifplay -n '__gifplay_in \'\' 1' -a browse -d 'Browse GIFs in an animated gallery'
complete -c gifplay -n '__gifplay_in \'\' 1' -a library -d 'Show and manage favourites, history and dismissed GIFs'
complete -c gifplay -n '__gifplay_in \'\' 1' -a record -d 'Record a GIF as it looks in the terminal, as an asciicast or an animated SVG'
complete -c gifplay -n '__gifplay_in \'\' 1' -a doctor -d 'Check terminal, libraries, configuration, stored files and sources'
complete -c gifplay -n '__gifplay_in \'\' 1' -a version -d 'Print the versions of gifplay, giflib and libcurl'
complete -c gifplay -n '__gifplay_in \'\' 1' -a help -d 'Show subcommand help information.'
complete -c gifplay -n '__gifplay_in \'\'' -l file -d 'Play this file even if its name looks like a URL or option' -x -a '(__gifplay_files gif)'
complete -c gifplay -n '__gifplay_in \'\'' -l files0 -d 'Play the files in this NUL-separated list, as from \'find -print0\'; \'-\' is standard input' -r -F
complete -c gifplay -n '__gifplay_in \'\'' -l search -d 'Search for this query even if a file has that name' -x
complete -c gifplay -n '__gifplay_in \'\'' -l no-history -d 'Store only favourites and dismissed GIFs'
complete -c gifplay -n '__gifplay_in \'\'' -l source -d 'Query only this source; \'gifplay sources\' lists the names' -x -a 'giphy\\t\'\' klipy\\t\'\' commons\\t\'\' emoji\\t\'\' gifcities\\t\'\' openverse\\t\'\' nekos\\t\'\' samples\\t\'\''
complete -c gifplay -n '__gifplay_in \'\'' -l rating -d 'Strongest content allowed: g, pg, pg-13 or r (default: g)' -x -a 'g\\t\'\' pg\\t\'\' pg-13\\t\'\' r\\t\'\''
complete -c gifplay -n '__gifplay_in \'\'' -l lang -d 'Language of the query, two letters (default: en)' -x
complete -c gifplay -n '__gifplay_in \'\'' -l offline -d 'Use no network: search built-in GIFs; random GIFs are built-in or cached (same as GIFPLAY_OFFLINE=1)'
complete -c gifplay -n '__gifplay_in \'\'' -l reload -d 'Ask the servers of cached GIFs for newer ones'
complete -c gifplay -n '__gifplay_in \'\'' -l cacert -d 'Trust the certificates in this file instead of the system\'s' -r -F
complete -c gifplay -n '__gifplay_in \'\'' -l pick -d 'Play only the result with this number' -x
complete -c gifplay -n '__gifplay_in \'\'' -l random-pick -d 'Play a random result'
complete -c gifplay -n '__gifplay_in \'\'' -l list -d 'List the results, play nothing'
complete -c gifplay -n '__gifplay_in \'\'' -l json -d 'With --list: print JSON, one object per line'
complete -c gifplay -n '__gifplay_in \'\'' -l format -d 'With --list: output format (default: table)' -x -a 'table\\t\'\' json\\t\'\' url\\t\'\''
complete -c gifplay -n '__gifplay_in \'\'' -s s -l size -d 'Use at most this many columns and rows, such as 80x24' -x
complete -c gifplay -n '__gifplay_in \'\'' -l inline -d 'Play below the prompt and leave the last frame there'
complete -c gifplay -n '__gifplay_in \'\'' -l leave -d 'Print below the prompt and end; kitty and others repeat the GIF there, others show the last frame'
complete -c gifplay -n '__gifplay_in \'\'' -l follow -d 'Show the newest GIF of a folder, a list or a named pipe as soon as it is written, or that of a URL when it changes' -r -F
complete -c gifplay -n '__gifplay_in \'\'' -l bare -d 'Hide the status line'
complete -c gifplay -n '__gifplay_in \'\'' -s U -l upscale -d 'Enlarge small GIFs (default: yes, except with --inline and --leave)'
complete -c gifplay -n '__gifplay_in \'\'' -l no-upscale -d 'Enlarge small GIFs (default: yes, except with --inline and --leave)'
complete -c gifplay -n '__gifplay_in \'\'' -l pixelated -d 'Scale by nearest neighbour, enlarge by whole factors (for pixel art)'
complete -c gifplay -n '__gifplay_in \'\'' -l mode -d 'Draw with \'half\' blocks, or sharper \'quadrant\', \'sextant\' or \'octant\' if the font has them, or pixels by \'kitty\', \'iterm2\' or \'sixel\' graphics if the terminal reports them (\'sixel!\': in any case); \'auto\' uses the best graphics that the terminal reports (default: half)' -x -a 'half\\t\'1x2 per cell, in every font\' quadrant\\t\'2x2 per cell\' sextant\\t\'2x3 per cell\' octant\\t\'2x4 per cell\' kitty\\t\'pixels in kitty, Ghostty\' iterm2\\t\'pixels in iTerm2, WezTerm\' sixel\\t\'pixels in foot, xterm\' auto\\t\'pixels if the terminal reports them\''
complete -c gifplay -n '__gifplay_in \'\'' -s b -l background -d 'Colour behind transparent pixels, such as #1e1e2e (default: the terminal\'s own)' -x
complete -c gifplay -n '__gifplay_in \'\'' -s l -l loop -d 'Number of loops, or \'forever\' (default: as the file says)' -x -a 'forever\\t\'\''
complete -c gifplay -n '__gifplay_in \'\'' -l speed -d 'Speed from 0.01 to 100; \'max\' plays every frame without waiting (default: 1)' -x -a '0.5\\t\'\' 2\\t\'\' max\\t\'\''
complete -c gifplay -n '__gifplay_in \'\'' -s d -l duration -d 'Stop each GIF after this time, such as 30s or 2m' -x
complete -c gifplay -n '__gifplay_in \'\'' -l every -d 'Time for each random GIF; with several files, for each that loops forever (default: 10s); time between two requests of \'--follow URL\' (default: 1m)' -x
complete -c gifplay -n '__gifplay_in \'\'' -l fidelity -d 'Colour accuracy: \'exact\'; \'standard\' omits differences too small to notice, \'low\' larger ones' -x -a 'exact\\t\'\' standard\\t\'\' low\\t\'\''
complete -c gifplay -n '__gifplay_in \'\'' -l loop-cache -d 'Memory for drawn frames, so that later loops need no decoding; 0 turns it off (default: 8M)' -x
complete -c gifplay -n '__gifplay_in \'\'' -l screensaver -d 'Quit on any key'
complete -c gifplay -n '__gifplay_in \'\'' -l animate -d 'Write all frames, not a still, if the output is not a terminal; with --mode kitty, they repeat there'
complete -c gifplay -n '__gifplay_in \'\'' -l upload -d 'Send the image to this terminal, such as /dev/tty, and write only the characters that show it' -r -F
complete -c gifplay -n '__gifplay_in \'\'' -l color -d '\'auto\' obeys NO_COLOR, \'always\' ignores it (default: auto)' -x -a 'auto\\t\'\' always\\t\'\''
complete -c gifplay -n '__gifplay_in \'\'' -l colors -d 'Colours of the terminal: 24bit, 256, 16, 8, none or auto (default: auto)' -x -a 'auto\\t\'\' 24bit\\t\'\' 256\\t\'\' 16\\t\'\' 8\\t\'\' none\\t\'\''
complete -c gifplay -n '__gifplay_in \'\'' -l dither -d 'Dithering with fewer than 24-bit colours: ordered (a fixed pattern) or none (default: ordered)' -x -a 'none\\t\'\' ordered\\t\'\''
complete -c gifplay -n '__gifplay_in \'\'' -l max-canvas-pixels -d 'Maximum number of pixels in the canvas and in each frame' -x
complete -c gifplay -n '__gifplay_in \'\'' -l max-total-pixels -d 'Maximum number of decoded pixels per loop, plus 128 for each byte of the file (default: none; info: 64M)' -x
complete -c gifplay -n '__gifplay_in \'\'' -l max-bytes -d 'Maximum bytes to read from a file' -x
complete -c gifplay -n '__gifplay_in \'\'' -l max-frames -d 'Maximum frames to play from a file (default: none; info: 1M)' -x
complete -c gifplay -n '__gifplay_in \'\'' -l version -d 'Show the version'
complete -c gifplay -n '__gifplay_in \'\'' -s h -l help -d 'Show help information'
complete -c gifplay -n '__gifplay_in \'\'' -a '(__gifplay_files gif)'
complete -c gifplay -n '__gifplay_in \'play\'' -l file -d 'Play this file even if its name looks like a URL or option' -x -a '(__gifplay_files gif)'
complete -c gifplay -n '__gifplay_in \'play\'' -l files0 -d 'Play the files in this NUL-separated list, as from \'find -print0\'; \'-\' is standard input' -r -F
complete -c gifplay -n '__gifplay_in \'play\'' -l search -d 'Search for this query even if a file has that name' -x
complete -c gifplay -n '__gifplay_in \'play\'' -l no-history -d 'Store only favourites and dismissed GIFs'
complete -c gifplay -n '__gifplay_in \'play\'' -l source -d 'Query only this source; \'gifplay sources\' lists the names' -x -a 'giphy\\t\'\' klipy\\t\'\' commons\\t\'\' emoji\\t\'\' gifcities\\t\'\' openverse\\t\'\' nekos\\t\'\' samples\\t\'\''
complete -c gifplay -n '__gifplay_in \'play\'' -l rating -d 'Strongest content allowed: g, pg, pg-13 or r (default: g)' -x -a 'g\\t\'\' pg\\t\'\' pg-13\\t\'\' r\\t\'\''
complete -c gifplay -n '__gifplay_in \'play\'' -l lang -d 'Language of the query, two letters (default: en)' -x
complete -c gifplay -n '__gifplay_in \'play\'' -l offline -d 'Use no network: search built-in GIFs; random GIFs are built-in or cached (same as GIFPLAY_OFFLINE=1)'
complete -c gifplay -n '__gifplay_in \'play\'' -l reload -d 'Ask the servers of cached GIFs for newer ones'
complete -c gifplay -n '__gifplay_in \'play\'' -l cacert -d 'Trust the certificates in this file instead of the system\'s' -r -F
complete -c gifplay -n '__gifplay_in \'play\'' -l pick -d 'Play only the result with this number' -x
complete -c gifplay -n '__gifplay_in \'play\'' -l random-pick -d 'Play a random result'
complete -c gifplay -n '__gifplay_in \'play\'' -l list -d 'List the results, play nothing'
complete -c gifplay -n '__gifplay_in \'play\'' -l json -d 'With --list: print JSON, one object per line'
complete -c gifplay -n '__gifplay_in \'play\'' -l format -d 'With --list: output format (default: table)' -x -a 'table\\t\'\' json\\t\'\' url\\t\'\''
complete -c gifplay -n '__gifplay_in \'play\'' -s s -l size -d 'Use at most this many columns and rows, such as 80x24' -x
complete -c gifplay -n '__gifplay_in \'play\'' -l inline -d 'Play below the prompt and leave the last frame there'
complete -c gifplay -n '__gifplay_in \'play\'' -l leave -d 'Print below the prompt and end; kitty and others repeat the GIF there, others show the last frame'
complete -c gifplay -n '__gifplay_in \'play\'' -l follow -d 'Show the newest GIF of a folder, a list or a named pipe as soon as it is written, or that of a URL when it changes' -r -F
complete -c gifplay -n '__gifplay_in \'play\'' -l bare -d 'Hide the status line'
complete -c gifplay -n '__gifplay_in \'play\'' -s U -l upscale -d 'Enlarge small GIFs (default: yes, except with --inline and --leave)'
complete -c gifplay -n '__gifplay_in \'play\'' -l no-upscale -d 'Enlarge small GIFs (default: yes, except with --inline and --leave)'
complete -c gifplay -n '__gifplay_in \'play\'' -l pixelated -d 'Scale by nearest neighbour, enlarge by whole factors (for pixel art)'
complete -c gifplay -n '__gifplay_in \'play\'' -l mode -d 'Draw with \'half\' blocks, or sharper \'quadrant\', \'sextant\' or \'octant\' if the font has them, or pixels by \'kitty\', \'iterm2\' or \'sixel\' graphics if the terminal reports them (\'sixel!\': in any case); \'auto\' uses the best graphics that the terminal reports (default: half)' -x -a 'half\\t\'1x2 per cell, in every font\' quadrant\\t\'2x2 per cell\' sextant\\t\'2x3 per cell\' octant\\t\'2x4 per cell\' kitty\\t\'pixels in kitty, Ghostty\' iterm2\\t\'pixels in iTerm2, WezTerm\' sixel\\t\'pixels in foot, xterm\' auto\\t\'pixels if the terminal reports them\''
complete -c gifplay -n '__gifplay_in \'play\'' -s b -l background -d 'Colour behind transparent pixels, such as #1e1e2e (default: the terminal\'s own)' -x
complete -c gifplay -n '__gifplay_in \'play\'' -s l -l loop -d 'Number of loops, or \'forever\' (default: as the file says)' -x -a 'forever\\t\'\''
complete -c gifplay -n '__gifplay_in \'play\'' -l speed -d 'Speed from 0.01 to 100; \'max\' plays every frame without waiting (default: 1)' -x -a '0.5\\t\'\' 2\\t\'\' max\\t\'\''
complete -c gifplay -n '__gifplay_in \'play\'' -s d -l duration -d 'Stop each GIF after this time, such as 30s or 2m' -x
complete -c gifplay -n '__gifplay_in \'play\'' -l every -d 'Time for each random GIF; with several files, for each that loops forever (default: 10s); time between two requests of \'--follow URL\' (default: 1m)' -x
complete -c gifplay -n '__gifplay_in \'play\'' -l fidelity -d 'Colour accuracy: \'exact\'; \'standard\' omits differences too small to notice, \'low\' larger ones' -x -a 'exact\\t\'\' standard\\t\'\' low\\t\'\''
complete -c gifplay -n '__gifplay_in \'play\'' -l loop-cache -d 'Memory for drawn frames, so that later loops need no decoding; 0 turns it off (default: 8M)' -x
complete -c gifplay -n '__gifplay_in \'play\'' -l screensaver -d 'Quit on any key'
complete -c gifplay -n '__gifplay_in \'play\'' -l animate -d 'Write all frames, not a still, if the output is not a terminal; with --mode kitty, they repeat there'
complete -c gifplay -n '__gifplay_in \'play\'' -l upload -d 'Send the image to this terminal, such as /dev/tty, and write only the characters that show it' -r -F
complete -c gifplay -n '__gifplay_in \'play\'' -l color -d '\'auto\' obeys NO_COLOR, \'always\' ignores it (default: auto)' -x -a 'auto\\t\'\' always\\t\'\''
complete -c gifplay -n '__gifplay_in \'play\'' -l colors -d 'Colours of the terminal: 24bit, 256, 16, 8, none or auto (default: auto)' -x -a 'auto\\t\'\' 24bit\\t\'\' 256\\t\'\' 16\\t\'\' 8\\t\'\' none\\t\'\''
complete -c gifplay -n '__gifplay_in \'play\'' -l dither -d 'Dithering with fewer than 24-bit colours: ordered (a fixed pattern) or none (default: ordered)' -x -a 'none\\t\'\' ordered\\t\'\''
complete -c gifplay -n '__gifplay_in \'play\'' -l max-canvas-pixels -d 'Maximum number of pixels in the canvas and in each frame' -x
complete -c gifplay -n '__gifplay_in \'play\'' -l max-total-pixels -d 'Maximum number of decoded pixels per loop, plus 128 for each byte of the file (default: none; info: 64M)' -x
complete -c gifplay -n '__gifplay_in \'play\'' -l max-bytes -d 'Maximum bytes to read from a file' -x
complete -c gifplay -n '__gifplay_in \'play\'' -l max-frames -d 'Maximum frames to play from a file (default: none; info: 1M)' -x
complete -c gifplay -n '__gifplay_in \'play\'' -l version -d 'Show the version'
complete -c gifplay -n '__gifplay_in \'play\'' -s h -l help -d 'Show help information'
complete -c gifplay -n '__gifplay_in \'play\'' -a '(__gifplay_files gif)'
complete -c gifplay -n '__gifplay_in \'info\'' -l json -d 'Print JSON even if the output is a terminal'
complete -c gifplay -n '__gifplay_in \'info\'' -l max-canvas-pixels -d 'Maximum number of pixels in the canvas and in each frame' -x
complete -c gifplay -n '__gifplay_in \'info\'' -l max-total-pixels -d 'Maximum number of decoded pixels per loop, plus 128 for each byte of the file (default: none; info: 64M)' -x
complete -c gifplay -n '__gifplay_in \'info\'' -l max-bytes -d 'Maximum bytes to read from a file' -x
complete -c gifplay -n '__gifplay_in \'info\'' -l max-frames -d 'Maximum frames to play from a file (default: none; info: 1M)' -x
complete -c gifplay -n '__gifplay_in \'info\'' -l version -d 'Show the version'
complete -c gifplay -n '__gifplay_in \'info\'' -s h -l help -d 'Show help information'
complete -c gifplay -n '__gifplay_in \'info\'' -a '(__gifplay_files gif)'
complete -c gifplay -n '__gifplay_in \'samples\'' -l version -d 'Show the version'
complete -c gifplay -n '__gifplay_in \'samples\'' -s h -l help -d 'Show help information'
complete -c gifplay -n '__gifplay_in \'sources\'' -l source -d 'Query only this source; \'gifplay sources\' lists the names' -x -a 'giphy\\t\'\' klipy\\t\'\' commons\\t\'\' emoji\\t\'\' gifcities\\t\'\' openverse\\t\'\' nekos\\t\'\' samples\\t\'\''
complete -c gifplay -n '__gifplay_in \'sources\'' -l rating -d 'Strongest content allowed: g, pg, pg-13 or r (default: g)' -x -a 'g\\t\'\' pg\\t\'\' pg-13\\t\'\' r\\t\'\''
complete -c gifplay -n '__gifplay_in \'sources\'' -l lang -d 'Language of the query, two letters (default: en)' -x
complete -c gifplay -n '__gifplay_in \'sources\'' -l offline -d 'Use no network: search built-in GIFs; random GIFs are built-in or cached (same as GIFPLAY_OFFLINE=1)'
complete -c gifplay -n '__gifplay_in \'sources\'' -l reload -d 'Ask the servers of cached GIFs for newer ones'
complete -c gifplay -n '__gifplay_in \'sources\'' -l cacert -d 'Trust the certificates in this file instead of the system\'s' -r -F
complete -c gifplay -n '__gifplay_in \'sources\'' -l version -d 'Show the version'
complete -c gifplay -n '__gifplay_in \'sources\'' -s h -l help -d 'Show help information'
complete -c gifplay -n '__gifplay_in \'cache\'' -l clear -d 'Delete all cached files'
complete -c gifplay -n '__gifplay_in \'cache\'' -l version -d 'Show the version'
complete -c gifplay -n '__gifplay_in \'cache\'' -s h -l help -d 'Show help information'
complete -c gifplay -n '__gifplay_in \'browse\'' -s r -l recursive -d 'Show the GIFs of subfolders too'
complete -c gifplay -n '__gifplay_in \'browse\'' -l files0 -d 'Show the files in this NUL-separated list, as from \'find -print0\'; \'-\' is standard input' -r -F
complete -c gifplay -n '__gifplay_in \'browse\'' -l search -d 'Search for this query even if a file has that name' -x
complete -c gifplay -n '__gifplay_in \'browse\'' -l reduced-motion -d 'Animate only the selected GIF; no random GIFs when idle'
complete -c gifplay -n '__gifplay_in \'browse\'' -l mode -d 'Draw with \'half\' blocks, or sharper \'quadrant\', \'sextant\' or \'octant\' if the font has them, or pixels by \'kitty\', \'iterm2\' or \'sixel\' graphics if the terminal reports them (\'sixel!\': in any case); \'auto\' uses the best graphics that the terminal reports (default: half)' -x -a 'half\\t\'1x2 per cell, in every font\' quadrant\\t\'2x2 per cell\' sextant\\t\'2x3 per cell\' octant\\t\'2x4 per cell\' kitty\\t\'pixels in kitty, Ghostty\' iterm2\\t\'pixels in iTerm2, WezTerm\' sixel\\t\'pixels in foot, xterm\' auto\\t\'pixels if the terminal reports them\''
complete -c gifplay -n '__gifplay_in \'browse\'' -l plain -d 'Print the results line by line, for screen readers and scripts'
complete -c gifplay -n '__gifplay_in \'browse\'' -l print -d 'Let the user choose a GIF, and print its \'url\', its \'page\', the path of its saved \'file\', or \'markdown\' (default: url if the output is not a terminal)' -x -a 'url\\t\'\' page\\t\'\' file\\t\'\' markdown\\t\'\''
complete -c gifplay -n '__gifplay_in \'browse\'' -l color -d '\'auto\' obeys NO_COLOR, \'always\' ignores it (default: auto)' -x -a 'auto\\t\'\' always\\t\'\''
complete -c gifplay -n '__gifplay_in \'browse\'' -l colors -d 'Colours of the terminal: 24bit, 256, 16, 8, none or auto (default: auto)' -x -a 'auto\\t\'\' 24bit\\t\'\' 256\\t\'\' 16\\t\'\' 8\\t\'\' none\\t\'\''
complete -c gifplay -n '__gifplay_in \'browse\'' -l dither -d 'Dithering with fewer than 24-bit colours: ordered (a fixed pattern) or none (default: ordered)' -x -a 'none\\t\'\' ordered\\t\'\''
complete -c gifplay -n '__gifplay_in \'browse\'' -l source -d 'Query only this source; \'gifplay sources\' lists the names' -x -a 'giphy\\t\'\' klipy\\t\'\' commons\\t\'\' emoji\\t\'\' gifcities\\t\'\' openverse\\t\'\' nekos\\t\'\' samples\\t\'\''
complete -c gifplay -n '__gifplay_in \'browse\'' -l rating -d 'Strongest content allowed: g, pg, pg-13 or r (default: g)' -x -a 'g\\t\'\' pg\\t\'\' pg-13\\t\'\' r\\t\'\''
complete -c gifplay -n '__gifplay_in \'browse\'' -l lang -d 'Language of the query, two letters (default: en)' -x
complete -c gifplay -n '__gifplay_in \'browse\'' -l offline -d 'Use no network: search built-in GIFs; random GIFs are built-in or cached (same as GIFPLAY_OFFLINE=1)'
complete -c gifplay -n '__gifplay_in \'browse\'' -l reload -d 'Ask the servers of cached GIFs for newer ones'
complete -c gifplay -n '__gifplay_in \'browse\'' -l cacert -d 'Trust the certificates in this file instead of the system\'s' -r -F
complete -c gifplay -n '__gifplay_in \'browse\'' -l no-history -d 'Store only favourites and dismissed GIFs'
complete -c gifplay -n '__gifplay_in \'browse\'' -l version -d 'Show the version'
complete -c gifplay -n '__gifplay_in \'browse\'' -s h -l help -d 'Show help information'
complete -c gifplay -n '__gifplay_in \'browse\'' -a '(__gifplay_files gif)'
complete -c gifplay -n '__gifplay_in \'library\' 2' -a list -d 'List favourites, history and dismissed GIFs, newest first'
complete -c gifplay -n '__gifplay_in \'library\' 2' -a export -d 'Write favourites, history and dismissed GIFs as JSON'
complete -c gifplay -n '__gifplay_in \'library\' 2' -a import -d 'Add the content of an export; nothing is removed'
complete -c gifplay -n '__gifplay_in \'library\' 2' -a clear -d 'Delete history, searches and result lists, and overwrite them on disk'
complete -c gifplay -n '__gifplay_in \'library\'' -l favourites -d 'List only favourites'
complete -c gifplay -n '__gifplay_in \'library\'' -l history -d 'List only viewed GIFs'
complete -c gifplay -n '__gifplay_in \'library\'' -l dismissed -d 'List only dismissed GIFs'
complete -c gifplay -n '__gifplay_in \'library\'' -l json -d 'Print JSON, one object per line'
complete -c gifplay -n '__gifplay_in \'library\'' -l version -d 'Show the version'
complete -c gifplay -n '__gifplay_in \'library\'' -s h -l help -d 'Show help information'
complete -c gifplay -n '__gifplay_in \'library list\'' -l favourites -d 'List only favourites'
complete -c gifplay -n '__gifplay_in \'library list\'' -l history -d 'List only viewed GIFs'
complete -c gifplay -n '__gifplay_in \'library list\'' -l dismissed -d 'List only dismissed GIFs'
complete -c gifplay -n '__gifplay_in \'library list\'' -l json -d 'Print JSON, one object per line'
complete -c gifplay -n '__gifplay_in \'library list\'' -l version -d 'Show the version'
complete -c gifplay -n '__gifplay_in \'library list\'' -s h -l help -d 'Show help information'
complete -c gifplay -n '__gifplay_in \'library export\'' -l version -d 'Show the version'
complete -c gifplay -n '__gifplay_in \'library export\'' -s h -l help -d 'Show help information'
complete -c gifplay -n '__gifplay_in \'library export\'' -F
complete -c gifplay -n '__gifplay_in \'library import\'' -l version -d 'Show the version'
complete -c gifplay -n '__gifplay_in \'library import\'' -s h -l help -d 'Show help information'
complete -c gifplay -n '__gifplay_in \'library import\'' -F
complete -c gifplay -n '__gifplay_in \'library clear\'' -l all -d 'Delete favourites and dismissed GIFs too; asks first'
complete -c gifplay -n '__gifplay_in \'library clear\'' -l yes -d 'With --all: do not ask; required without a terminal'
complete -c gifplay -n '__gifplay_in \'library clear\'' -l version -d 'Show the version'
complete -c gifplay -n '__gifplay_in \'library clear\'' -s h -l help -d 'Show help information'
complete -c gifplay -n '__gifplay_in \'record\'' -s o -l output -d 'Output file, or \'-\' for standard output' -r -F
complete -c gifplay -n '__gifplay_in \'record\'' -l format -d 'Output format (default: from the ending of the file name)' -x -a 'cast\\t\'\' svg\\t\'\''
complete -c gifplay -n '__gifplay_in \'record\'' -l file -d 'Record this file even if its name looks like a URL or option' -x -a '(__gifplay_files gif)'
complete -c gifplay -n '__gifplay_in \'record\'' -l search -d 'Search for this query even if a file has that name' -x
complete -c gifplay -n '__gifplay_in \'record\'' -l pick -d 'Record only the result with this number' -x
complete -c gifplay -n '__gifplay_in \'record\'' -s s -l size -d 'Use at most this many columns and rows (default: 80x24)' -x
complete -c gifplay -n '__gifplay_in \'record\'' -s l -l loop -d 'Number of loops, or \'forever\' (default: 1 in a cast; in an SVG, that of the GIF)' -x -a 'forever\\t\'\''
complete -c gifplay -n '__gifplay_in \'record\'' -s d -l duration -d 'Stop the recording after this time, such as 30s' -x
complete -c gifplay -n '__gifplay_in \'record\'' -l speed -d 'Speed from 0.01 to 100 (default: 1)' -x -a '0.5\\t\'\' 2\\t\'\''
complete -c gifplay -n '__gifplay_in \'record\'' -s b -l background -d 'Colour behind transparent pixels, such as #1e1e2e (default: the terminal\'s own; black in an SVG)' -x
complete -c gifplay -n '__gifplay_in \'record\'' -l fidelity -d 'Colour accuracy: \'exact\'; \'standard\' omits differences too small to notice, \'low\' larger ones' -x -a 'exact\\t\'\' standard\\t\'\' low\\t\'\''
complete -c gifplay -n '__gifplay_in \'record\'' -s U -l upscale -d 'Enlarge small GIFs (default: yes)'
complete -c gifplay -n '__gifplay_in \'record\'' -l no-upscale -d 'Enlarge small GIFs (default: yes)'
complete -c gifplay -n '__gifplay_in \'record\'' -l pixelated -d 'Scale by nearest neighbour, enlarge by whole factors (for pixel art)'
complete -c gifplay -n '__gifplay_in \'record\'' -l source -d 'Query only this source; \'gifplay sources\' lists the names' -x -a 'giphy\\t\'\' klipy\\t\'\' commons\\t\'\' emoji\\t\'\' gifcities\\t\'\' openverse\\t\'\' nekos\\t\'\' samples\\t\'\''
complete -c gifplay -n '__gifplay_in \'record\'' -l rating -d 'Strongest content allowed: g, pg, pg-13 or r (default: g)' -x -a 'g\\t\'\' pg\\t\'\' pg-13\\t\'\' r\\t\'\''
complete -c gifplay -n '__gifplay_in \'record\'' -l lang -d 'Language of the query, two letters (default: en)' -x
complete -c gifplay -n '__gifplay_in \'record\'' -l offline -d 'Use no network: search built-in GIFs; random GIFs are built-in or cached (same as GIFPLAY_OFFLINE=1)'
complete -c gifplay -n '__gifplay_in \'record\'' -l reload -d 'Ask the servers of cached GIFs for newer ones'
complete -c gifplay -n '__gifplay_in \'record\'' -l cacert -d 'Trust the certificates in this file instead of the system\'s' -r -F
complete -c gifplay -n '__gifplay_in \'record\'' -l max-canvas-pixels -d 'Maximum number of pixels in the canvas and in each frame' -x
complete -c gifplay -n '__gifplay_in \'record\'' -l max-total-pixels -d 'Maximum number of decoded pixels per loop, plus 128 for each byte of the file (default: none; info: 64M)' -x
complete -c gifplay -n '__gifplay_in \'record\'' -l max-bytes -d 'Maximum bytes to read from a file' -x
complete -c gifplay -n '__gifplay_in \'record\'' -l max-frames -d 'Maximum frames to play from a file (default: none; info: 1M)' -x
complete -c gifplay -n '__gifplay_in \'record\'' -l version -d 'Show the version'
complete -c gifplay -n '__gifplay_in \'record\'' -s h -l help -d 'Show help information'
complete -c gifplay -n '__gifplay_in \'record\'' -a '(__gifplay_files gif)'
complete -c gifplay -n '__gifplay_in \'doctor\'' -l json -d 'Print JSON, one object per line'
complete -c gifplay -n '__gifplay_in \'doctor\'' -l picture -d 'Draw a test picture in the best mode of the terminal'
complete -c gifplay -n '__gifplay_in \'doctor\'' -l source -d 'Query only this source; \'gifplay sources\' lists the names' -x -a 'giphy\\t\'\' klipy\\t\'\' commons\\t\'\' emoji\\t\'\' gifcities\\t\'\' openverse\\t\'\' nekos\\t\'\' samples\\t\'\''
complete -c gifplay -n '__gifplay_in \'doctor\'' -l rating -d 'Strongest content allowed: g, pg, pg-13 or r (default: g)' -x -a 'g\\t\'\' pg\\t\'\' pg-13\\t\'\' r\\t\'\''
complete -c gifplay -n '__gifplay_in \'doctor\'' -l lang -d 'Language of the query, two letters (default: en)' -x
complete -c gifplay -n '__gifplay_in \'doctor\'' -l offline -d 'Use no network: search built-in GIFs; random GIFs are built-in or cached (same as GIFPLAY_OFFLINE=1)'
complete -c gifplay -n '__gifplay_in \'doctor\'' -l reload -d 'Ask the servers of cached GIFs for newer ones'
complete -c gifplay -n '__gifplay_in \'doctor\'' -l cacert -d 'Trust the certificates in this file instead of the system\'s' -r -F
complete -c gifplay -n '__gifplay_in \'doctor\'' -l version -d 'Show the version'
complete -c gifplay -n '__gifplay_in \'doctor\'' -s h -l help -d 'Show help information'
complete -c gifplay -n '__gifplay_in \'version\'' -l version -d 'Show the version'
complete -c gifplay -n '__gifplay_in \'version\'' -s h -l help -d 'Show help information'
complete -c gifplay -n '__gifplay_in \'help\'' -l version -d 'Show the version'
complete -c gifplay -n '__gifplay_in \'help\'' -a 'play\\t\'\' info\\t\'\' samples\\t\'\' sources\\t\'\' cache\\t\'\' browse\\t\'\' library\\t\'\' record\\t\'\' doctor\\t\'\' version\\t\'\' help\\t\'\''

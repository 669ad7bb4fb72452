# Written by gifplay --generate complete-fish; do not edit.

# Succeeds if the command line selects this command; with a second argument, only if the command line has that many
# words before the cursor.
function __gifplay_in
    set -l words (commandline -opc)
    set -q argv[2]; and test (count $words) -ne $argv[2]; and return 1
    set -l selected ''
    contains -- "$words[2]" @commands; and set selected $words[2]
    contains -- "$words[2] $words[3]" @nested; and set selected "$words[2] $words[3]"
    test "$selected" = "$argv[1]"
end

# Prints the files with this extension, in lower or upper case, and the folders that complete the current word.
function __gifplay_files
    set -l word (commandline -ct)
    complete -C "__fish_command_without_completions $word" | string match -eri -- "(?:\.$argv[1]|/)\$"
end

complete -c gifplay -f
@lines

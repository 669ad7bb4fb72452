# Completes the command line of gifplay: the program prints the words.

# Prints the files with this extension, in lower or upper case, and the folders that complete the current word.
function __gifplay_files
    set -l word (commandline -ct)
    complete -C "__fish_command_without_completions $word" | string match -eri -- "(?:\.$argv[1]|/)\$"
end

function __gifplay_candidates
    set -l words (commandline -opc)
    set -l program $words[1]
    set -e words[1]
    set -l word (commandline -ct)
    set -l prefix ''
    if string match -q -- '--*=*' $word
        set -a words (string replace -r '=.*' '' -- $word)
        set prefix (string replace -r '=.*' '=' -- $word)
        set word ''
    end
    for line in ($program --complete $words "$word" 2>/dev/null)
        switch $line
            case :gifs
                __gifplay_files gif
            case :files
                __fish_complete_path (commandline -ct)
            case '*'
                echo -- $prefix$line
        end
    end
end

complete -c gifplay -f -a '(__gifplay_candidates)'

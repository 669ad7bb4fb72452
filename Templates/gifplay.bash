# Written by gifplay --generate complete-bash; do not edit.

_gifplay_words() {
    COMPREPLY+=($(compgen -W "$*" -- "$cur"))
}

# Completes files with this extension and folders; all files without an extension.
_gifplay_files() {
    if declare -F _filedir >/dev/null; then
        _filedir "$@"
        return
    fi
    compopt -o filenames
    local found
    mapfile -t found < <(
        compgen -f ${1:+-X "!*.$1"} -- "$cur"
        [[ -z ${1-} ]] || compgen -f -X "!*.${1^^}" -- "$cur"
        compgen -d -- "$cur"
    )
    COMPREPLY+=("${found[@]}")
}

_gifplay() {
    local cur=$2 prev=$3 command=''
    # bash splits --option=value into three words.
    if [[ $cur == = ]]; then
        cur=''
    elif [[ $prev == = ]]; then
        prev=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    if ((COMP_CWORD > 1)); then
        case ${COMP_WORDS[1]} in @patterns) command=${COMP_WORDS[1]} ;; esac
    fi
    if ((COMP_CWORD > 2)); then
        case "$command ${COMP_WORDS[2]}" in @alternatives) command+=" ${COMP_WORDS[2]}" ;; esac
    fi
    case $command in
@lines
    esac
}

complete -F _gifplay gifplay

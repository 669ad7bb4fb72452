# shellcheck shell=bash
# Sourced by the scripts that install or build. They set $root, the folder of the project.

# The oldest Swift that Package.swift accepts.
# shellcheck disable=SC2154
needed_swift=$(sed -n '1s/.*swift-tools-version: *//p' "$root/Package.swift")

# Succeeds if a swift command exists and is new enough.
is_new_enough() {
    local version
    version=$("$1" --version 2>/dev/null | sed -n 's/.*Swift version \([0-9][0-9.]*\).*/\1/p')
    [ -n "$version" ] && printf '%s\n' "$needed_swift" "$version" | sort -CV
}

# Use the system's own Swift if the one in PATH is missing or too old.
if ! is_new_enough swift && is_new_enough /usr/bin/swift; then PATH=/usr/bin:$PATH; fi

# Runs a command with its output in a log: step TEXT LOG COMMAND... Prints one line with the elapsed time, and on a
# terminal meanwhile how far the log is: "[N/M]" of swift, or the percentage of apt's status lines. If the command fails,
# prints the end of the log and its path.
step() {
    local text="scripts/${0##*scripts/}: $1" log=$2 start=$SECONDS pid status=0 progress=''
    mkdir -p "${log%/*}"
    "${@:3}" >"$log" 2>&1 </dev/null &
    pid=$!
    trap 'kill "$pid" 2>/dev/null || true' INT TERM
    if [ -t 2 ]; then
        while kill -0 "$pid" 2>/dev/null; do
            progress=$(sed -nE 's|^(\[[0-9]+/[0-9]+\]).*|\1|p; s/^dlstatus:[^ ]*:([0-9]+)\.[0-9]+:.*/downloaded \1%/p
                s/^pmstatus:[^ ]*:([0-9]+)\.[0-9]+:.*/installed \1%/p' "$log" | tail -n 1)
            printf '\r%s: %d s %s\e[K' "$text" $((SECONDS - start)) "$progress" >&2
            sleep 0.5
        done
        printf '\r\e[K' >&2
    else
        echo "$text" >&2
    fi
    wait "$pid" || status=$?
    trap - INT TERM
    if [ "$status" -eq 0 ]; then
        [ -t 2 ] && echo "$text: done in $((SECONDS - start)) s" >&2
        return 0
    fi
    grep -vE '^(dl|pm)status:' "$log" | tail -n 20 >&2
    echo "$text: failed with status $status after $((SECONDS - start)) s; the whole output is in $log" >&2
    return "$status"
}

# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Completion of assay in fish: source this file. Subcommands and flags are read from --help.
function __assay_subcommands
    assay --help 2>/dev/null | sed -n 's/^  \([a-z][a-z-]*\)   *\(.*\)/\1\t\2/p'
end

function __assay_flags
    set -l words (string match -v -- '-*' (commandline -opc)[2..])
    assay $words --help 2>/dev/null | grep -oE -- '(^|[ ,])--[a-z][a-z0-9_-]+' | tr -d ' ,' | sort -u
end

complete -c assay -f -n __fish_use_subcommand -a '(__assay_subcommands)'
complete -c assay -n 'not __fish_use_subcommand; and string match -q -- "-*" (commandline -ct)' -a '(__assay_flags)'
complete -c assay -l plan -x -a "(assay run --help 2>/dev/null | sed -n '/^  --plan /s/.*one of: \([a-z -]*\).*/\1/p' | tr ' ' '\n') (__fish_complete_suffix .toml)"
complete -c assay -l filter -x -a '(assay list --format names 2>/dev/null)'

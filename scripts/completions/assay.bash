# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Completion of assay in bash: source this file. Subcommands, flags and their words are read from --help, case names
# from `assay list --format names`, so that this file need not know them.

# Subcommands: the first words of the lines under "Subcommands:".
_assay_subcommands() { # program
  "$1" --help 2>/dev/null | sed -n '/^[A-Za-z]*[Ss]ubcommands:/,/^$/s/^  \([a-z][a-z-]*\).*/\1/p'
}

_assay_flags() { # program subcommand
  "$1" ${2:+"$2"} --help 2>/dev/null | grep -oE -- '(^|[ ,])--[a-z][a-z-]+' | tr -d ' ,' | sort -u
}

# The words a flag takes, where its help line lists them: "--format TEXT:{text,json}".
_assay_words() { # program subcommand flag
  "$1" ${2:+"$2"} --help 2>/dev/null | grep -E -- "(^|[ ,])$3( |\$)" | sed -n 's/.*{\([^}]*\)}.*/\1/p' | tr ',' '\n'
}

# The words a positional takes: "table TABLE:{card,runs}" under "Positionals:".
_assay_positionals() { # program subcommand
  "$1" "$2" --help 2>/dev/null | sed -n '/^Positionals:/,/^$/s/.*{\([^}]*\)}.*/\1/p' | tr ',' '\n'
}

_assay_values() { # program subcommand flag word
  case $3 in
  --plan)
    printf 'quick\nfull\nburn-in\ncalibration\n'
    compgen -f -X '!*.toml' -- "$4"
    compgen -d -S / -- "$4"
    ;;
  --filter | --case) "$1" list --format names 2>/dev/null ;;
  --store | --out | --output) compgen -f -- "$4" ;;
  *) _assay_words "$1" "$2" "$3" ;;
  esac
  return 0 # compgen fails where nothing matches
}

_assay() {
  local program=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
  local subcommand='' index
  for ((index = 1; index < COMP_CWORD; index++)); do
    [[ ${COMP_WORDS[index]} == -* ]] && continue
    subcommand=${COMP_WORDS[index]}
    break
  done
  local choices
  if [[ $word == -* ]]; then
    choices=$(_assay_flags "$program" "$subcommand")
  elif [[ $previous == --* ]] && choices=$(_assay_values "$program" "$subcommand" "$previous" "$word") && [[ $choices ]]; then
    :
  elif [[ -z $subcommand ]]; then
    choices=$(_assay_subcommands "$program")
  else
    choices=$(_assay_positionals "$program" "$subcommand")
    [[ $choices ]] || choices=$(compgen -f -- "$word")
  fi
  mapfile -t COMPREPLY < <(compgen -W "$choices" -- "$word")
}

complete -o filenames -F _assay assay

# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Completion of assay in bash: source this file. Subcommands, flags and their words are read from --help, case names
# from `assay list --format names`, so that this file need not know them.

# A subcommand may be several words ("fabric simulate"), which zsh would not split.
_assay_help() { # program subcommand
  printf '%s --help' "$2" | xargs "$1" 2>/dev/null
}

# Subcommands, where the usage asks for one: the first words of the lines of each group.
_assay_subcommands() { # program subcommand
  _assay_help "$1" "$2" | awk '/^Usage:/ { on = /SUBCOMMAND/ } on && /^  [a-z][a-z-]*  / { print $1 }'
}

_assay_flags() { # program subcommand
  _assay_help "$1" "$2" | grep -oE -- '(^|[ ,])--[a-z][a-z0-9_-]+' | tr -d ' ,' | sort -u
}

# The words a flag takes, where its help line lists them: "--format TEXT:{text,json}".
_assay_words() { # program subcommand flag
  _assay_help "$1" "$2" | grep -E -- "(^|[ ,])$3( |\$)" | sed -n 's/.*{\([^}]*\)}.*/\1/p' | tr ',' '\n'
}

# The words a positional takes: "table TABLE:{card,runs}" under "Positionals:".
_assay_positionals() { # program subcommand
  _assay_help "$1" "$2" | sed -n '/^Positionals:/,/^$/s/.*{\([^}]*\)}.*/\1/p' | tr ',' '\n'
}

# Of `assay`, or of a module's own program.
_assay_case_names() { # program
  if [[ ${1##*/} == assay-* ]]; then "$1" --list names; else "$1" list --format names; fi 2>/dev/null
}

_assay_values() { # program subcommand flag word
  case $3 in
  --plan)
    _assay_help "$1" "$2" | sed -n '/^  --plan /s/.*one of: \([a-z -]*\).*/\1/p' | tr ' ' '\n'
    compgen -f -X '!*.toml' -- "$4"
    compgen -d -S / -- "$4"
    ;;
  --filter | --case) _assay_case_names "$1" 2>/dev/null ;;
  --store | --out | --output) compgen -f -- "$4" ;;
  *) _assay_words "$1" "$2" "$3" ;;
  esac
  return 0 # compgen fails where nothing matches
}

_assay() {
  local program=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
  local subcommand='' known index
  known=$(_assay_subcommands "$program" '') # a module's own program has none
  for ((index = 1; index < COMP_CWORD; index++)); do
    [[ -z $known || ${COMP_WORDS[index]} == -* ]] && continue
    if [[ -z $subcommand ]] || grep -qxF -- "${COMP_WORDS[index]}" <<<"$known"; then
      subcommand+="${subcommand:+ }${COMP_WORDS[index]}"
      known=$(_assay_subcommands "$program" "$subcommand")
    fi
  done
  local choices
  if [[ $word == -* ]]; then
    choices=$(_assay_flags "$program" "$subcommand")
  elif [[ $previous == --* ]] && choices=$(_assay_values "$program" "$subcommand" "$previous" "$word") && [[ $choices ]]; then
    :
  elif [[ $known ]]; then
    choices=$known
  else
    choices=$(_assay_positionals "$program" "$subcommand")
    [[ $choices ]] || choices=$(compgen -f -- "$word")
  fi
  local IFS=$'\n'
  # shellcheck disable=SC2207 # zsh has no mapfile
  COMPREPLY=($(compgen -W "$choices" -- "$word"))
}

complete -o filenames -F _assay assay assay-memory assay-gemm assay-offload assay-rdma assay-collectives

#!/usr/bin/env bash
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# refuses_unknown_flag.sh SCRIPT: an unknown flag must end with status 2 and one line that names script and flag.
set -uo pipefail
script=$1
status=0
said=$("$script" --no-such-flag 2>&1 </dev/null) || status=$?
echo "$said"
if [[ $status != 2 ]]; then
  echo "expected exit status 2, got $status"
  exit 1
fi
if [[ $said == *$'\n'* || $said != *"$(basename "$script")"* || $said != *--no-such-flag* ]]; then
  echo "expected one line naming the script and the flag"
  exit 1
fi

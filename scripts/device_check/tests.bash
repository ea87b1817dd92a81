# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Tests of assay-device-check: one at a time, since tests that share a GPU disturb each other's clocks.
# shellcheck shell=bash disable=SC2034,SC2154

probe_test=CudaOnDevice.AQueryOfUnfinishedWorkStaysTheLastErrorUntilItIsCleared
# Patterns of tests that have never run on a GPU: they come first.
never_on_a_gpu=('NcclOnAGpu.*' 'DomainOnAGpu.*' 'DeviceReduce.*' 'DeviceAverage.*' 'MemoryOnDevice.ALoadOverALink*' 'DeviceGemmTest.*')
queue=() # "program name", from the first do_tests on
queued=no

names_in() { limited 60 "$1" --gtest_list_tests | awk '/^[^ ]+\.($| )/ { suite = $1; next } /^  / && (suite $1) !~ /DISABLED_/ { print suite $1 }'; }

# GoogleTest prints "file:line: Skipped" and the reason on the next line.
reason_skipped() { awk 'previous ~ /: Skipped$/ { print; exit } { previous = $0 }' "$1"; }

outcome_of() { # exit status, what it said, how long it was given
  if (($1 == 124 || $1 == 137)); then
    if (($3 < limit)); then echo "stopped after $3 s, when the time of its step was used up"; else echo "failed took longer than $limit s, or was killed"; fi
  elif (($1 != 0)); then
    echo "failed exit status $1, see device-check.log"
  elif grep -q '^\[  SKIPPED \] 1 test' "$2"; then
    echo "skipped $(reason_skipped "$2")"
  elif grep -q '^\[  PASSED  \] 1 test' "$2"; then
    echo "passed"
  else
    echo "failed ended well and ran nothing, see device-check.log"
  fi
}

tell_test() { echo "$1" | tee -a "$results"; }

# In a process of its own: a fault of the GPU takes the process's context with it, and would fail all that come after.
run_test() { # program, name
  local said status=0 outcome reason seconds=$((deadline - $(now)))
  ((seconds < limit)) || seconds=$limit
  said=$(mktemp)
  ASSAY_BIN_DIR=$programs limited "$seconds" "$1" --gtest_filter="$2" >"$said" 2>&1 || status=$?
  read -r outcome reason <<<"$(outcome_of "$status" "$said" "$seconds")"
  tell_test "$outcome $2${reason:+: $reason}"
  { printf -- '-- %s\n' "$2" && cat "$said"; } >>"$log"
  rm "$said"
}

is_new() {
  local pattern
  for pattern in "${never_on_a_gpu[@]}"; do
    # shellcheck disable=SC2053
    [[ $1 != $pattern ]] || return 0
  done
  return 1
}

fill_queue() {
  local program names name rest=()
  for program in "$tests"/*; do
    names=$(names_in "$program" 2>>"$log") || names=""
    [[ -n $names ]] || tell_test "failed $(basename "$program"): does not start, see device-check.log"
    for name in $names; do
      if [[ $name == "$probe_test" ]]; then
        continue
      elif is_new "$name"; then
        queue+=("$program $name")
      else
        rest+=("$program $name")
      fi
    done
  done
  queue+=("${rest[@]}")
  queued=yes
}

count() { grep -c "^$1 " "$results" || true; }

do_tests() { # `first`, where a later step runs what is left
  local test passed failed
  [[ $queued == yes ]] || fill_queue
  while ((${#queue[@]} > 0 && $(now) < deadline)) && [[ -z $interrupted ]]; do
    test=${queue[0]}
    queue=("${queue[@]:1}")
    run_test "${test% *}" "${test##* }"
  done
  passed=$(count passed) failed=$(count failed)
  why="$passed passed, $failed failed, $(count skipped) skipped, $(($(count stopped) + ${#queue[@]})) not run"
  if ((failed > 0)); then
    fails "$why"
  elif ((${#queue[@]} == 0 && passed == 0 && $(count stopped) == 0)); then
    unusable=yes
    lacks "$why: no test could run on this machine"
  elif [[ ${1-} != first ]] && (($(count stopped) + ${#queue[@]} > 0)); then
    stops "$why"
  fi
}

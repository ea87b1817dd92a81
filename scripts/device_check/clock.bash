# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Time of assay-device-check: steps with deadlines, commands that end by them, and what became of each step.
# shellcheck shell=bash disable=SC2034,SC2154

for_ever=100000000
grace_s=3 # between asking a command to end and killing it
running='' interrupted='' unusable=no
session=()
! command -v setsid >/dev/null || session=(setsid)
verdicts=()

# Whole seconds that only rise. A test has a file of its own in place of the kernel's.
now() {
  local seconds
  read -r seconds _ <"${ASSAY_DEVICE_CHECK_CLOCK:-/proc/uptime}"
  echo "${seconds%%.*}"
}

# With more time than eight minutes every step has more.
begin_clock() {
  local line name seconds sum=0
  for line in "${steps[@]}"; do
    read -r name seconds _ <<<"$line"
    sum=$((sum + seconds))
  done
  started=$(date -u +%Y%m%dT%H%M%SZ)
  begun=$(now) shared=0 end=$((begun + for_ever)) spread=$for_ever
  [[ -n $minutes ]] || return 0
  end=$((begun + 60 * minutes - packing_s))
  spread=$((100 * (end - begun) / sum))
  ((spread > 100)) || spread=100
}

# Of the step, less what it takes to end a command that does not end by itself; at least 1.
step_seconds() {
  local left=$((deadline - $(now) - grace_s))
  echo $((left > 1 ? left : 1))
}

# All of a session: modules have process groups of their own.
kill_session() {
  local file line fields
  for file in /proc/[0-9]*/stat; do
    { read -r line <"$file"; } 2>/dev/null || continue
    read -ra fields <<<"${line##*) }" # state, parent, group, session
    [[ ${fields[3]} != "$1" ]] || kill -KILL "${line%% *}" 2>/dev/null || true
  done
}

# Runs a command; at its limit it is interrupted, as by Ctrl-C, then killed with all that it started. Ends with the
# command's status, 124 where the limit ended it, 137 where it had to be killed.
limited() { # seconds, command...
  local seconds=$1 status ended watchdog
  shift
  "${session[@]}" timeout --foreground --signal=INT --kill-after="$grace_s" "$seconds" "$@" </dev/null &
  running=$!
  # What no signal ends, in a driver that hangs, is left behind.
  sleep $((seconds + grace_s + 2)) >/dev/null 2>&1 &
  watchdog=$!
  while true; do # a signal to this script ends only the wait
    status=0 ended=''
    wait -n -p ended "$running" "$watchdog" || status=$?
    [[ -z ${ended-} ]] || break
  done
  if [[ $ended == "$watchdog" ]]; then status=137; else kill "$watchdog" 2>/dev/null || true; fi
  ((status != 124 && status != 137)) || kill_session "$running"
  running=''
  return "$status"
}

# What a step says of itself; a failure stays.
fails() { verdict=failed why=$1; }
skips() { verdict=skipped why=$1; }
stops() { [[ $verdict == failed ]] || verdict=stopped why=$1; }
lacks() { [[ $verdict != ok ]] || verdict=inconclusive why=$1; }

# Of a program of assay that measures.
end_of_run() { # exit code
  case $1 in
  0) ;;
  3) lacks "exit code 3, see device-check.log" ;;
  4 | 124) stops "its time was used up, and points are missing" ;;
  137) fails "did not end when it was interrupted, and was killed" ;;
  *) fails "exit code $1, see device-check.log" ;;
  esac
}

run_step() { # name, seconds, function, words...
  local seconds=$2 begin left
  begin=$(now)
  step=$1 verdict=ok why=''
  # To the end of the shares of all steps so far: what others did not use is not lost.
  shared=$((shared + seconds))
  deadline=$((begun + shared * spread / 100))
  ((deadline < end)) || deadline=$end
  left=$((deadline > begin ? deadline - begin : 0))
  printf '\n== %s\n' "$step" >>"$log"
  if [[ -n $interrupted ]]; then
    verdict="left out" why=interrupted
  elif [[ $unusable == yes ]]; then
    verdict="left out" why="no test could run on this machine"
  elif ((2 * left < seconds)); then
    verdict="left out" why="it needs $seconds s, and $left s are left for it"
  else
    "do_$3" "${@:4}" || fails "the step itself failed, see device-check.log"
  fi
  verdicts+=("$verdict")
  tell_step "$step: $verdict ($(($(now) - begin)) s)${why:+: $why}"
}

exit_code() {
  local all=" ${verdicts[*]} "
  if [[ -n $interrupted ]]; then
    echo 4
  elif [[ $unusable == yes ]]; then
    echo 3
  elif [[ $all == *" failed "* ]]; then
    echo 1
  elif [[ $all =~ \ (stopped|left|inconclusive)\  ]]; then
    echo 3
  else
    echo 0
  fi
}

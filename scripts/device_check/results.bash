# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# What assay-device-check leaves: a summary after each step, and few files to bring home.
# shellcheck shell=bash disable=SC2034,SC2154

most_bytes=$((16 << 20)) # of a packed file
most_parts=5

begin_results() {
  mkdir -p "$output" ${pack_folder:+"$pack_folder"}
  results=$output/device-tests.txt log=$output/device-check.log summary=$output/summary.txt
  : >"$results"
  : >"$log"
  : >"$summary"
}

tell_step() {
  echo "$1" | tee -a "$summary"
  [[ -z $pack_folder ]] || cp "$summary" "$pack_folder/"
}

# Of each run of this check, its points, as long as there is time to pack.
add_points() {
  local journal run
  for journal in "$output/$started"-*/journal.jsonl; do
    if [[ ! -e $journal ]] || (($(now) > deadline - packing_s / 2)); then continue; fi
    run=$(basename "$(dirname "$journal")")
    echo
    limited "$(step_seconds)" "$programs/assay" show points --store "$output/store.sqlite" --run "$run" --format text 2>>"$log" || echo "points of $run: not shown, see device-check.log"
  done
}

finish_results() {
  deadline=$((end + packing_s))
  {
    [[ ! -s $output/peers.txt ]] || { echo && cat "$output/peers.txt"; }
    add_points
  } >>"$summary"
  [[ -z $pack_folder ]] || pack_results
  echo "results: ${pack_folder:-$output}"
}

# The newest end of a log that is too long.
pack_log() {
  if (($(stat -c %s "$log") > most_bytes)); then
    echo "device-check.log: its last 8 MiB of $(($(stat -c %s "$log") >> 20)) MiB" | tee -a "$summary"
    tail -c $((8 << 20)) "$log" >"$pack_folder/device-check.log"
  else
    cp "$log" "$pack_folder/"
  fi
}

pack_results() {
  local name=results.tar.xz tool="xz -T0" bytes
  command -v xz >/dev/null || name=results.tar.gz tool=gzip
  # Reports and store are made again from journals.
  limited "$(step_seconds)" tar -C "$output" --exclude=report.html --exclude='store.sqlite*' --exclude=device-check.log \
    --use-compress-program="$tool" -cf "$pack_folder/$name" . >>"$log" 2>&1 ||
    { rm -f "$pack_folder/$name" && echo "$name: could not be made, see device-check.log" | tee -a "$summary"; }
  bytes=$(stat -c %s "$pack_folder/$name" 2>/dev/null || echo 0)
  if ((bytes > most_bytes * most_parts)); then
    rm "$pack_folder/$name"
    echo "$name: left out, $((bytes >> 20)) MiB are more than $most_parts files of $((most_bytes >> 20)) MiB" | tee -a "$summary"
  elif ((bytes > most_bytes)); then
    split -b "$most_bytes" -d "$pack_folder/$name" "$pack_folder/$name."
    rm "$pack_folder/$name"
    echo "$name: $((bytes >> 20)) MiB in parts, which 'cat' joins" | tee -a "$summary"
  fi
  pack_log
  cp "$summary" "$pack_folder/"
}

# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Pairs of assay-device-check: assay and a peer in turn, in the order assay, peer, peer, assay, twice, so that what drifts
# falls on both alike.
# shellcheck shell=bash disable=SC2034,SC2154

# Lines "case/key value-seconds mean-seconds bytes flops" of the points that are ok.
points_in() { # journals
  awk 'function after(text, mark, at) { at = index(text, mark); return at ? substr(text, at + length(mark)) : "" }
    function word(mark, text) { text = after($0, mark); sub(/".*/, "", text); return text }
    function number(text, mark) { text = after(text, mark); sub(/[,}].*/, "", text); return text } # with all its digits
    /"record":"point"/ && word("\"status\":\"") == "ok" {
      work = after($0, "\"work\":{")
      print word("\"case\":\"") "/" word("\"key\":\""), number($0, "\"value_s\":"), number($0, "\"mean_s\":"),
        number(work, "\"bytes\":"), number(work, "\"flops\":")
    }' "$@"
}

# The value of a row's point, in its unit.
value_of() { # unit, statistic, pattern; points on standard input
  local point median mean bytes flops seconds
  while read -r point median mean bytes flops; do
    # shellcheck disable=SC2053
    [[ $point == $3 ]] || continue
    seconds=$mean
    [[ $2 != median ]] || seconds=$median
    awk -v s="$seconds" -v bytes="$bytes" -v flops="$flops" -v unit="$1" 'BEGIN {
      if (s > 0) printf "%.6g\n", unit == "GB/s" ? bytes / s * 1e-9 : unit == "TFLOP/s" ? flops / s * 1e-12 : unit == "ns" ? s * 1e9 : s * 1e6 }'
    return
  done
}

# Every point that the rows name; a module a process.
measure_ours() { # peer, number of the turn
  local module journals=() journal index=0 filters_of name unit statistic factor pattern value
  for module in $(rows_of "$1" | awk '{ sub(/\..*/, "", $5); print $5 }' | sort -u); do
    journal=$output/peers/$1-$2-$module.jsonl
    mapfile -t filters_of < <(rows_of "$1" | awk -v module="$module" 'index($5, module ".") == 1 { print "--filter=" $5 }')
    [[ $module != collectives ]] || filters_of+=(--ranks=1)
    limited "$(step_seconds)" "$programs/assay-$module" --plan device "${filters_of[@]}" --journal "$journal" >>"$log" 2>&1 || echo "assay-$module ended with $?" >>"$log"
    [[ ! -s $journal ]] || journals+=("$journal")
  done
  ((${#journals[@]} > 0)) || return 0
  points_in "${journals[@]}" >"$output/peers/$1-$2.points"
  while read -r name unit statistic factor pattern; do
    index=$((index + 1))
    value=$(value_of "$unit" "$statistic" "$pattern" <"$output/peers/$1-$2.points")
    [[ -z $value ]] || echo "$index assay $value" >>"$output/peers/$1.values"
  done < <(rows_of "$1")
}

measure_peer() { # peer, number of the turn, program
  local said=$output/peers/$1-$2.txt index=0 name unit statistic factor pattern value words
  read -ra words <<<"$(words_of "$1")"
  # The first GPU, which is gpu=0 of the plan; a peer's libraries may lie next to it.
  CUDA_VISIBLE_DEVICES=${gpu%%,*} LD_LIBRARY_PATH=$(dirname "$3")${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} limited "$(step_seconds)" "$3" "${words[@]}" >"$said" 2>>"$log" ||
    echo "$1 ended with $?" >>"$log"
  while read -r name unit statistic factor pattern; do
    index=$((index + 1))
    value=$(numbers_of "$1" <"$said" | awk -v name="$name" -v factor="$factor" '$1 == name { value = $2 * factor } END { if (value > 0) printf "%.6g\n", value }')
    [[ -z $value ]] || echo "$index peer $value" >>"$output/peers/$1.values"
  done < <(rows_of "$1")
}

# A line a row: medians of both, the median and spread of the ratios of neighbours (above 1: assay is faster), how many.
tell_pairs() { # peer, why it has no values
  rows_of "$1" | awk -v peer="$1" -v missing="$2" -v values="$output/peers/$1.values" '
    function median(list, n, i, j, t) {
      for (i = 2; i <= n; ++i) for (j = i; j > 1 && list[j] < list[j - 1]; --j) { t = list[j]; list[j] = list[j - 1]; list[j - 1] = t }
      return n % 2 ? list[(n + 1) / 2] : (list[n / 2] + list[n / 2 + 1]) / 2
    }
    BEGIN { while ((getline line < values) > 0) { split(line, part, " "); all[part[1], part[2], ++count[part[1], part[2]]] = part[3] } }
    {
      ours = count[NR, "assay"] + 0; theirs = count[NR, "peer"] + 0; n = ours < theirs ? ours : theirs
      head = sprintf("%s %s: %s", peer, $1, $5)
      if (n == 0) { print head ": not measured: " (missing != "" ? missing : ours == 0 ? "assay has no value, see device-check.log" : peer " printed no value"); next }
      for (i = 1; i <= n; ++i) { a[i] = all[NR, "assay", i]; p[i] = all[NR, "peer", i]; r[i] = $2 ~ /^(us|ns)$/ ? p[i] / a[i] : a[i] / p[i] }
      ratio = median(r, n)
      printf "%s: %s of runs, assay %.6g %s, peer %.6g %s, ratio %.4f [%.4f, %.4f] (n = %d)\n", head, $3, median(a, n), $2, median(p, n), $2, ratio, r[1], r[n], n
    }' | tee -a "$output/peers.txt"
}

do_peer() { # its name
  local program=$peers/$1 side turn=0 missing="" rows
  mkdir -p "$output/peers"
  rm -f "$output/peers/$1.values"
  gpu=${CUDA_VISIBLE_DEVICES:-0}
  [[ -n $peers && -x $program ]] || program=$programs/../libexec/assay/device-peers/$1
  if [[ ! -x $program && -z $peers ]]; then
    skips "no --peers"
    return
  elif [[ ! -x $program ]]; then
    missing="no program $1 in $peers"
  else
    for side in ours peer peer ours ours peer peer ours; do
      [[ $(now) -lt $((deadline - grace_s)) && -z $interrupted ]] || break
      turn=$((turn + 1))
      "measure_$side" "$1" "$turn" "$program"
    done
  fi
  tell_pairs "$1" "$missing" >"$output/peers/$1.table"
  cat "$output/peers/$1.table"
  rows=$(grep -c ': not measured: ' "$output/peers/$1.table" || true)
  ((rows == 0)) || lacks "$rows rows were not measured"
  ((turn == 0 || turn == 8)) || stops "its time was used up after $turn of 8 runs"
}

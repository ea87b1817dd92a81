# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Steps of assay-device-check, the one that is worth most first.
# shellcheck shell=bash disable=SC2034,SC2154

# Name, seconds of eight minutes, and what it does: do_WORD with the words after it. Those of `plan` are words of `assay run`:
# they share out the points of plan device.
steps=(
  "facts 20 facts"
  "probe 5 probe"
  "tests 50 tests first"
  "links 15 plan --modules offload,memory --filter offload.cuda.copy --filter memory.cuda.link_latency --filter memory.cuda.copy_engine"
  "links-peer 50 peer nvbandwidth"
  "products 65 plan --modules gemm --filter gemm.cuda.transformer --filter gemm.cuda.matmul/*cache=cold*"
  "products-peer 50 peer assay-lt-best"
  "vectors 15 plan --modules memory --filter memory.cuda.vector"
  "streams 30 plan --modules memory --filter memory.cuda.read --filter memory.cuda.write --filter memory.cuda.copy --filter memory.cuda.triad"
  "streams-peer 40 peer cuda-stream"
  "power 30 plan --modules gemm --filter gemm.cuda.matmul/*cache=hot,algorithm=library*"
  "rank 10 ranks 1"
  "ranks 15 ranks 2 --ranks-share-gpu"
  "ranks-peer 15 peer all_reduce_perf"
  "interference 20 plan --modules offload --filter offload.cuda.interference"
  "sanitizer 20 sanitizer"
  "more-tests 10 tests"
)
packing_s=20 # of the time, for the end

# What was asked for besides plan device is one step.
choose_steps() {
  local whole=("${steps[@]:0:3}")
  if [[ $measure == no ]]; then
    steps=("${whole[@]:0:2}" "${whole[2]% first}")
  elif [[ $plan != device || ${#filters[@]} -gt 0 ]]; then
    steps=("${whole[@]}" "plan 375 plan ${filters[*]}" "${steps[-1]}")
  fi
}

# A driver that is missing is what the tests report, and poor health a result: neither fails the step.
do_facts() {
  local code=0
  ! command -v nvidia-smi >/dev/null || limited 10 nvidia-smi -q >"$output/nvidia-smi.txt" 2>>"$log" || true
  limited "$(step_seconds)" "$programs/assay" machine --format json --output "$output/machine.json" >>"$log" 2>&1 ||
    fails "assay machine: exit code $?, see device-check.log"
  limited "$(step_seconds)" "$programs/assay" check --logbook "$output/health.json" >>"$log" 2>&1 || code=$?
  [[ -n $why ]] || why="exit code $code of assay check"
}

# What loops that wait by queries rest on, as this runtime has it.
do_probe() {
  if [[ ! -x $tests/harness_cuda_device_test ]]; then
    skips "no harness_cuda_device_test among the tests"
  else
    run_test "$tests/harness_cuda_device_test" "$probe_test"
    why=$(awk '/^probe: / { sub(/^probe: /, ""); said = $0 } END { print said }' "$log")
  fi
}

do_plan() { # words of assay run
  local code=0
  limited "$(step_seconds)" "$programs/assay" run --plan "$plan" --out "$output" --run-id "$started-$step" "$@" >>"$log" 2>&1 || code=$?
  end_of_run "$code"
}

# Of ranks that share the GPU these are results and costs of launches, never a rate of a link.
do_ranks() { # how many, more flags of the module
  local code=0 journal=$output/$started-$step/journal.jsonl
  mkdir -p "$(dirname "$journal")"
  limited "$(step_seconds)" "$programs/assay-collectives" --ranks "$@" --plan "$plan" --run-id "$started-$step" --journal "$journal" >>"$log" 2>&1 || code=$?
  [[ ! -s $journal ]] || "$programs/assay" import --store "$output/store.sqlite" "$journal" >>"$log" 2>&1 || fails "the journal could not be imported"
  end_of_run "$code"
}

# Gate, stamps and bulk copies of the memory cases.
do_sanitizer() {
  local tool code
  command -v compute-sanitizer >/dev/null || {
    skips "no compute-sanitizer on this machine"
    return
  }
  for tool in memcheck racecheck; do
    code=0
    limited "$(step_seconds)" compute-sanitizer --tool "$tool" --error-exitcode 9 "$tests/memory_cuda_device_test" \
      --gtest_filter=MemoryOnDevice.EveryCaseRunsItsSmallestPointAndIsRight >>"$log" 2>&1 || code=$?
    case $code in
    0) ;;
    124) stops "$tool: its time was used up" ;;
    *) fails "$tool: exit code $code, see device-check.log" ;;
    esac
  done
}

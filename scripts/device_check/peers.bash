# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Peers of assay-device-check: how each is started, and what it prints.
# shellcheck shell=bash disable=SC2034,SC2154

# Of each peer a line a number: its name there, unit, statistic, factor that makes its bytes those that assay counts, and
# the point of plan device.
rows_of() {
  case $1 in
  nvbandwidth) cat <<'TEXT' ;;
host_to_device_memcpy_ce GB/s median 1 offload.cuda.copy/*,direction=h2d,by=engine,*
device_to_host_memcpy_ce GB/s median 1 offload.cuda.copy/*,direction=d2h,by=engine,*
host_to_device_memcpy_sm GB/s median 1 offload.cuda.copy/*,direction=h2d,by=sm,*
device_to_host_memcpy_sm GB/s median 1 offload.cuda.copy/*,direction=d2h,by=sm,*
device_local_copy GB/s median 2 memory.cuda.copy_engine/*
host_device_latency_sm ns mean 1 memory.cuda.link_latency/*,bytes=2097152
TEXT
  assay-lt-best) cat <<'TEXT' ;;
8192x8192x8192 TFLOP/s median 1 gemm.cuda.matmul/m=8192,n=0,k=0,dtype=bf16,*cache=hot,algorithm=best,*
4096x1280x8192 TFLOP/s median 1 gemm.cuda.matmul/m=4096,n=1280,k=8192,*cache=hot,algorithm=best,*
4096x7168x8192 TFLOP/s median 1 gemm.cuda.matmul/m=4096,n=7168,k=8192,*cache=hot,algorithm=best,*
TEXT
  cuda-stream) cat <<'TEXT' ;;
Copy GB/s mean 1 memory.cuda.copy/*bytes=2147483648,cache_state=hot,mover=sm
Copy GB/s mean 1 memory.cuda.copy/*bytes=2147483648,cache_state=hot,mover=tma
Triad GB/s mean 1 memory.cuda.triad/*bytes=3221225472,cache_state=hot*
TEXT
  all_reduce_perf) cat <<'TEXT' ;;
8 us mean 1 collectives.nccl.all_reduce/launch=blocking,*bytes=8,*
67108864 us mean 1 collectives.nccl.all_reduce/launch=blocking,*bytes=67108864,*
TEXT
  esac
}

# Formats: nvbandwidth v0.8 (66746a3), BabelStream 5.0 and 57637d5, nccl-tests 2.19.6 (a0b82b2).
words_of() {
  case $1 in
  nvbandwidth) echo "-j -b 512 -t $(rows_of "$1" | awk '{ printf " %s", $1 }')" ;;
  assay-lt-best) echo "0.5 bf16 $(rows_of "$1" | awk '{ printf " %s", $1 }')" ;;
  cuda-stream) echo "--csv --arraysize 134217728 --numtimes 50" ;;
  all_reduce_perf) echo "-b 8 -e 67108864 -f 8388608 -g 1 -w 5 -n 50 -c 0 -z 1" ;; # -z 1: each is waited for
  esac
}

# Lines "name value" of what a peer printed, in the unit of its rows.
numbers_of() {
  case $1 in
  # Objects {"name", "status", "sum"} with a key a line, in this order; one GPU is visible, so that the sum is its value.
  nvbandwidth) awk -F'"' '$2 == "name" { name = $4 } $2 == "status" { passed = $4 == "Passed" }
      $2 == "sum" && passed { value = $3; gsub(/[^0-9.eE+-]/, "", value); print name, value }' ;;
  assay-lt-best) awk 'NF == 5 { print $1, $2 }' ;;
  # Rates are of the best run, in a unit that the heading names: the mean time and the sizes give the mean's.
  cuda-stream) awk -F, '$1 == "function" { for (i = 1; i <= NF; ++i) column[$i] = i; next }
      ($1 == "Copy" || $1 == "Triad") && column["avg_runtime"] && $column["avg_runtime"] > 0 {
        print $1, ($1 == "Copy" ? 2 : 3) * $column["sizeof"] * $column["n_elements"] / $column["avg_runtime"] * 1e-9 }' ;;
  # The first column "time" is out of place; not all versions have a column "root" before it.
  all_reduce_perf) awk '$1 == "#" && $2 == "size" { for (i = NF; i > 1; --i) if ($i == "time") time = i - 1 }
      time && $1 ~ /^[0-9]+$/ && $time ~ /^[0-9.e+]+$/ { print $1, $time }' ;;
  esac
}

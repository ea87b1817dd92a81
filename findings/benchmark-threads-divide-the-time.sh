#!/usr/bin/env bash
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Google Benchmark 1.7.1 (Debian 12), a benchmark of a fixed wait with Threads(1) and Threads(4), UseRealTime.
#
# Guess: the time of an iteration is what a thread sees; four threads that wait side by side leave it as it is.
# Seen: the time between start and end is divided by the iterations of all threads together. Four threads that each wait 5 ms
# an iteration are reported at little more than 1.25 ms: the time column is the inverse of a throughput, not a latency.
set -euo pipefail
version=1.7.1-1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download "libbenchmark1debian=$version" "libbenchmark-dev=$version" >/dev/null 2>&1 ||
  { echo "skipped: Debian 12's libbenchmark-dev $version cannot be had here" && exit 77; }
for package in ./*.deb; do dpkg-deb --extract "$package" root; done
cat >wait.cpp <<'CODE'
#include <benchmark/benchmark.h>
#include <chrono>
#include <thread>

static void message(benchmark::State& state) {
  for ([[maybe_unused]] auto _ : state) std::this_thread::sleep_for(std::chrono::milliseconds(5));
}
BENCHMARK(message)->UseRealTime()->Unit(benchmark::kMillisecond)->Iterations(40)->Threads(1)->Threads(4);
BENCHMARK_MAIN();
CODE
library=root/usr/lib/x86_64-linux-gnu
c++ -std=c++17 -Iroot/usr/include wait.cpp -o wait -L"$library" -lbenchmark -pthread
LD_LIBRARY_PATH=$library ./wait --benchmark_format=csv 2>/dev/null >table
time_of() { awk -F, -v threads="threads:$1\"" 'index($1, threads) { printf "%.2f", $3 }' table; }
one=$(time_of 1) four=$(time_of 4)
echo "Google Benchmark $version: an iteration of 5 ms is reported as $one ms by one thread, as $four ms by four"
awk -v one="$one" -v four="$four" 'BEGIN { exit !(one >= 5 && four >= 1.25 && four < 4) }'

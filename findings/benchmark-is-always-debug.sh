#!/usr/bin/env bash
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Google Benchmark 1.7.1 (Debian 12), `library_build_type` in its JSON.
#
# Guess: "debug" says that a benchmark was compiled without optimisation.
# Seen: it says how the library was compiled, and Debian compiles it without NDEBUG: a benchmark of -O3 -DNDEBUG is "debug", too.
set -euo pipefail
version=1.7.1-1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download "libbenchmark1debian=$version" "libbenchmark-dev=$version" >/dev/null 2>&1 ||
  { echo "skipped: Debian 12's libbenchmark-dev $version cannot be had here" && exit 77; }
for package in ./*.deb; do dpkg-deb --extract "$package" root; done
cat >loop.cpp <<'CODE'
#include <benchmark/benchmark.h>

static void loop(benchmark::State& state) {
  for ([[maybe_unused]] auto _ : state) benchmark::ClobberMemory();
}
BENCHMARK(loop)->Iterations(10);
BENCHMARK_MAIN();
CODE
library=root/usr/lib/x86_64-linux-gnu
c++ -std=c++17 -O3 -DNDEBUG -Iroot/usr/include loop.cpp -o loop -L"$library" -lbenchmark -pthread
LD_LIBRARY_PATH=$library ./loop --benchmark_format=json 2>/dev/null >result
type=$(sed -n 's/.*"library_build_type": "\(.*\)".*/\1/p' result)
echo "Google Benchmark $version: a benchmark of -O3 -DNDEBUG has library_build_type $type"
[ "$type" = debug ]

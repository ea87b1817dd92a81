#!/usr/bin/env bash
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# oneDNN 2.6.3 (Debian 12), matmul of s8 x s8 into s32.
#
# Guess: integers are exact; a library that cannot add products in 32 bits refuses the data type.
# Seen: with the instructions of AVX2 alone (DNNL_MAX_CPU_ISA=AVX2, as on processors without VNNI) the primitive is made, runs
# without an error, and returns wrong sums as soon as operands are large: pairs of products saturate at 16 bits. The same
# program with small operands is exact. The data type's presence says nothing about its arithmetic.
set -euo pipefail
version=2.6.3-1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download "libdnnl2=$version" "libdnnl-dev=$version" >/dev/null 2>&1 ||
  { echo "skipped: Debian 12's libdnnl2 $version cannot be had here" && exit 77; }
for package in ./*.deb; do dpkg-deb --extract "$package" root; done
cat >product.cpp <<'CODE'
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <oneapi/dnnl/dnnl.hpp>
#include <vector>

int main(int, char** words) {
  using namespace dnnl;
  const auto value = static_cast<std::int8_t>(std::atoi(words[1]));
  const memory::dim n = 64;
  std::vector<std::int8_t> a(n * n, value), b(n * n, value);
  std::vector<std::int32_t> c(n * n, -1);
  const engine cpu(engine::kind::cpu, 0);
  stream work(cpu);
  const auto plain = [&](memory::data_type type) { return memory::desc({n, n}, type, memory::format_tag::ab); };
  const auto s8 = plain(memory::data_type::s8), s32 = plain(memory::data_type::s32);
  const matmul product(matmul::primitive_desc(matmul::desc(s8, s8, s32), cpu));
  product.execute(work, {{DNNL_ARG_SRC, memory(s8, cpu, a.data())},
                         {DNNL_ARG_WEIGHTS, memory(s8, cpu, b.data())},
                         {DNNL_ARG_DST, memory(s32, cpu, c.data())}});
  work.wait();
  std::printf("%d %d\n", c[0], static_cast<int>(n) * value * value);
}
CODE
library=root/usr/lib/x86_64-linux-gnu
c++ -std=c++17 -Iroot/usr/include -Iroot/usr/include/x86_64-linux-gnu product.cpp -o product -L"$library" -ldnnl -Wl,--allow-shlib-undefined
product() { LD_LIBRARY_PATH=$library DNNL_MAX_CPU_ISA=AVX2 OMP_NUM_THREADS=1 ./product "$1"; }
read -r small exact_small <<<"$(product 11)"
read -r large exact_large <<<"$(product 127)"
echo "oneDNN $version, AVX2: 64 products of 11 x 11 are $small (exact: $exact_small), of 127 x 127 $large (exact: $exact_large)"
[[ $small == "$exact_small" && $large != "$exact_large" ]]

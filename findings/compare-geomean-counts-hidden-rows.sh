#!/usr/bin/env bash
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# compare.py of Google Benchmark 1.7.1 (Debian 12), two results of which one benchmark changed its unit from ns to us.
#
# Guess: units are converted, or the pair is refused; OVERALL_GEOMEAN is the mean of the rows printed above it.
# Seen: the table keeps only benchmarks that both files name in one unit, and leaves out the others without a word, exit status
# 0. OVERALL_GEOMEAN is computed from whole files in seconds: the rows left out count, those of a single file too. Here the only
# row is 20 % slower, the mean 1 %; a benchmark twice as slow appears nowhere.
set -euo pipefail
version=1.7.1-1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download "libbenchmark-tools=$version" python3-scipy=1.10.1-2 python3-numpy=1:1.24.2-1+deb12u1 python3-decorator=5.1.1-3 \
  libblas3=3.11.0-2 liblapack3=3.11.0-2 libgfortran5=12.2.0-14+deb12u1 liblbfgsb0=3.0+dfsg.4-1 >/dev/null 2>&1 ||
  { echo "skipped: Debian 12's libbenchmark-tools $version with scipy 1.10.1 cannot be had here" && exit 77; }
/usr/bin/python3 -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' ||
  { echo "skipped: Debian 12's scipy needs its Python 3.11" && exit 77; }
for package in ./*.deb; do dpkg-deb --extract "$package" root; done
results() { # "name time unit"...
  local rows="" name time unit
  for row in "$@"; do
    read -r name time unit <<<"$row"
    rows+="${rows:+,}{\"name\":\"$name\",\"run_name\":\"$name\",\"run_type\":\"iteration\",\"iterations\":10,\"threads\":1,
      \"real_time\":$time,\"cpu_time\":$time,\"time_unit\":\"$unit\"}"
  done
  echo "{\"context\":{},\"benchmarks\":[$rows]}"
}
results "send 1000 ns" "receive 5 us" "removed 7 us" >before.json
results "send 2 us" "receive 6 us" "added 3 us" >after.json
library=root/usr/lib/x86_64-linux-gnu
LD_LIBRARY_PATH=$library:$library/blas:$library/lapack PYTHONPATH=root/usr/lib/python3/dist-packages \
  /usr/bin/python3 root/usr/share/benchmark/compare.py --no-color benchmarks before.json after.json >table
cat table
# (2 x 6 x 3) / (1 x 5 x 7), third root: 1.0094
! grep -qE '^(send|added|removed)' table && grep -qE '^receive +\+0\.2000' table && grep -qE '^OVERALL_GEOMEAN +\+0\.0094' table

#!/usr/bin/env bash
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# likwid-bench 5.2.2 (Debian 12), its tests "triad" and "stream".
#
# Guess: "triad" is the triad of STREAM: two arrays read, one written, 24 bytes an element.
# Seen: "triad" reads three and writes one (A = B + C * D, 32 bytes); the triad of STREAM is the test "stream". Rates of both
# differ by a quarter in what they count, under one name.
set -euo pipefail
version=5.2.2+dfsg1-1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download "likwid=$version" "liblikwid5.2=$version" >/dev/null 2>&1 || apt-get download "likwid=$version" >/dev/null 2>&1 ||
  { echo "skipped: Debian 12's likwid $version cannot be had here" && exit 77; }
for package in ./*.deb; do dpkg-deb --extract "$package" root; done
LD_LIBRARY_PATH=$(find "$PWD/root" -name '*.so*' -printf '%h\n' | sort -u | paste -sd:)
export LD_LIBRARY_PATH
bench=root/usr/bin/likwid-bench
"$bench" -a >/dev/null 2>&1 || { echo "skipped: likwid-bench does not start here" && exit 77; }
arrays_of() { "$bench" -l "$1" 2>/dev/null | sed -n 's/^Number of streams: *//p'; }
triad=$(arrays_of triad) stream=$(arrays_of stream)
echo "likwid-bench $version: triad has $triad arrays, stream $stream"
[ "$triad" = 4 ] && [ "$stream" = 3 ]

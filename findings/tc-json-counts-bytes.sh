#!/usr/bin/env bash
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# tc of iproute2 6.1.0 (Debian 12), a token bucket filter of 100 Mbit/s shown as text and as JSON.
#
# Guess: the JSON says what the text says, in its base unit: bits per second, milliseconds or seconds.
# Seen: `rate 100Mbit` in the text is `"rate": 12500000` in JSON: bytes per second, under the same key and without a unit; `lat
# 50ms` is 50000, microseconds. A reader that takes the rate for bits finds an eighth of the limit that was set.
set -euo pipefail
version=6.1.0-3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
unshare --map-root-user --net true 2>/dev/null || { echo "skipped: network namespaces are not permitted here" && exit 77; }
apt-get download "iproute2=$version" >/dev/null 2>&1 || { echo "skipped: Debian 12's iproute2 $version cannot be had here" && exit 77; }
dpkg-deb --extract ./*.deb root
tc=root/sbin/tc
! ldd $tc | grep 'not found' || { echo "skipped: tc lacks these libraries here" && exit 77; }
# shellcheck disable=SC2016 # expanded by the shell within the namespace
unshare --map-root-user --net bash -c '
  $1 qdisc add dev lo root tbf rate 100mbit burst 32k latency 50ms 2>/dev/null || exit 0
  $1 qdisc show dev lo >text
  $1 -j qdisc show dev lo >json' filter $tc
[[ -s json ]] || { echo "skipped: this kernel has no token bucket filter" && exit 77; }
cat text json
grep -q 'rate 100Mbit .*lat 50ms' text && grep -q '"rate":12500000,.*"lat":50000' json

#!/usr/bin/env bash
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# ucx_perftest of UCX 1.13.1 and fi_pingpong of libfabric 1.17.0 (Debian 12) over TCP on the loopback interface.
#
# Guess: two benchmarks of the layers below MPI that print MB/s mean one thing by it.
# Seen: ucx_perftest's MB/s are 1,048,576 bytes, as its own message rate shows; fi_pingpong's MB/sec are 1,000,000, though it
# prints sizes in units of 1,024 on the same line (1,000,000 bytes are "976k"). Side by side, one stack seems 4.9 % faster.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
unshare --map-root-user --net true 2>/dev/null || { echo "skipped: network namespaces are not permitted here" && exit 77; }
apt-get download ucx-utils=1.13.1-1 libucx0=1.13.1-1 libfabric-bin=1.17.0-3 libfabric1=1.17.0-3 >/dev/null 2>&1 ||
  { echo "skipped: Debian 12's ucx-utils and libfabric-bin cannot be had here" && exit 77; }
for package in ./*.deb; do dpkg-deb --extract "$package" root; done
export LD_LIBRARY_PATH=$folder/root/usr/lib/x86_64-linux-gnu
for program in ucx_perftest fi_pingpong; do
  ! ldd "root/usr/bin/$program" | grep 'not found' || { echo "skipped: $program lacks these libraries here" && exit 77; }
done
# shellcheck disable=SC2016 # expanded by the shell within the namespace
timeout 90 unshare --map-root-user --net bash -c '
  ip link set dev lo up
  listening() { for ((tries = 0; tries < 100; ++tries)); do ss -Hltn | grep -q ":$1 " && break; sleep 0.1; done; }
  export UCX_TLS=tcp UCX_NET_DEVICES=lo
  rate() { root/usr/bin/ucx_perftest -t tag_bw -s 10000 -n 5000 -p 13999 "$@"; }
  rate >/dev/null 2>&1 & listening 13999
  rate 127.0.0.1 2>/dev/null | grep ^Final: >ucx
  wait
  pong() { root/usr/bin/fi_pingpong -p tcp -e msg -I 200 -S 1000000 "$@"; }
  pong >/dev/null 2>&1 & listening 47592
  pong 127.0.0.1 | tail -1 >libfabric
  wait'
# Final: iterations, three overheads, two bandwidths, two message rates
ucx=$(awk '{ printf "%.0f", 10000 * $NF / $(NF - 2) }' ucx)
# size, sent, acknowledged, total, time, MB/sec, microseconds a message
libfabric=$(awk '{ printf "%.0f", 1e12 / $7 / $6 }' libfabric)
echo "ucx_perftest: 'MB/s' of $ucx bytes; fi_pingpong: 'MB/sec' of $libfabric bytes, size $(awk '{ print $1 }' libfabric)"
awk -v ucx="$ucx" -v libfabric="$libfabric" \
  'BEGIN { exit !(ucx > 1047000 && ucx < 1050200 && libfabric > 999000 && libfabric < 1001000) }'
grep -q ^976k libfabric

#!/usr/bin/env bash
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# NetPIPE 3.7.2 over TCP (NPtcp, Debian 12), its column Mbps against the time it prints next to it.
#
# Guess: megabits are decimal everywhere; only bytes come in two sizes.
# Seen: a megabit of NetPIPE is 1,048,576 bits. Its Mbps lie 4.6 % below those of a data sheet: a link of 100 Gbit/s that is
# full reads 95,367 Mbps, which looks like the overhead of a protocol.
set -euo pipefail
version=3.7.2-8+b1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
unshare --map-root-user --net true 2>/dev/null || { echo "skipped: network namespaces are not permitted here" && exit 77; }
apt-get download "netpipe-tcp=$version" >/dev/null 2>&1 ||
  { echo "skipped: Debian 12's netpipe-tcp $version cannot be had here" && exit 77; }
dpkg-deb --extract ./*.deb root
# shellcheck disable=SC2016 # expanded by the shell within the namespace
timeout 60 unshare --map-root-user --net bash -c '
  ip link set dev lo up
  pipe() { root/usr/bin/NPtcp -p 0 -l 65536 -u 262144 -n 200 "$@" >/dev/null 2>&1; }
  pipe &
  for ((tries = 0; tries < 100; ++tries)); do ss -Hltn | grep -q LISTEN && break; sleep 0.1; done
  pipe -h 127.0.0.1 -o table
  wait'
# bytes, Mbps, seconds one way
awk '{ bits = $1 * 8 / $2 / $3; printf "NetPIPE: %d bytes in %s s are %s Mbps: %.0f bits each\n", $1, $3, $2, bits
       if (bits < 1047500 || bits > 1049650) wrong = 1 } END { exit wrong || NR < 3 }' table

#!/usr/bin/env bash
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# ibqueryerrors of infiniband-diags 44.0 (Debian 12) on a fabric of ibsim 0.10 whose switch has counted errors, without and with
# a running subnet manager (opensm 3.3.23).
#
# Guess: counters are read from the ports themselves (perfquery needs no manager), so the manager's absence changes nothing; or
# the tool fails.
# Seen: it asks the subnet administrator for paths first. Without one there is nothing on standard output, one line on standard
# error, and exit status 0, which elsewhere means no errors (with the manager it is 1 here): a job that looks at the status
# records a clean fabric while the manager is away.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
unshare --map-root-user --net true 2>/dev/null || { echo "skipped: network namespaces are not permitted here" && exit 77; }
apt-get download {ibsim-utils,libumad2sim0}=0.10-2 {infiniband-diags,libibmad5,libibumad3,libibnetdisc5}=44.0-2 \
  {opensm,libopensm9,libosmcomp5,libosmvendor5}=3.3.23-2+b1 libwrap0 libnsl2 libtirpc3 >/dev/null 2>&1 ||
  { echo "skipped: Debian 12's ibsim-utils 0.10 and opensm 3.3.23 cannot be had here" && exit 77; }
for package in ./*.deb; do dpkg-deb --extract "$package" root; done
export LD_LIBRARY_PATH=$folder/root/usr/lib/x86_64-linux-gnu:$folder/root/lib/x86_64-linux-gnu
export PATH=$folder/root/usr/bin:$folder/root/usr/sbin:$PATH OSM_CACHE_DIR=$folder OSM_TMP_DIR=$folder folder
! ldd root/usr/sbin/opensm | grep 'not found' || { echo "skipped: opensm lacks these libraries here" && exit 77; }
cat >pair <<'PAIR'
Switch	4 "leaf1"
[1]	"host1"[1]
[2]	"host2"[1]

Hca	1 "host1"
[1]	"leaf1"[1]

Hca	1 "host2"
[1]	"leaf1"[2]

do PerformanceSet "leaf1"[2] PortCounters.SymbolErrorCounter=70
PAIR
# shellcheck disable=SC2016 # expanded by the shell within the namespace
timeout 180 unshare --map-root-user --net bash -c '
  ibsim -s -n pair >simulator 2>&1 &
  for ((tries = 0; tries < 100; ++tries)); do grep -q sim:ctl /proc/net/unix && break; sleep 0.1; done
  preload=$folder/root/usr/lib/x86_64-linux-gnu/umad2sim/libumad2sim.so
  on_host() { SIM_HOST=$1 LD_PRELOAD=$preload "${@:2}"; }
  on_host host1 opensm -o -f once >/dev/null 2>&1 # LIDs and tables, then no manager
  on_host host2 perfquery 2 2 | grep SymbolErrorCounter >counter
  on_host host2 ibqueryerrors >without 2>complaint
  echo $? >without-status
  SIM_HOST=host1 LD_PRELOAD=$preload opensm -f running >/dev/null 2>&1 &
  manager=$!
  for ((tries = 0; tries < 100; ++tries)); do grep -q "SUBNET UP" running 2>/dev/null && break; sleep 0.1; done
  on_host host2 ibqueryerrors >with 2>/dev/null
  echo $? >with-status
  kill "$manager" %1'
echo "perfquery, no manager: $(cat counter)"
echo "ibqueryerrors, no manager: exit status $(cat without-status), $(wc -l <without) lines; $(sort complaint | uniq -c | xargs)"
echo "ibqueryerrors, manager: exit status $(cat with-status), $(grep -c SymbolErrorCounter with) lines with SymbolErrorCounter"
grep -q '\.70$' counter && [[ $(cat without-status) == 0 && ! -s without ]] && grep -q 'SymbolErrorCounter == 70' with

#!/usr/bin/env bash
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# opensm 3.3.23 (Debian 12) with the engines minhop, updn and ftree, on a whole tree of two leaves and two spines of ibsim 0.10.
#
# Guess: on a sound tree the engines differ in balance only; every switch has an entry for every LID.
# Seen: updn and ftree, the engines meant for trees, leave out the way from one spine to the other (down, then up), and end with
# status 0. So ibtracert and queries by LID between spines fail on a sound fabric, and a table with fewer entries than there are
# LIDs is not a sign of a fault. minhop fills all.
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
export PATH=$folder/root/usr/bin:$folder/root/usr/sbin:$PATH OSM_CACHE_DIR=$folder OSM_TMP_DIR=$folder
! ldd root/usr/sbin/opensm | grep 'not found' || { echo "skipped: opensm lacks these libraries here" && exit 77; }
cat >tree <<'TREE'
Switch	4 "leaf1"
[1]	"host1"[1]
[3]	"spine1"[1]
[4]	"spine2"[1]

Switch	4 "leaf2"
[1]	"host2"[1]
[3]	"spine1"[2]
[4]	"spine2"[2]

Switch	4 "spine1"
[1]	"leaf1"[3]
[2]	"leaf2"[3]

Switch	4 "spine2"
[1]	"leaf1"[4]
[2]	"leaf2"[4]

Hca	1 "host1"
[1]	"leaf1"[1]

Hca	1 "host2"
[1]	"leaf2"[1]
TREE
entries() { # engine: entries in the tables of leaf1, leaf2, spine1, spine2, and whether a way leads from spine to spine
  # shellcheck disable=SC2016 # expanded by the shell within the namespace
  timeout 120 unshare --map-root-user --net bash -c '
    ibsim -s -n tree >simulator 2>&1 &
    for ((tries = 0; tries < 100; ++tries)); do grep -q sim:ctl /proc/net/unix && break; sleep 0.1; done
    export SIM_HOST=host1 LD_PRELOAD=$folder/root/usr/lib/x86_64-linux-gnu/umad2sim/libumad2sim.so
    opensm -R "$1" -o -f log >/dev/null 2>&1 || echo "opensm failed"
    ibnetdiscover >list
    lid() { sed -n "s/^Switch.*\"$1\".* lid \([0-9]*\) .*/\1/p" list; }
    for switch in leaf1 leaf2 spine1 spine2; do ibroute "$(lid $switch)" | sed -n "s/ valid lids dumped *//p"; done
    ibtracert "$(lid spine1)" "$(lid spine2)" >/dev/null 2>&1 && echo way || echo none
    unset LD_PRELOAD
    kill %1' entries "$1" | xargs
}
export folder
seen=()
for engine in minhop updn ftree; do
  seen+=("$(entries "$engine")")
  echo "$engine: 6 LIDs; entries and way between spines: ${seen[-1]}"
done
[[ ${seen[*]} == "6 6 6 6 way 6 6 5 5 none 6 6 5 5 none" ]]

#!/usr/bin/env bash
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# opensm 3.3.23 (Debian 12) with the engine ftree on trees of ibsim 0.10: whole, with one cable lost, and whole with an LMC of 1.
#
# Guess: ftree routes a tree that lost one of its cables, a little less evenly, and fails where it cannot route.
# Seen: one lost cable of four leaves and four spines ("Different number of upward port groups"), or an LMC above 0 on the whole tree,
# and ftree gives up; opensm routes with minhop instead and ends with status 0. The log alone says so. A fabric chosen for ftree is
# thus one bad cable away from another routing, in every path.
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
tree() { # lost: of leaf 1, the spine whose cable lacks, or 0
  local leaf spine
  for leaf in 1 2 3 4; do
    printf 'Hca\t1 "host%s"\n[1]\t"leaf%s"[1]\n\n' "$leaf" "$leaf"
  done
  for leaf in 1 2 3 4; do
    printf 'Switch\t8 "leaf%s"\n[1]\t"host%s"[1]\n' "$leaf" "$leaf"
    for spine in 1 2 3 4; do
      [[ $leaf/$spine == 1/$1 ]] || printf '[%s]\t"spine%s"[%s]\n' $((4 + spine)) "$spine" "$leaf"
    done
    echo
  done
  for spine in 1 2 3 4; do
    printf 'Switch\t8 "spine%s"\n' "$spine"
    for leaf in 1 2 3 4; do
      [[ $leaf/$spine == 1/$1 ]] || printf '[%s]\t"leaf%s"[%s]\n' "$leaf" "$leaf" $((4 + spine))
    done
    echo
  done
}
used() { # net, LMC: the engine that configured the tables, and opensm's status
  # shellcheck disable=SC2016 # expanded by the shell within the namespace
  timeout 120 unshare --map-root-user --net bash -c '
    ibsim -s -n "$1" >simulator 2>&1 &
    for ((tries = 0; tries < 100; ++tries)); do grep -q sim:ctl /proc/net/unix && break; sleep 0.1; done
    rm -f log guid2lid
    SIM_HOST=host1 LD_PRELOAD=$folder/root/usr/lib/x86_64-linux-gnu/umad2sim/libumad2sim.so \
      opensm -R ftree -l "$2" -o -f log >/dev/null 2>&1 && status=$? || status=$?
    sed -n "s/.*osm_ucast_mgr_process: \([a-z]*\) tables configured.*/\1/p" log | tail -1
    echo "$status"
    kill %1' used "$1" "$2" | xargs
}
export folder
tree 0 >whole
tree 2 >lost
seen="whole: $(used whole 0); one cable lost: $(used lost 0); whole, LMC 1: $(used whole 1)"
echo "ftree asked, engine used and status: $seen"
[[ $seen == "whole: ftree 0; one cable lost: minhop 0; whole, LMC 1: minhop 0" ]]

#!/usr/bin/env bash
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# opensm 3.3.23 (Debian 12) with updn on a whole tree of two leaves and two spines of ibsim 0.10: the forms in which tables are dumped.
#
# Guess: the two dumps that one sweep of opensm -D 0x43 writes, opensm-lfts.dump and opensm.fdbs, and dump_lfts of infiniband-diags 44.0
# have an entry line for the same switches and LIDs.
# Seen: a LID that a switch has no way to has a line "0x0003 : UNREACHABLE" in opensm.fdbs and none in the other two, so counts of lines
# differ for one table; opensm-lfts.dump writes "0x0001 001 # Channel Adapter", dump_lfts "0x0001 001 : (Channel Adapter", and opensm.fdbs
# has no name at all, neither of the switch nor of the LID. Only GUID and LID join the three.
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
forms() { # lines of entries in each form, lines that say UNREACHABLE, and lines with the name of a host
  # shellcheck disable=SC2016 # expanded by the shell within the namespace
  timeout 120 unshare --map-root-user --net bash -c '
    ibsim -s -n tree >simulator 2>&1 &
    for ((tries = 0; tries < 100; ++tries)); do grep -q sim:ctl /proc/net/unix && break; sleep 0.1; done
    export SIM_HOST=host1 LD_PRELOAD=$folder/root/usr/lib/x86_64-linux-gnu/umad2sim/libumad2sim.so
    opensm -R updn -o -D 0x43 -f log >/dev/null 2>&1 || echo "opensm failed"
    dump_lfts >printed 2>/dev/null
    unset LD_PRELOAD
    for form in opensm-lfts.dump opensm.fdbs printed; do
      for pattern in "^0x" UNREACHABLE host1; do grep -c "$pattern" "$form" || true; done
    done
    kill %1' forms | xargs
}
export folder
seen=$(forms)
echo "entries, of them UNREACHABLE, lines with a host's name, in opensm-lfts.dump, opensm.fdbs and of dump_lfts: $seen"
[[ $seen == "22 0 4 24 2 0 22 0 4" ]]

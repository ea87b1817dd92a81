#!/usr/bin/env bash
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# ibsim 0.10 (Debian 12), replaying a list of ibnetdiscover 44.0 whose links are 4xEDR, 4xHDR and 4xNDR.
#
# Guess: rates follow a `#`, so they are remarks and all links get one default; or all are kept, as ibnetdiscover knows NDR.
# Seen: the remark is read and gives the port its rate up to HDR. NDR it does not know: a warning without a line's number, and the
# link becomes 4xSDR, 10 Gbit/s instead of 400: the fastest links of a replayed cluster are its slowest. `--full` adds codes, not
# values: s=4 (QDR) for FDR, EDR and HDR alike, w=2 for 4x and w=16 for 2x.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
unshare --map-root-user --net true 2>/dev/null || { echo "skipped: network namespaces are not permitted here" && exit 77; }
apt-get download {ibsim-utils,libumad2sim0}=0.10-2 infiniband-diags=44.0-2 libibmad5=44.0-2 libibumad3=44.0-2 libibnetdisc5=44.0-2 \
  >/dev/null 2>&1 || { echo "skipped: Debian 12's ibsim-utils 0.10 and infiniband-diags 44.0 cannot be had here" && exit 77; }
for package in ./*.deb; do dpkg-deb --extract "$package" root; done
export LD_LIBRARY_PATH=$folder/root/usr/lib/x86_64-linux-gnu PATH=$folder/root/usr/bin:$folder/root/usr/sbin:$PATH
rates=(2xHDR 4xEDR 4xHDR 4xNDR)
{
  echo 'Switch	8 "S-0000000000100001"		# "leaf1" enhanced port 0 lid 1 lmc 0'
  for host in 1 2 3 4; do
    echo "[$host]	\"H-000000000020000$host\"[1](30000$host) 		# \"host$host\" lid 1$host ${rates[host - 1]}"
  done
  for host in 1 2 3 4; do
    printf '\ncaguid=0x20000%s\nCa	1 "H-000000000020000%s"		# "host%s"\n' "$host" "$host" "$host"
    echo "[1](30000$host) 	\"S-0000000000100001\"[$host]		# lid 1$host lmc 0 \"leaf1\" lid 1 ${rates[host - 1]}"
  done
} >dump
# shellcheck disable=SC2016 # expanded by the shell within the namespace
timeout 60 unshare --map-root-user --net bash -c '
  ibsim -s -n dump >simulator 2>&1 &
  for ((tries = 0; tries < 100; ++tries)); do grep -q sim:ctl /proc/net/unix && break; sleep 0.1; done
  SIM_HOST=H-0000000000200001 LD_PRELOAD=$LD_LIBRARY_PATH/umad2sim/libumad2sim.so ibnetdiscover --full >replay
  kill %1'
sed -n 's/^\[.*"\(host.\)" lid [0-9]* \(.*\)/\1 \2/p' replay >seen
paste -d ' ' <(printf '%s became\n' "${rates[@]}") seen
grep 'invalid speed' simulator | sort | uniq -c
diff <(sed 's/ v=.*//' seen) - <<'TEXT'
host1 2xHDR s=4 w=16
host2 4xEDR s=4 w=2
host3 4xHDR s=4 w=2
host4 4xSDR s=1 w=2
TEXT

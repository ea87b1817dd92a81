#!/usr/bin/env bash
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# ibnetdiscover and iblinkinfo of infiniband-diags 44.0 (Debian 12) with --cache and --diff, on a fabric of ibsim 0.10.
#
# Guess: the difference of two fabrics shows a cable that trained at 1xSDR where it had 4xHDR, at least with every --diffcheck.
# Seen: no line, by either tool: neither compares widths and speeds. A cable that is gone is listed. Only a diff of the printed
# lists shows both.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
unshare --map-root-user --net true 2>/dev/null || { echo "skipped: network namespaces are not permitted here" && exit 77; }
apt-get download {ibsim-utils,libumad2sim0}=0.10-2 infiniband-diags=44.0-2 libibmad5=44.0-2 libibumad3=44.0-2 libibnetdisc5=44.0-2 \
  >/dev/null 2>&1 || { echo "skipped: Debian 12's ibsim-utils 0.10 and infiniband-diags 44.0 cannot be had here" && exit 77; }
for package in ./*.deb; do dpkg-deb --extract "$package" root; done
export LD_LIBRARY_PATH=$folder/root/usr/lib/x86_64-linux-gnu PATH=$folder/root/usr/bin:$folder/root/usr/sbin:$PATH
fabric() { # cables of leaf1 to host1 and host2, "-" for none
  local host=0 rate
  echo 'Switch	4 "S-0000000000100001"		# "leaf1" enhanced port 0 lid 1 lmc 0'
  for rate in "$@"; do
    ((++host))
    [[ $rate == - ]] || echo "[$host]	\"H-000000000020000$host\"[1](30000$host) 		# \"host$host\" lid 1$host $rate"
  done
  host=0
  for rate in "$@"; do
    ((++host))
    [[ $rate != - ]] || continue
    printf '\ncaguid=0x20000%s\nCa	1 "H-000000000020000%s"		# "host%s"\n' "$host" "$host" "$host"
    echo "[1](30000$host) 	\"S-0000000000100001\"[$host]		# lid 1$host lmc 0 \"leaf1\" lid 1 $rate"
  done
}
simulated() { # fabric's file, command of the shell
  # shellcheck disable=SC2016 # expanded by the shell within the namespace
  timeout 60 unshare --map-root-user --net bash -c '
    ibsim -s -n "$1" >simulator 2>&1 &
    for ((tries = 0; tries < 100; ++tries)); do grep -q sim:ctl /proc/net/unix && break; sleep 0.1; done
    SIM_HOST=H-0000000000200001 LD_PRELOAD=$LD_LIBRARY_PATH/umad2sim/libumad2sim.so bash -c "$2" || true
    kill %1' simulated "$@"
}
compare='ibnetdiscover --diff cache --diffcheck sw,ca,router,port,lid,nodedesc
  iblinkinfo --diff cache --diffcheck port,state,lid,nodedesc'
fabric 4xHDR 4xHDR >whole
fabric 4xHDR 1xSDR >slow
fabric 4xHDR - >shorter
simulated whole 'ibnetdiscover --cache cache | grep -E "^\[.*host"'
simulated slow 'ibnetdiscover | grep -E "^\[.*host"' | tee list
simulated slow "$compare" >slow-difference
simulated shorter "$compare" >shorter-difference
echo "lines of difference: $(wc -l <slow-difference) for the slow cable, $(wc -l <shorter-difference) for the missing one"
grep -q 1xSDR list && [[ ! -s slow-difference ]] && grep -q host2 shorter-difference

#!/usr/bin/env bash
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# node_exporter 1.5.0 (Debian 12), collector infiniband, a node with one adapter and one RDMA device whose driver has no file
# `board_id`, or no folder `counters` (Linux makes it only for drivers that answer performance queries): soft-RoCE has neither.
#
# Guess: the device is reported without what it lacks, as happens for `hca_type`, or left out; the adapter keeps its metrics.
# Seen: no metric of either: one software device, and link errors and data rates of all adapters are gone. The log says nothing
# at its default level; node_scrape_collector_success 0 is the only trace.
set -euo pipefail
version=1.5.0-1+b6
folder=$(mktemp -d)
exporter=
trap '[[ -z $exporter ]] || kill "$exporter"; rm -rf "$folder"' EXIT
cd "$folder"
apt-get download "prometheus-node-exporter=$version" >/dev/null 2>&1 ||
  { echo "skipped: Debian 12's prometheus-node-exporter $version cannot be had here" && exit 77; }
dpkg-deb --extract ./*.deb root
device() { # node, name: one without board_id and counters
  local port=$1/class/infiniband/$2/ports/1
  mkdir -p "$port"
  echo 28.39.1002 >"$1/class/infiniband/$2/fw_ver"
  echo "100 Gb/sec (4X EDR)" >"$port/rate"
  echo "4: ACTIVE" >"$port/state"
  echo "5: LinkUp" >"$port/phys_state"
}
board() { echo MT_0000000838 >"$1/class/infiniband/$2/board_id"; }
counters() { mkdir "$1/class/infiniband/$2/ports/1/counters"; }
adapter() { # node
  device "$1" mlx5_0
  board "$1" mlx5_0
  counters "$1" mlx5_0
  echo 3 >"$1/class/infiniband/mlx5_0/ports/1/counters/link_downed"
}
scrape() { # node: names of metrics, and whether the collector succeeded
  local port=$((20000 + RANDOM % 10000))
  root/usr/bin/prometheus-node-exporter --web.listen-address="127.0.0.1:$port" --collector.disable-defaults \
    --collector.infiniband --path.sysfs="$1" 2>>log &
  exporter=$!
  for ((tries = 0; tries < 100; ++tries)); do
    ! curl -sf "127.0.0.1:$port/metrics" >metrics || break
    sleep 0.1
  done
  kill "$exporter"
  wait "$exporter" || true
  exporter=
  success=$(sed -n 's/^node_scrape_collector_success.* //p' metrics)
  series=$(grep -c ^node_infiniband metrics || true)
  echo "$1: $series series, success $success, $(grep -c 'level=error' log || true) errors in the log"
}
adapter alone
scrape alone
((series > 0 && success == 1))
adapter complete
device complete rxe0
board complete rxe0
counters complete rxe0
scrape complete
((series > 0 && success == 1))
adapter no-counters
device no-counters rxe0
board no-counters rxe0
scrape no-counters
((series == 0 && success == 0))
adapter no-board
device no-board rxe0
counters no-board rxe0
scrape no-board
((series == 0 && success == 0)) && ! grep -q 'level=error' log

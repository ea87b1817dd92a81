#!/usr/bin/env bash
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# node_exporter 1.5.0 and promtool 2.42.0 (Debian 12), a file of the textfile collector with one series twice.
#
# Guess: `promtool check metrics` refuses the file; the collector refuses it too and sets node_textfile_scrape_error to 1.
# Seen: promtool finds nothing to say. The exporter keeps the first of the two values and drops the other; its answer is 200,
# node_textfile_scrape_error is 0 and node_scrape_collector_success 1. Only its log has it, once a scrape: an alert on the metric
# made for broken files stays silent. The cause: registries look for doubles after the collector has reported success.
set -euo pipefail
folder=$(mktemp -d)
exporter=
trap '[[ -z $exporter ]] || kill "$exporter"; rm -rf "$folder"' EXIT
cd "$folder"
apt-get download prometheus-node-exporter=1.5.0-1+b6 prometheus=2.42.0+ds-5+deb12u1 >/dev/null 2>&1 ||
  { echo "skipped: Debian 12's prometheus-node-exporter 1.5.0 and prometheus 2.42.0 cannot be had here" && exit 77; }
for package in ./*.deb; do dpkg-deb --extract "$package" root; done
mkdir texts
cat >texts/fabric.prom <<'TEXT'
# HELP fabric_errors_total Errors of a cable.
# TYPE fabric_errors_total counter
fabric_errors_total{cable="leaf1-spine1"} 0
fabric_errors_total{cable="leaf1-spine1"} 7
fabric_errors_total{cable="leaf1-spine2"} 3
TEXT
root/usr/bin/promtool check metrics <texts/fabric.prom && echo "promtool: no objection"
port=$((20000 + RANDOM % 10000))
root/usr/bin/prometheus-node-exporter --web.listen-address="127.0.0.1:$port" --collector.disable-defaults --collector.textfile \
  --collector.textfile.directory=texts 2>log &
exporter=$!
for ((tries = 0; tries < 100; ++tries)); do
  ! curl -sf "127.0.0.1:$port/metrics" >metrics || break
  sleep 0.1
done
grep -E '^(fabric|node_textfile_scrape|node_scrape_collector_success)' metrics | tee seen
grep -q 'was collected before' log && echo "log: collected before"
diff seen - <<'TEXT'
fabric_errors_total{cable="leaf1-spine1"} 0
fabric_errors_total{cable="leaf1-spine2"} 3
node_scrape_collector_success{collector="textfile"} 1
node_textfile_scrape_error 0
TEXT

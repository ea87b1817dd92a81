#!/usr/bin/env bash
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Slurm 22.05.8 (Debian 12): a topology.conf that includes leaves/all.conf, which includes one.conf. There is a one.conf next to
# topology.conf and another in leaves.
#
# Guess, and slurm.conf(5): a relative name is looked for in the folder of slurm.conf, so leaf1 has node n2.
# Seen: it is looked for in the folder of the file that includes it. leaf1 has node n1, of leaves/one.conf. A site that moves its
# includes into a folder, and a program that reads the file by the manual, get another topology without an error.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "${daemon:-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
apt-get download {slurmctld,slurm-client,slurm-wlm-basic-plugins}=22.05.8-4+deb12u3 >/dev/null 2>&1 ||
  { echo "skipped: Debian 12's Slurm 22.05.8 cannot be had here" && exit 77; }
for package in ./*.deb; do dpkg-deb --extract "$package" root; done
plugins=$folder/root/usr/lib/x86_64-linux-gnu/slurm-wlm
export LD_LIBRARY_PATH=$plugins SLURM_CONF=$folder/slurm.conf
export PATH=$folder/root/usr/sbin:$folder/root/usr/bin:$PATH
! ldd root/usr/sbin/slurmctld-wlm | grep 'not found' || { echo "skipped: slurmctld lacks these libraries here" && exit 77; }
mkdir leaves state
echo "SwitchName=leaf1 Nodes=n2" >one.conf
echo "SwitchName=leaf1 Nodes=n1" >leaves/one.conf
printf 'include one.conf\nSwitchName=leaf2 Nodes=n3\n' >leaves/all.conf
printf 'include leaves/all.conf\nSwitchName=spine Switches=leaf[1-2]\n' >topology.conf
cat >slurm.conf <<CONF
ClusterName=finding
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=46817
SlurmUser=$(id -un)
AuthType=auth/none
CredType=cred/none
PluginDir=$plugins
StateSaveLocation=$folder/state
SlurmctldPidFile=$folder/pid
SlurmctldLogFile=$folder/log
TopologyPlugin=topology/tree
NodeName=n[1-3] NodeAddr=127.0.0.1 CPUs=1
PartitionName=all Nodes=ALL
CONF
root/usr/sbin/slurmctld-wlm -D -c -f "$folder/slurm.conf" >/dev/null 2>&1 &
daemon=$!
for ((tries = 0; tries < 100; ++tries)); do
  shown=$(scontrol show topology 2>/dev/null || true)
  [[ $shown == SwitchName=* ]] && break
  kill -0 "$daemon" 2>/dev/null || { echo "skipped: slurmctld does not run here" && exit 77; }
  sleep 0.1
done
seen=$(grep -o 'SwitchName=leaf1 .*Nodes=[^ ]*' <<<"$shown")
echo "$(root/usr/sbin/slurmctld-wlm -V): $seen"
[[ $seen == *Nodes=n1 ]]

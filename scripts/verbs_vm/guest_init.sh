#!/bin/busybox sh
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=dash
# The first process of a virtual host: loads the modules, lays a writable root over the build machine's read-only one,
# brings the RDMA devices up, runs the command when asked to, and reports its status.
set -u
export PATH=/bin
share=trans=virtio,version=9p2000.L,msize=512000
tools=/run/verbs-vm

mount_kernel_folders() { # prefix
  mount -t devtmpfs dev "$1/dev"
  mount -t proc proc "$1/proc"
  mount -t sysfs sys "$1/sys"
}

load_modules() {
  local module
  while read -r module; do
    insmod "/modules/$module.ko" || echo "verbs-vm: module $module does not load" >/dev/console
  done </modules/order
}

port_named() { # name: prints the device of a virtio-serial port, which appears some time after its driver
  local port
  while true; do
    for port in /sys/class/virtio-ports/*; do
      [ -f "$port/name" ] && [ "$(cat "$port/name")" = "$1" ] && [ -c "/dev/${port##*/}" ] && break 2
    done
    usleep 5000
  done
  echo "/dev/${port##*/}"
}

hold() { # until the runner ends this host
  while true; do sleep 3600; done
}

fail() { # reason
  echo "failed $*" >&3
  hold
}

mount_root() {
  mount -t 9p -o "ro,cache=loose,$share" root /host || fail "the build machine's file system cannot be mounted"
  mount -t tmpfs -o size=75% scratch /scratch
  mkdir /scratch/upper /scratch/work
  mount -t overlay -o lowerdir=/host,upperdir=/scratch/upper,workdir=/scratch/work overlay /new ||
    fail "no overlay over the build machine's file system"
  mkdir -p /new/dev /new/proc /new/sys /new/run
  mount_kernel_folders /new
  mount -t tmpfs run /new/run
  mkdir -p /new/dev/shm /new/dev/pts "/new$tools/bin"
  mount -t tmpfs shm /new/dev/shm
  mount -t devpts pts /new/dev/pts
  mount -t cgroup2 cgroup /new/sys/fs/cgroup
  cp /job/* "/new$tools"
  mv "/new$tools/verbs-vm-fault" "/new$tools/bin"
}

mount_writable() {
  local number=0 folder
  # shellcheck disable=SC2154 # from settings
  while [ "$number" -lt "$writable" ]; do
    folder=$(cat "/job/writable.$number")
    mkdir -p "/new$folder"
    mount -t 9p -o "$share" "writable$number" "/new$folder" || fail "$folder cannot be mounted"
    number=$((number + 1))
  done
}

set_up_network() {
  local device
  cat /job/hosts >/new/etc/hosts
  for device in /proc/sys/net/ipv6/conf/eth*; do echo 0 >"$device/accept_dad"; done
  in_root ip -batch "$tools/ip" || fail "ip refused the network of this host"
  in_root rdma -b "$tools/rdma" || fail "no rxe device"
  [ ! -s /job/tc ] || in_root tc -batch "$tools/tc" || fail "tc refused: $(cat /job/tc)"
}

in_root() { # program arguments... : /usr/bin/env, or busybox would run its own applet of that name
  chroot /new /usr/bin/env PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@" </dev/null >/dev/console 2>&1
}

run_command() {
  local status=0
  ulimit -l unlimited
  ulimit -n 65536
  chroot /new /usr/bin/env -i /bin/sh "$tools/command" </dev/null >&4 2>&5 3>&- 4>&- 5>&- || status=$?
  # shellcheck disable=SC2154 # from settings
  printf %s "$end_mark" >&4
  printf %s "$end_mark" >&5
  echo "exit $status" >&3
}

/bin/busybox mkdir -p /proc /sys /dev
/bin/busybox --install -s /bin
mount_kernel_folders ""
# shellcheck disable=SC1091
. /job/settings # name, writable, end_mark
load_modules
exec 3<>"$(port_named control)" 4>"$(port_named output)" 5>"$(port_named error)"
# shellcheck disable=SC2154 # from settings
hostname "$name"
mount_root
port_named fault >"/new$tools/fault-port"
mount_writable
set_up_network
echo ready >&3
read -r _ <&3
run_command
hold

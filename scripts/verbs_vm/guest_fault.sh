#!/bin/sh
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# verbs-vm-fault cut|restore|kill [hN], inside a virtual host: asks the runner to pull or put back a cable, or to end a
# host (this one by default), and returns when it is done.
set -eu
folder=/run/verbs-vm
exec 9>"$folder/fault-lock"
flock 9
exec 8<>"$(cat "$folder/fault-port")"
echo "$*" >&8
read -r answer <&8
[ "$answer" = "done" ] && exit 0
echo "verbs-vm-fault: $answer" >&2
exit 1

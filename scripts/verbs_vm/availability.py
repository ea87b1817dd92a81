# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Can virtual hosts run on this machine? The first thing that is missing is the reason why not.
import platform
import shutil

from verbs_vm import guest_files, kernel_image, kernel_package, qemu_command
from verbs_vm.outcome import Unavailable

# program -> the Debian package that has it
NEEDED = {
    qemu_command.PROGRAM: "qemu-system-x86",
    "setpriv": "util-linux",
    "ip": "iproute2",
    "rdma": "iproute2",
    "tc": "iproute2",
    "dpkg-deb": "dpkg",
}
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def check_programs():
    if platform.machine() != "x86_64":
        raise Unavailable(f"the virtual hosts are x86_64 and this machine is {platform.machine()}")
    missing = {package for program, package in NEEDED.items() if not shutil.which(program, path=PATH)}
    if not guest_files.busybox():
        missing.add("busybox-static")
    if missing:
        raise Unavailable(f"not installed: {', '.join(sorted(missing))} (scripts/setup --for verbs)")


def check():
    """Unavailable with the reason. Fetches nothing: that the package can be fetched shows when it is."""
    check_programs()
    if not kernel_image.is_cached():
        kernel_package.newest_package()

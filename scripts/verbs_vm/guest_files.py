# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# The part of a guest's initramfs that is made for one run: its init, its settings, its command.
import pathlib
import shlex
import shutil

from verbs_vm import cpio_archive, network

HERE = pathlib.Path(__file__).resolve().parent
PATH = "/run/verbs-vm/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
FOLDERS = ("bin", "dev", "host", "job", "new", "proc", "scratch", "sys")


def busybox():
    """Path of a busybox that needs no library, or None."""
    found = shutil.which("busybox", path="/usr/bin:/bin")
    return found if found and b"/ld-linux" not in pathlib.Path(found).read_bytes() else None


def shell_variables(values):
    return "".join(f"{name}={shlex.quote(str(value))}\n" for name, value in values.items())


def guest_environment(plan, host):
    """What the command finds, besides --env."""
    return {
        "PATH": PATH, "HOME": "/root", "LANG": "C.UTF-8", "TERM": "dumb",
        "VERBS_VM_HOST": host, "VERBS_VM_HOSTS": len(plan.hosts), "VERBS_VM_ADDRESS": network.address(0, host),
        "VERBS_VM_DEVICE": "rxe0", **plan.environment,
    }


def command_text(plan, host):
    """The shell script that runs in the guest."""
    lines = [f"export {line}" for line in shell_variables(guest_environment(plan, host)).splitlines(True)]
    return "".join(lines) + f"cd {shlex.quote(plan.folder)} || exit 125\n{plan.hosts[host].command}\n"


def settings_text(plan, host, end_mark):
    """Variables that init reads."""
    return shell_variables({"name": network.host_name(host), "writable": len(plan.writable), "end_mark": end_mark})


def archive(plan, host, end_mark):
    """cpio bytes; they follow the archive of modules."""
    count = len(plan.hosts)
    texts = {
        "settings": settings_text(plan, host, end_mark),
        "command": command_text(plan, host),
        "hosts": network.hosts_file(count, plan.rails),
        "ip": network.ip_batch(host, count, plan.rails, plan.hosts[host].mtu),
        "rdma": network.rdma_batch(plan.rails),
        "tc": network.tc_batch(plan.hosts[host].netem),
        **{f"writable.{number}": folder + "\n" for number, folder in enumerate(plan.writable)},
    }
    files = {f"job/{name}": (cpio_archive.TEXT, text.encode()) for name, text in texts.items()}
    files["init"] = (cpio_archive.PROGRAM, (HERE / "guest_init.sh").read_bytes())
    files["job/verbs-vm-fault"] = (cpio_archive.PROGRAM, (HERE / "guest_fault.sh").read_bytes())
    files["bin/busybox"] = (cpio_archive.PROGRAM, pathlib.Path(busybox()).read_bytes())
    return cpio_archive.archive(files, FOLDERS)

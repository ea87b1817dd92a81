# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Which kernel modules a guest loads, in which order: what the listed ones need comes first.
import re

from verbs_vm.outcome import Unavailable

# rxe asks the kernel for a crc32; crc32-generic is the faster one under software emulation, so no other is carried.
WANTED = ("virtio_pci", "virtio_console", "virtio_net", "crc32_generic", "crc32c_generic", "9pnet_virtio", "9p",
          "overlay", "ib_uverbs", "ib_umad", "rdma_ucm", "rdma_rxe", "sch_netem")
# Where these and their dependencies live; a whole kernel package has ten times as much.
FOLDERS = ("arch/x86/crypto", "crypto", "drivers/char", "drivers/infiniband/core", "drivers/infiniband/sw",
           "drivers/net", "drivers/virtio", "fs/9p", "fs/configfs", "fs/fscache", "fs/netfs", "fs/overlayfs", "lib", "net")
DEPENDS = re.compile(rb"\0depends=([^\0]*)\0")


def module_name(path):
    """rdma_rxe for .../rdma_rxe.ko.xz; the kernel takes - and _ for the same."""
    return path.rsplit("/", 1)[-1].split(".ko")[0].replace("-", "_")


def in_wanted_folder(path):
    return ".ko" in path and any(f"/kernel/{folder}/" in path for folder in FOLDERS)


def dependencies(content):
    """Names in the depends= line of a module's .modinfo section."""
    found = DEPENDS.search(content)
    return [name.replace("-", "_") for name in found[1].decode().split(",") if name] if found else []


def load_order(modules, built_in, wanted=WANTED):
    """Names in the order of loading. modules: name -> content; Unavailable if one is neither there nor built in."""
    order, visiting = [], set()

    def visit(name):
        if name in visiting or name in built_in:
            return
        if name not in modules:
            raise Unavailable(f"the kernel package has no module {name}")
        visiting.add(name)
        for needed in dependencies(modules[name]):
            visit(needed)
        order.append(name)

    for name in wanted:
        visit(name)
    return order

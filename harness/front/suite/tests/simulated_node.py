# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# A pretended node for tests: eight simulated GPUs with NVML, a PCI bus, counters and a kernel log below a folder,
# its own host name, planted faults and a virtual clock. Usage, here and in tests of campaigns:
#
#   node = SimulatedNode(folder / "n3", host="n3", faults="slow:5:4", seed=3)
#   ended = node.assay("burn-in", "--plan", PLAN, "--rounds", "2")       # CompletedProcess with .stdout
#   subprocess.run([...], env=node.environment)                          # whatever else is to run on it
#
# Several nodes may run at once, each in a folder of its own. GPU 5 is the GPU in slot 5, named by its PCI address:
# address_of(5) is 0000:60:00.0, also where another is missing and its index is 4. With `rails` it has as many adapters,
# mlx5_0 and so on, each below the root port of a GPU; nodes that are given one `fabric`, a file, reach each other.
import os
import pathlib
import subprocess

BUILD = pathlib.Path(os.environ["ASSAY_BUILD_DIR"])
ASSAY = BUILD / "bin" / "assay"
PROGRAMS = BUILD / "simulated"
NVML = PROGRAMS / "libsimulated_nvml.so"
# What of the real host the pretended one shares.
SHARED = ("/proc/cpuinfo", "/proc/meminfo", "/proc/self", "/proc/sys/kernel/osrelease", "/sys/devices/system/cpu",
          "/sys/devices/system/node", "/sys/kernel/mm", "/etc/os-release")
# Name: how many words it has.
FAULTS = {"slow": 3, "fades": 3, "throttles_together": 2, "wrong_once_in": 3, "missing": 2, "pcie_width": 3, "driver": 2, "c2c": 2,
          "rail_slow": 3, "cable_errors": 3, "crosswise": 3}
AER = {"aer_dev_correctable": "TOTAL_ERR_COR 0", "aer_dev_nonfatal": "TOTAL_ERR_NONFATAL 0",
       "aer_dev_fatal": "TOTAL_ERR_FATAL 0"}
PORT_COUNTERS = ("symbol_error", "link_error_recovery", "link_downed", "local_link_integrity_errors", "excessive_buffer_overrun_errors",
                 "port_rcv_errors", "port_rcv_remote_physical_errors", "port_rcv_switch_relay_errors", "port_rcv_constraint_errors",
                 "port_xmit_constraint_errors", "port_xmit_discards", "port_xmit_wait", "port_rcv_data", "port_xmit_data")
ADAPTER_COUNTERS = ("out_of_sequence", "packet_seq_err", "implied_nak_seq_err", "local_ack_timeout_err", "rnr_nak_retry_err",
                    "duplicate_request", "req_transport_retries_exceeded", "out_of_buffer")



def lacking(*modules):
    """Programs that were not built."""
    programs = [PROGRAMS / f"assay-{module}" for module in modules or ("gemm", "memory")]
    return [path.name for path in (ASSAY, NVML, *programs) if not path.exists()]


def address_of(slot):
    return f"0000:{(slot + 1) * 16:02x}:00.0"


class SimulatedNode:
    def __init__(self, folder, host="n1", gpus=8, faults="", seed=1, rails=0, fabric=None):
        self.folder = pathlib.Path(folder)
        self.root = self.folder / "root"
        self.root.mkdir(parents=True)
        self.faults = [fault.split(":") for fault in faults.split(",") if fault]
        for fault in self.faults:
            if len(fault) != FAULTS.get(fault[0]):
                raise ValueError(f"{':'.join(fault)}: expected one of {', '.join(FAULTS)} with its values")
        self.environment = {**os.environ, "ASSAY_SIMULATED_NODE": str(self.root), "ASSAY_SIMULATED_GPUS": str(gpus),
                            "ASSAY_SIMULATED_FAULT": faults, "ASSAY_SIMULATED_SEED": str(seed),
                            "ASSAY_SIMULATED_RAILS": str(rails), "ASSAY_NVML_LIBRARY": str(NVML),
                            "ASSAY_SIMULATED_FABRIC": str(fabric or self.folder / "fabric")}
        self._share()
        self._write("proc/sys/kernel/hostname", host)
        self._write("proc/sys/kernel/random/boot_id", f"51a00000-0000-4000-8000-{seed:012d}")
        self._write("dev/kmsg", "5,0,0,-;Linux version 6.1.0-28-amd64")
        self._write("sys/class/dmi/id/sys_vendor", "simulated")
        self._write("sys/class/dmi/id/product_name", f"node of {gpus} GPUs")
        for counter in ("ce_count", "ue_count"):
            self._write(f"sys/devices/system/edac/mc/mc0/{counter}", "0")
        self._write("proc/mounts", "/dev/root / ext4 rw 0 0")
        self._write("answers/space", "/ 1000000000000 600000000000 1000000 900000")
        self._write("answers/clock", "8193 3 1500")
        if rails > 0:
            self._write("sys/module/nvidia_peermem/version", "580.95.05")
        for slot in range(gpus):
            self._write_gpu(slot)
        for rail in range(rails):
            self._write_adapter(rail, rail * gpus // rails, seed)

    def assay(self, *words, timeout=300):
        """Runs a command of assay on this node, in its folder; stdout and stderr are joined."""
        words = list(map(str, words))
        if words[0] in ("run", "burn-in"):
            words[1:1] = ["--programs", str(PROGRAMS)]
        return subprocess.run([ASSAY, *words], cwd=self.folder, env=self.environment, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=timeout, check=False)

    def _share(self):
        for path in map(pathlib.Path, SHARED):
            if not path.exists():
                continue
            here = self.root / path.relative_to("/")
            here.parent.mkdir(parents=True, exist_ok=True)
            here.symlink_to(path)

    def _write(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text + "\n")

    def _lanes(self, slot):
        return next((fault[2] for fault in self.faults if fault[0] == "pcie_width" and int(fault[1]) == slot), "16")

    def _write_gpu(self, slot):
        port = f"pci0000:{(slot + 1) * 16:02x}/0000:{(slot + 1) * 16 - 15:02x}:01.0"
        self._write_root_port(port, slot)
        self._write_device(f"{port}/{address_of(slot)}", self._numa_node(slot), "0x10de", "0x030200", self._lanes(slot))

    def _write_adapter(self, rail, slot, seed):
        address, device = f"0000:{(slot + 1) * 16 + 1 + rail % 8:02x}:00.0", f"sys/class/infiniband/mlx5_{rail}"
        port = f"pci0000:{(slot + 1) * 16:02x}/0000:{(slot + 1) * 16 - 14 + rail % 8:02x}:02.0"
        self._write_root_port(port, slot)
        self._write_device(f"{port}/{address}", self._numa_node(slot), "0x15b3", "0x020000", "16")
        crossed = next(([int(fault[1]), int(fault[2])] for fault in self.faults if fault[0] == "crosswise"), [])
        leaf = crossed[1 - crossed.index(rail)] if rail in crossed else rail
        number = seed % 1024
        files = {"fw_ver": "28.39.1002", "board_id": "simulated", "hca_type": "MT4129", "node_desc": f"simulated {rail}",
                 "node_guid": f"a088:c2{rail:02x}:0000:{number:04x}", "sys_image_guid": f"a088:c2{rail:02x}:0000:{number:04x}"}
        state = {"state": "4: ACTIVE", "phys_state": "5: LinkUp", "rate": "400 Gb/sec (4X NDR)", "link_layer": "Ethernet", "lid": "0x0",
                 "gids/0": f"0000:0000:0000:0000:0000:ffff:0a{leaf:02x}:{number // 250:02x}{1 + number % 250:02x}",
                 "gid_attrs/types/0": "RoCE v2", "gid_attrs/ndevs/0": f"rail{rail}",
                 **{f"counters/{name}": "0" for name in PORT_COUNTERS}, **{f"hw_counters/{name}": "0" for name in ADAPTER_COUNTERS}}
        for name, text in [*files.items(), *((f"ports/1/{name}", text) for name, text in state.items())]:
            self._write(f"{device}/{name}", text)
        (self.root / device / "device").symlink_to(f"../../../devices/{port}/{address}")
        self._write(f"sys/class/infiniband_verbs/uverbs{rail}/ibdev", f"mlx5_{rail}")
        self._write(f"sys/class/net/rail{rail}/mtu", "9000")
        self._write(f"answers/rail{rail}.statistics", "rx_corrected_bits_phy 0\nrx_pcs_symbol_err_phy 0\nlink_down_events_phy 0")
        self._write_cable(f"answers/rail{rail}.module.0")

    def _write_cable(self, page):
        """A QSFP28 of passive copper, by SFF-8636."""
        upper = bytearray(128)
        upper[0], upper[147 - 128] = 0x11, 0xA0
        for offset, half in ((0, b"\x11".ljust(128, b"\0")), (128, bytes(upper))):
            (self.root / f"{page}.{offset}").write_bytes(half)

    def _write_root_port(self, path, slot):
        self._write_device(path, self._numa_node(slot), "0x1000", "0x060400", "16")
        self._write(f"sys/bus/pci_express/drivers/aer/{path.rpartition('/')[2]}:pcie002", "")

    def _numa_node(self, slot):
        return str(slot // 4) if pathlib.Path("/sys/devices/system/node/node1").exists() else "0"

    def _write_device(self, path, numa, vendor, kind, lanes):
        device = f"sys/devices/{path}"
        files = {"vendor": vendor, "class": kind, "numa_node": numa, "current_link_width": lanes, "max_link_width": "16",
                 "current_link_speed": "32.0 GT/s PCIe", "max_link_speed": "32.0 GT/s PCIe", **AER}
        for name, text in files.items():
            self._write(f"{device}/{name}", text)
        link = self.root / "sys/bus/pci/devices" / path.rpartition("/")[2]
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(f"../../../devices/{path}")

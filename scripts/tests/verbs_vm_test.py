#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# What scripts/verbs-vm decides without a virtual machine: addresses, QEMU's command line, the order of
# modules, the guests' output, and why it cannot run. Its own command line: verbs_vm_arguments_test.py.
import io
import os
import pathlib
import platform
import shutil
import socket
import struct
import sys
import tempfile
import threading
import unittest
from unittest import mock

SCRIPTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SCRIPTS))

# The imports need the line above.
from verbs_vm import arguments, availability, command_line, cpio_archive, guest_files, kernel_image, kernel_modules, kernel_package
from verbs_vm import monitor, network, qemu_command, run_folder, time_stamp_counter
from verbs_vm.guest_output import GuestOutput
from verbs_vm.outcome import MachineError, NotReady, Unavailable


def plan_of(*words):
    return arguments.run_plan(arguments.parse(["run", *words]))


class Boots(unittest.TestCase):
    def boot(self, *outcomes):
        """What run() made of such outcomes of its boots, the limits of these, and what it wrote."""
        with mock.patch.object(kernel_image, "ensure"), mock.patch("sys.stderr", new=io.StringIO()) as said, \
                mock.patch.object(command_line, "run_once", side_effect=outcomes) as run_once:
            try:
                result = command_line.run(plan_of("--boot-limit", "30", "--", "true"))
            except MachineError as error:
                result = str(error)
        return result, [call.args[0].boot_limit_s for call in run_once.call_args_list], said.getvalue()

    def test_hosts_that_hang_are_started_again_within_the_limit(self):
        said = "verbs-vm: h0 hangs\nverbs-vm: all hosts are started again\n"
        self.assertEqual(self.boot(NotReady("h0 hangs"), 3), (3, [15, 15], said))
        self.assertEqual(self.boot(NotReady("h0 hangs"), NotReady("h1 hangs")), ("h1 hangs", [15, 15], said))

    def test_hosts_that_died_are_not(self):
        self.assertEqual(self.boot(MachineError("h0 died")), ("h0 died", [15], ""))

    def test_hosts_that_boot_are_started_once(self):
        self.assertEqual(self.boot(0), (0, [15], ""))


class Network(unittest.TestCase):
    def test_a_host_knows_its_neighbours_without_asking(self):
        self.assertEqual(network.ip_batch(1, 2, 1, 1500).splitlines(), [
            "link set lo up", "link set eth0 mtu 1500", "link set eth0 up", "addr add 10.77.0.2/24 dev eth0",
            "neigh replace 10.77.0.1 lladdr 52:54:00:77:00:01 dev eth0 nud permanent",
            "neigh replace fe80::5054:ff:fe77:0001 lladdr 52:54:00:77:00:01 dev eth0 nud permanent"])

    def test_a_second_rail_has_names_and_a_device(self):
        self.assertEqual(network.hosts_file(2, 2).splitlines(), [
            "127.0.0.1 localhost", "10.77.0.1 h0", "10.77.0.2 h1", "10.77.1.1 h0-rail1", "10.77.1.2 h1-rail1"])
        self.assertEqual(network.rdma_batch(2), "link add rxe0 type rxe netdev eth0\nlink add rxe1 type rxe netdev eth1\n")

    def test_a_clean_wire_has_no_queueing_discipline(self):
        self.assertEqual(network.tc_batch(("",)), "")
        self.assertEqual(network.tc_batch(("loss 1%",)), "qdisc add dev eth0 root netem loss 1%\n")
        self.assertEqual(network.tc_batch(("", "loss 1%")), "qdisc add dev eth1 root netem loss 1%\n")


class QemuCommandLine(unittest.TestCase):
    IMAGE = kernel_image.Image(pathlib.Path("/cache/vmlinux"), pathlib.Path("/cache/modules.cpio"))
    FILES = {"initramfs": "/tmp/h1.initramfs", "console": "/tmp/h1.console"}
    DESCRIPTORS = {"control": 10, "output": 11, "error": 12, "fault": 13, "monitor": 14}

    def command(self, *words, wires=(20,)):
        return qemu_command.host_command(plan_of(*words), 1, self.IMAGE, self.FILES, self.DESCRIPTORS, wires)

    def kernel_line(self, *words):
        command = self.command(*words)
        return command[command.index("-append") + 1].split()

    def test_the_root_is_read_only_and_nothing_reaches_the_network(self):
        command = self.command("--hosts", "2", "--", "x")
        self.assertIn(
            "local,id=root,path=/,readonly=on,security_model=none,multidevs=remap", command)
        self.assertEqual([word for before, word in zip(command, command[1:]) if before == "-netdev"],
                         ["stream,id=wire0,server=off,addr.type=fd,addr.str=20"])

    def test_it_dies_with_the_runner_and_with_a_panic(self):
        command = self.command("--hosts", "2", "--", "x")
        self.assertEqual(command[:4], ["setpriv", "--pdeathsig", "KILL", "qemu-system-x86_64"])
        self.assertIn("-no-reboot", command)
        self.assertIn("panic=-1", self.kernel_line("--hosts", "2", "--", "x"))

    def test_virtual_time_counts_instructions(self):
        command = self.command("--icount", "--", "x")
        self.assertEqual(command[command.index("-icount") + 1], "shift=0,sleep=off")
        self.assertEqual(command[command.index("-smp") + 1], "1")
        self.assertNotIn("-icount", self.command("--", "x"))

    def test_a_guest_is_told_the_rate_of_its_clock(self):
        with mock.patch.object(time_stamp_counter, "kilohertz", return_value=2596122):
            self.assertIn("tsc_early_khz=2596122", self.kernel_line("--", "x"))
            self.assertNotIn("tsc_early_khz", " ".join(self.kernel_line("--icount", "--", "x")))
        with mock.patch.object(time_stamp_counter, "kilohertz", return_value=None):
            self.assertNotIn("tsc_early_khz", " ".join(self.kernel_line("--", "x")))

    def test_a_writable_folder_is_a_share_of_its_own(self):
        with tempfile.TemporaryDirectory(suffix=",comma") as folder:
            command = self.command("--rw", folder, "--", "x")
            doubled = os.path.realpath(folder).replace(",", ",,")
        self.assertIn(f"local,id=writable0,path={doubled},security_model=none,multidevs=remap", command)

    def test_two_rails_are_two_cards(self):
        command = self.command("--rails", "2", "--hosts", "2", "--", "x", wires=(20, 21))
        self.assertIn("virtio-net-pci,netdev=wire1,id=card1,romfile=,mac=52:54:00:77:01:02", command)

    def test_a_switch_joins_its_ports_in_a_hub(self):
        command = qemu_command.switch_command([7, 8, 9])
        self.assertEqual(command.count("-netdev"), 6)
        self.assertIn("hubport,id=port2,hubid=0,netdev=wire2", command)


class TimeStampCounter(unittest.TestCase):
    @unittest.skipUnless(platform.machine() == "x86_64", "virtual hosts need x86_64")
    def test_its_rate_is_the_same_at_any_time(self):
        measure = time_stamp_counter.kilohertz.__wrapped__
        first = measure()
        self.assertGreater(first, 100_000)
        self.assertAlmostEqual(measure() / first, 1, delta=1e-3)

    def test_it_is_not_read_where_code_cannot_be_made(self):
        with mock.patch.object(time_stamp_counter.mmap, "mmap", side_effect=PermissionError):
            self.assertIsNone(time_stamp_counter.kilohertz.__wrapped__())


class Guest(unittest.TestCase):
    def test_the_command_has_its_folder_and_variables(self):
        with mock.patch.object(os, "getcwd", return_value="/a folder"):
            text = guest_files.command_text(plan_of("--env", "X=a'b", "--hosts", "2", "--", "run me"), 1)
        self.assertIn("export VERBS_VM_HOST=1\n", text)
        self.assertIn("export VERBS_VM_ADDRESS=10.77.0.2\n", text)
        self.assertIn("export X='a'\"'\"'b'\n", text)
        self.assertTrue(text.endswith("cd '/a folder' || exit 125\n'run me'\n"), text)

    def test_an_archive_is_in_the_form_that_the_kernel_reads(self):
        data = cpio_archive.archive({"a/b": (cpio_archive.TEXT, b"hello")}, ["a"])
        self.assertEqual(data[:112], b"070701" b"00000001" b"000041ED" b"00000000" b"00000000" b"00000001" b"00000000"
                                     b"00000000" + 4 * b"00000000" + b"00000002" b"00000000" b"a\0")
        self.assertEqual(data[112:], b"070701" b"00000002" b"000081A4" b"00000000" b"00000000" b"00000001" b"00000000"
                                     b"00000005" + 4 * b"00000000" + b"00000004" b"00000000" b"a/b\0\0\0" b"hello\0\0\0" +
                         b"070701" b"00000003" b"00000000" b"00000000" b"00000000" b"00000001" b"00000000"
                         b"00000000" + 4 * b"00000000" + b"0000000B" b"00000000" b"TRAILER!!!\0\0\0\0")


class Modules(unittest.TestCase):
    @staticmethod
    def module(*needed):
        return b"\0license=GPL\0depends=" + ",".join(needed).encode() + b"\0name=x\0"

    def test_what_a_module_needs_comes_first(self):
        modules = {"rdma_rxe": self.module("ib-core", "udp_tunnel"), "ib_core": self.module("configfs"),
                   "configfs": self.module(), "unused": self.module()}
        self.assertEqual(kernel_modules.load_order(modules, {"udp_tunnel"}, ["rdma_rxe"]), ["configfs", "ib_core", "rdma_rxe"])

    def test_a_module_that_is_nowhere_is_a_reason(self):
        with self.assertRaisesRegex(Unavailable, "the kernel package has no module rdma_rxe"):
            kernel_modules.load_order({}, set(), ["rdma_rxe"])

    def test_a_path_gives_the_name_that_the_kernel_uses(self):
        self.assertEqual(kernel_modules.module_name("./lib/modules/6/kernel/lib/crc-t10dif.ko.xz"), "crc_t10dif")

    def test_an_unknown_packing_of_the_kernel_is_a_reason(self):
        image = bytearray(4096)
        struct.pack_into("<II", image, kernel_package.PAYLOAD, 0, 100)
        with self.assertRaisesRegex(Unavailable, "cannot unpack"):
            kernel_package.elf_kernel(bytes(image))


class Output(unittest.TestCase):
    def output(self, prefix, *pieces):
        sink = io.BytesIO()
        output = GuestOutput(sink, b"\x1eEND", prefix)
        for piece in pieces:
            output.feed(piece)
        return output, sink

    def test_the_end_mark_is_found_in_pieces_and_not_shown(self):
        output, sink = self.output(b"", b"text\x1eE", b"N", b"D", b"later")
        self.assertEqual((sink.getvalue(), output.has_ended), (b"text", True))

    def test_what_only_looked_like_the_end_mark_is_shown(self):
        output, sink = self.output(b"", b"a\x1eEN", b"X\x1e", b"\x1eEND")
        self.assertEqual((sink.getvalue(), output.has_ended), (b"a\x1eENX\x1e", True))

    def test_lines_get_the_host_in_front(self):
        output, sink = self.output(b"[h1] ", b"one\ntw", b"o\nthree\x1eEND")
        self.assertEqual((sink.getvalue(), output.has_ended), (b"[h1] one\n[h1] two\n[h1] three\n", True))

    def test_a_host_that_dies_loses_no_open_line(self):
        output, sink = self.output(b"[h1] ", b"last wor")
        output.flush()
        self.assertEqual(sink.getvalue(), b"[h1] last wor\n")


class QemuMonitor(unittest.TestCase):
    def answers(self, *lines):
        """A monitor whose QEMU says these lines."""
        mine, his = socket.socketpair()
        self.addCleanup(mine.close)
        his.sendall(b"".join(line + b"\n" for line in lines))
        reader = threading.Thread(target=his.recv, args=(4096,))
        reader.start()
        self.addCleanup(his.close)
        self.addCleanup(reader.join)
        watched = monitor.Monitor(mine)
        self.addCleanup(watched.close)
        return watched

    def test_events_between_are_passed_over(self):
        watched = self.answers(b'{"QMP": {}}', b'{"return": {}}', b'{"event": "STOP"}', b'{"return": {"x": 1}}')
        self.assertEqual(watched.execute("set_link", name="card0", up=False), {"x": 1})

    def test_a_refusal_is_an_error_with_its_reason(self):
        watched = self.answers(b'{"QMP": {}}', b'{"return": {}}', b'{"error": {"class": "x", "desc": "no such device"}}')
        with self.assertRaisesRegex(MachineError, "QEMU refused: no such device"):
            watched.execute("set_link", name="card9", up=False)


class RunFolder(unittest.TestCase):
    def test_what_a_killed_run_left_goes_and_what_is_in_use_stays(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(tempfile, "tempdir", folder):
            abandoned, young, foreign = (pathlib.Path(folder) / name for name in ("verbs-vm-a", "verbs-vm-b", "other"))
            for left in (abandoned, young, foreign):
                left.mkdir()
            with run_folder.run_folder() as used:
                for old in (abandoned, foreign, pathlib.Path(used)):
                    os.utime(old, (1, 1))
                run_folder.remove_abandoned()
                names = {entry.name for entry in pathlib.Path(folder).iterdir()}
            self.assertEqual(names, {young.name, foreign.name, pathlib.Path(used).name})
            self.assertFalse(pathlib.Path(used).exists())


class Availability(unittest.TestCase):
    def test_missing_programs_are_named_by_package(self):
        with mock.patch("shutil.which", lambda name, path=None: None if name.startswith("qemu") else sys.executable), \
                mock.patch.object(guest_files, "busybox", lambda: None), \
                self.assertRaisesRegex(Unavailable, r"not installed: busybox-static, qemu-system-x86 \(scripts/setup --for verbs\)"):
            availability.check_programs()

    def test_another_processor_is_a_reason(self):
        with mock.patch("platform.machine", lambda: "aarch64"), self.assertRaisesRegex(Unavailable, "this machine is aarch64"):
            availability.check_programs()


class KernelPackage(unittest.TestCase):
    def reason(self, apt_cache, apt_get=""):
        """Why the package cannot be fetched, with these two programs in place of apt's own."""
        with tempfile.TemporaryDirectory() as folder:
            for name, body in (("apt-cache", apt_cache), ("apt-get", apt_get)):
                program = pathlib.Path(folder) / name
                program.write_text(f"#!{shutil.which('sh')}\n{body}\n")
                program.chmod(0o755)
            with mock.patch.dict(os.environ, {"PATH": folder}), self.assertRaises(Unavailable) as caught:
                kernel_package.fetch(folder)
        return str(caught.exception)

    def test_a_package_that_apt_does_not_know_is_a_reason(self):
        self.assertEqual(self.reason("exit 0"),
                         "the Debian kernel cannot be fetched: apt knows no linux-image-amd64 (apt-get update?)")

    def test_a_package_that_does_not_arrive_is_a_reason(self):
        self.assertEqual(self.reason("echo 'Depends: linux-image-6.1.0-1-amd64 (= 6)'",
                                     "echo 'E: first' >&2; echo 'E: no route' >&2; exit 100"),
                         "linux-image-6.1.0-1-amd64 cannot be fetched: E: no route")

    def test_a_cache_that_cannot_be_written_is_a_reason(self):
        with tempfile.NamedTemporaryFile() as file, mock.patch.dict(os.environ, {"XDG_CACHE_HOME": file.name}), \
                self.assertRaisesRegex(Unavailable, "cannot be kept in .*: Not a directory"):
            kernel_image.ensure()


if __name__ == "__main__":
    unittest.main()

# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# One virtual host: its QEMU process, the channels to its init, and what it has said so far.
import contextlib
import pathlib
import socket
import subprocess

from verbs_vm import guest_files, network, qemu_command
from verbs_vm.monitor import Monitor
from verbs_vm.outcome import MachineError

TAIL_LINES = 25
END_OF_KERNEL = ("Kernel panic", "BUG:", "Oops")


class VirtualMachine(contextlib.ExitStack):
    """Runs from __enter__ to __exit__. channels: name -> our end of each of qemu_command.CHANNELS."""

    def __init__(self, plan, host, image, folder, end_mark):
        super().__init__()
        self.plan_, self.image_, self.end_mark_ = plan, image, end_mark
        self.host, self.name = host, network.host_name(host)
        folder = pathlib.Path(folder)
        self.files_ = {kind: folder / f"{self.name}.{kind}" for kind in ("initramfs", "console", "qemu")}
        self.channels = {}
        self.is_ready = False
        self.is_expected_to_die = False
        self.status = None  # of its command

    def start(self, wire_ends):
        """wire_ends: one socket per rail."""
        made_for_this_run = guest_files.archive(self.plan_, self.host, self.end_mark_)
        self.files_["initramfs"].write_bytes(self.image_.modules.read_bytes() + made_for_this_run)
        with contextlib.ExitStack() as theirs:
            descriptors = {name: self.open_channel(name, theirs) for name in (*qemu_command.CHANNELS, "monitor")}
            wires = [end.fileno() for end in wire_ends]
            command = qemu_command.host_command(self.plan_, self.host, self.image_, self.files_, descriptors, wires)
            said = theirs.enter_context(open(self.files_["qemu"], "wb"))
            passed = [*descriptors.values(), *wires]
            self.process_ = subprocess.Popen(command, pass_fds=passed, stdin=subprocess.DEVNULL,
                                             stdout=said, stderr=said, start_new_session=True)
        self.callback(self.process_.wait)
        self.callback(self.process_.kill)
        self.monitor_ = self.enter_context(contextlib.closing(Monitor(self.channels.pop("monitor"))))

    def open_channel(self, name, theirs):
        """Keeps one end of a new channel; the descriptor of the other, which theirs closes."""
        mine, his = socket.socketpair()
        self.channels[name] = self.enter_context(contextlib.closing(mine))
        theirs.enter_context(contextlib.closing(his))
        return his.fileno()

    def send(self, channel, line):
        with contextlib.suppress(BrokenPipeError):  # of a host that died: its closed channels show that
            self.channels[channel].sendall(f"{line}\n".encode())

    def hear(self, line):
        """Takes in a line from init."""
        word, _, rest = line.partition(" ")
        if word == "ready":
            self.is_ready = True
        elif word == "exit":
            self.status = int(rest)
        else:
            raise MachineError(f"{self.name} could not be set up: {rest or line}{self.last_words()}")

    def apply(self, action):
        """One of run_plan.ACTIONS."""
        if action == "kill":
            self.is_expected_to_die = True
            self.process_.kill()
            return
        for rail in range(self.plan_.rails):
            self.monitor_.execute("set_link", name=f"card{rail}", up=action == "restore")

    def how_it_died(self):
        crashed = any(marks_end_of_kernel(line) for line in self.lines_of("console"))
        return f"{self.name} died" + (": its kernel crashed" if crashed else "") + self.last_words()

    def last_words(self):
        """What QEMU and the console said last, for an error; a kernel that panicked says why first."""
        return "".join(f"\n  {self.name} {kind}: {line}" for kind in ("qemu", "console")
                       for line in worth_showing(self.lines_of(kind)))

    def lines_of(self, kind):
        file = self.files_[kind]
        text = file.read_text(errors="replace") if file.exists() else ""
        return [line.rstrip() for line in text.splitlines() if line.strip()]


def marks_end_of_kernel(line):
    return any(words in line for words in END_OF_KERNEL)


def worth_showing(lines):
    """The lines worth showing: from the kernel's end on, or else the last ones."""
    for number, line in enumerate(lines):
        if marks_end_of_kernel(line):
            return lines[number:number + TAIL_LINES]
    return lines[-TAIL_LINES:]

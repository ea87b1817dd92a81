# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Watches the virtual hosts of one run: starts their commands together, passes their output on, applies faults, and
# decides when and how the run ends.
import contextlib
import selectors
import sys
import time

from verbs_vm.guest_output import GuestOutput
from verbs_vm.outcome import MachineError, NotReady, TimeLimit
from verbs_vm.run_plan import ACTIONS

CHUNK = 1 << 16
LONGEST_NAP_S = 1.0


class Supervisor(contextlib.ExitStack):
    def __init__(self, plan, machines, end_mark):
        super().__init__()
        self.plan_, self.machines_ = plan, machines
        self.selector_ = self.enter_context(contextlib.closing(selectors.DefaultSelector()))
        self.lines_ = {}  # (host, channel) -> bytes without a line end yet
        self.outputs_ = {}
        self.pending_ = sorted(plan.actions, key=lambda action: action.after_s)
        self.started_ = self.first_failure_ = None
        for machine in machines:
            self.listen(machine, end_mark)

    def listen(self, machine, end_mark):
        prefix = f"[{machine.name}] ".encode() if self.plan_.has_prefix else b""
        for name, stream in (("output", sys.stdout.buffer), ("error", sys.stderr.buffer)):
            self.outputs_[machine.host, name] = GuestOutput(stream, end_mark, prefix)
        for name, channel in machine.channels.items():
            self.selector_.register(channel, selectors.EVENT_READ, (machine, name))

    def supervise(self):
        """Exit status of the run: that of the first host, by number, whose command failed. Raises Stopped otherwise."""
        began = time.monotonic()
        self.boot(began + self.plan_.boot_limit_s)
        self.note(f"all hosts ready after {time.monotonic() - began:.1f} s")
        self.started_ = time.monotonic()
        for machine in self.machines_:
            machine.send("control", "go")
        try:
            return self.watch()
        finally:
            for output in self.outputs_.values():
                output.flush()

    def boot(self, deadline):
        while not all(machine.is_ready for machine in self.machines_):
            if time.monotonic() > deadline:
                late = [machine for machine in self.machines_ if not machine.is_ready]
                names = ", ".join(machine.name for machine in late)
                raise NotReady(f"{names} not ready after {self.plan_.boot_limit_s:g} s{late[0].last_words()}")
            self.step(LONGEST_NAP_S)

    def watch(self):
        while True:
            self.step(self.nap_s())
            self.apply_due_actions()
            running = [machine for machine in self.waited_for() if not self.has_ended(machine)]
            failed = [machine for machine in self.waited_for() if machine.status]
            if not running:
                return failed[0].status if failed else 0
            self.check_limits(running, failed)
            if failed and time.monotonic() > self.first_failure_ + self.plan_.grace_s:
                names = ", ".join(machine.name for machine in running)
                self.note(f"{failed[0].name} failed with status {failed[0].status}; ended {names} "
                          f"{self.plan_.grace_s:g} s later", always=True)
                return failed[0].status

    def check_limits(self, running, failed):
        if failed and self.first_failure_ is None:
            self.first_failure_ = time.monotonic()
        if self.elapsed_s() > self.plan_.time_limit_s:
            names = ", ".join(machine.name for machine in running)
            raise TimeLimit(f"time limit: {names} still running after {self.plan_.time_limit_s:g} s (--time-limit)")

    def waited_for(self):
        return [machine for machine, host in zip(self.machines_, self.plan_.hosts)
                if host.is_waited_for and not machine.is_expected_to_die]

    def has_ended(self, machine):
        outputs = [self.outputs_[machine.host, name] for name in ("output", "error")]
        return machine.status is not None and all(output.has_ended for output in outputs)

    def elapsed_s(self):
        return time.monotonic() - self.started_

    def nap_s(self):
        next_action = self.pending_[0].after_s - self.elapsed_s() if self.pending_ else LONGEST_NAP_S
        limit = self.plan_.time_limit_s - self.elapsed_s()
        return max(0.0, min(LONGEST_NAP_S, next_action, limit))

    def step(self, nap_s):
        """Takes in what the guests have said; waits up to nap_s for them to say something."""
        for key, _ in self.selector_.select(nap_s):
            machine, name = key.data
            data = self.received(key.fileobj)
            if not data:
                self.selector_.unregister(key.fileobj)
                self.lost(machine)
            elif name in ("output", "error"):
                self.outputs_[machine.host, name].feed(data)
            else:
                self.take_lines(machine, name, data)

    @staticmethod
    def received(channel):
        try:
            return channel.recv(CHUNK)
        except ConnectionError:
            return b""

    def lost(self, machine):
        """A channel closes when QEMU ends: a panic, a crash, or as planned."""
        if not machine.is_expected_to_die:
            raise MachineError(machine.how_it_died())

    def take_lines(self, machine, name, data):
        *lines, self.lines_[machine.host, name] = (self.lines_.get((machine.host, name), b"") + data).split(b"\n")
        for line in lines:
            if name == "control":
                machine.hear(line.decode(errors="replace"))
            else:
                self.answer_request(machine, line.decode(errors="replace"))

    def answer_request(self, asking, line):
        """A guest's `ACTION [hN]`; the answer releases the program that asked."""
        words = line.split()
        targets = {machine.name: machine for machine in self.machines_}
        target = targets.get(words[1], None) if len(words) == 2 else asking
        if not 1 <= len(words) <= 2 or words[0] not in ACTIONS or target is None:
            asking.send("fault", f"expected {'|'.join(ACTIONS)} and a host of {', '.join(targets)}; got '{line}'")
            return
        self.apply(target, words[0])
        if target is not asking or words[0] != "kill":
            asking.send("fault", "done")

    def apply_due_actions(self):
        while self.pending_ and self.elapsed_s() >= self.pending_[0].after_s:
            action = self.pending_.pop(0)
            self.apply(self.machines_[action.host], action.what)

    def apply(self, machine, action):
        if not machine.is_expected_to_die:
            machine.apply(action)
        self.note(f"{action} {machine.name} at {self.elapsed_s():.2f} s")

    def note(self, text, always=False):
        if always or self.plan_.is_verbose:
            print(f"verbs-vm: {text}", file=sys.stderr, flush=True)

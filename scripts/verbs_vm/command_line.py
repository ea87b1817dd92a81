# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# What scripts/verbs-vm does with its arguments.
import contextlib
import dataclasses
import os
import secrets
import signal
import sys

from verbs_vm import arguments, availability, kernel_image
from verbs_vm.outcome import INTERRUPTED, OUTPUT_CLOSED, NotReady, Stopped
from verbs_vm.run_folder import run_folder
from verbs_vm.supervisor import Supervisor
from verbs_vm.virtual_machine import VirtualMachine
from verbs_vm.wires import Wires


BOOTS = 2  # a kernel was seen to hang before it said anything


def run(plan):
    """Its exit status. Hosts that are not ready by half of the boot limit are started again."""
    image = kernel_image.ensure()
    part = dataclasses.replace(plan, boot_limit_s=plan.boot_limit_s / BOOTS)
    for _ in range(BOOTS - 1):
        try:
            return run_once(part, image)
        except NotReady as late:
            print(f"verbs-vm: {late}\nverbs-vm: all hosts are started again", file=sys.stderr, flush=True)
    return run_once(part, image)


def run_once(plan, image):
    """Everything made for the run is gone when it returns. Its exit status."""
    end_mark = f"\x1e{secrets.token_hex(16)}"
    with contextlib.ExitStack() as made:
        folder = made.enter_context(run_folder())
        wires = made.enter_context(Wires(len(plan.hosts), plan.rails))
        machines = [made.enter_context(VirtualMachine(plan, host, image, folder, end_mark))
                    for host in range(len(plan.hosts))]
        for machine in machines:
            machine.start(wires.ends[machine.host])
            wires.release(machine.host)
        return made.enter_context(Supervisor(plan, machines, end_mark.encode())).supervise()


def act(argv):
    chosen = arguments.parse(argv)
    plan = arguments.run_plan(chosen) if chosen.action == "run" else None
    availability.check()
    if plan:
        return run(plan)
    if chosen.action == "image":
        print(kernel_image.ensure(chosen.refresh).kernel.parent)
    else:
        print("virtual hosts can run here")
    return 0


def main(argv):
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        return act(argv)
    except Stopped as stopped:
        print(f"{stopped.prefix}{stopped}", file=sys.stderr)
        return stopped.status
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # whoever read our output has gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OUTPUT_CLOSED

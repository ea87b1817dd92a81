# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# The command line of scripts/verbs-vm, checked and turned into a run plan.
import argparse
import os
import pathlib
import re
import shlex

from verbs_vm import netem, network
from verbs_vm.outcome import UsageError
from verbs_vm.run_plan import ACTIONS, Action, HostPlan, RunPlan

MOST_HOSTS = 8
MOST_RAILS = 4
MTU = 4200  # gives rxe an active MTU of 4096
SHORTEST_MTU, LONGEST_MTU = 576, 65535
EPILOG = """\
In a guest: VERBS_VM_HOST (0, 1, ...), VERBS_VM_HOSTS, VERBS_VM_ADDRESS, VERBS_VM_DEVICE (rxe0); hosts are called h0,
h1, ...; `verbs-vm-fault cut|restore|kill [hN]` applies a fault at a chosen moment. A value of --mtu and of the
impairments holds for all hosts, or as hN=VALUE for one; an impairment also as hN.R=VALUE for its rail R.

Exit status: that of the first host, by number, whose command failed, else 0; 2 usage; 77 cannot run here (the line
says why); 124 time limit; 125 a host did not boot, could not be set up, or died."""


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise UsageError(f"{message} (see verbs-vm --help)")


def parser():
    """The actions `available`, `image` and `run`."""
    top = Parser(prog="verbs-vm", allow_abbrev=False, epilog=EPILOG,
                 formatter_class=argparse.RawDescriptionHelpFormatter,
                 description="Runs commands on virtual hosts with soft RoCE, over this machine's own files.")
    actions = top.add_subparsers(dest="action", parser_class=Parser, metavar="{available,image,run}")
    actions.add_parser("available", allow_abbrev=False, help="say in one line whether virtual hosts can run here")
    image = actions.add_parser("image", allow_abbrev=False, help="fetch the kernel and make the image, unless cached")
    image.add_argument("--refresh", action="store_true", help="build it again")
    run = actions.add_parser("run", allow_abbrev=False, help="run commands", epilog=EPILOG,
                             usage="verbs-vm run [options] [--on hN LINE]... [-- COMMAND [ARGUMENT...]]",
                             formatter_class=argparse.RawDescriptionHelpFormatter)
    add_host_options(run)
    add_wire_options(run)
    add_limit_options(run)
    return top


def add_host_options(run):
    run.add_argument("--hosts", type=int, help=f"1 to {MOST_HOSTS} (default: what --on names, else 1)")
    run.add_argument("--on", action="append", nargs=2, default=[], metavar=("hN", "LINE"),
                     help="a line of shell for one host; the others run COMMAND")
    run.add_argument("--background", action="append", default=[], metavar="hN",
                     help="do not wait for this host's command, nor count its status")
    run.add_argument("--rw", action="append", default=[], metavar="FOLDER", help="what is written here stays")
    run.add_argument("--env", action="append", default=[], metavar="NAME[=VALUE]",
                     help="a variable for the commands; without a value, this process's")
    run.add_argument("--processors", type=int, help="per host (default: 3 for a single host, else 1)")
    run.add_argument("--memory", type=int, default=1024, metavar="MIB", help="per host (default: 1024)")
    run.add_argument("--icount", action="store_true",
                     help="virtual time: the clock counts instructions. One host, one processor")
    run.add_argument("--no-prefix", action="store_true", help="no [hN] before the lines of several hosts")
    run.add_argument("--verbose", action="store_true", help="say when hosts are ready and faults applied")


def add_wire_options(run):
    run.add_argument("--rails", type=int, default=1, help=f"network cards per host, 1 to {MOST_RAILS}: rxe0, rxe1, ...")
    run.add_argument("--mtu", action="append", default=[], metavar="[hN=]BYTES",
                     help=f"of the network card (default: {MTU})")
    for name, (_, example) in netem.IMPAIRMENTS.items():
        run.add_argument(f"--{name}", action="append", default=[], metavar="[hN[.R]=]VALUE",
                         help=f"of a host's outgoing packets, e.g. {example.replace('%', '%%')}")
    run.add_argument("--at", action="append", nargs=3, default=[], metavar=("SECONDS", "hN", "ACTION"),
                     help=f"after the start: {', '.join(ACTIONS)} (cable pulled, put back; host gone)")


def add_limit_options(run):
    run.add_argument("--time-limit", type=float, default=120, metavar="S", help="for the commands (default: 120)")
    run.add_argument("--boot-limit", type=float, default=240, metavar="S",
                     help="for the hosts to be ready; they are started again after half of it (default: 240)")
    run.add_argument("--grace", type=float, default=10, metavar="S",
                     help="what is left to the others once a host has failed (default: 10)")


def parse(argv):
    """The checked arguments; `command` holds what stands after --."""
    argv = list(argv)
    split = argv.index("--") if "--" in argv else len(argv)
    arguments, unknown = parser().parse_known_args(argv[:split])
    if unknown:
        raise UsageError(f"unknown argument '{unknown[0]}' (see verbs-vm --help)")
    if arguments.action is None:
        raise UsageError("expected available, image or run (see verbs-vm --help)")
    arguments.command = argv[split + 1:]
    if arguments.command and arguments.action != "run":
        raise UsageError(f"{arguments.action} takes no command")
    return arguments


def host_number(text, hosts=MOST_HOSTS):
    if not re.fullmatch(r"h[0-7]", text) or int(text[1]) >= hosts:
        raise UsageError(f"expected a host of h0 to h{hosts - 1}, got '{text}'")
    return int(text[1])


def in_range(option, value, low, high):
    if value is not None and not low <= value <= high:
        raise UsageError(f"{option} takes {low} to {high}; got {value}")
    return value


def per_host(values, hosts):
    """[value or None for each host] from VALUE for all and hN=VALUE for one; the last word counts."""
    chosen = [None] * hosts
    for text in values:
        name, equals, value = text.partition("=")
        if equals:
            chosen[host_number(name, hosts)] = value
        else:
            chosen = [text] * hosts
    return chosen


def per_rail(values, hosts, rails):
    """[[value or None for each rail] for each host]: hN.R=VALUE for one rail; the last word counts."""
    chosen = [[None] * rails for _ in range(hosts)]
    for text in values:
        name, equals, value = text.partition("=")
        host, dot, rail = name.partition(".")
        if dot and equals:
            if not rail.isdigit() or int(rail) >= rails:
                raise UsageError(f"expected a rail of 0 to {rails - 1}, got '{name}'")
            chosen[host_number(host, hosts)][int(rail)] = value
        else:
            for number, one in enumerate(per_host([text], hosts)):
                chosen[number] = [one] * rails if one is not None else chosen[number]
    return chosen


def mtu(text):
    if text is None:
        return MTU
    if not text.isdigit():
        raise UsageError(f"--mtu takes a number of bytes; got '{text}'")
    return in_range("--mtu", int(text), SHORTEST_MTU, LONGEST_MTU)


def commands(arguments, hosts):
    """A line of shell for each host."""
    lines = [shlex.join(arguments.command) or None] * hosts
    for name, line in arguments.on:
        lines[host_number(name, hosts)] = line
    for host, line in enumerate(lines):
        if not line:
            name = network.host_name(host)
            raise UsageError(f"{name} has no command: give --on {name} LINE or -- COMMAND")
    return lines


def host_plans(arguments, hosts):
    rails = arguments.rails
    impairments = {name: per_rail(getattr(arguments, name), hosts, rails) for name in netem.IMPAIRMENTS}
    background = {host_number(name, hosts) for name in arguments.background}
    if len(background) == hosts:
        raise UsageError("--background names every host: there is nothing to wait for")
    lines, mtus = commands(arguments, hosts), per_host(arguments.mtu, hosts)
    plans = []
    for host in range(hosts):
        chosen = [{name: values[host][rail] for name, values in impairments.items() if values[host][rail] is not None}
                  for rail in range(rails)]
        plans.append(HostPlan(lines[host], mtu(mtus[host]), tuple(map(netem.text, chosen)), host not in background))
    return tuple(plans)


def action(seconds, name, what, hosts):
    if what not in ACTIONS:
        raise UsageError(f"--at takes {', '.join(ACTIONS)}; got '{what}'")
    if not re.fullmatch(r"\d+(\.\d+)?", seconds):
        raise UsageError(f"--at takes seconds from the start; got '{seconds}'")
    return Action(float(seconds), host_number(name, hosts), what)


def environment(entries):
    chosen = {}
    for entry in entries:
        name, equals, value = entry.partition("=")
        if not re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII):
            raise UsageError(f"--env takes NAME or NAME=VALUE; got '{entry}'")
        if not equals and name not in os.environ:
            raise UsageError(f"--env {name}: no such variable here; give --env {name}=VALUE")
        chosen[name] = value if equals else os.environ[name]
    return chosen


def writable(folders):
    for folder in folders:
        if not pathlib.Path(folder).is_dir():
            raise UsageError(f"--rw {folder}: no such folder")
    return tuple(str(pathlib.Path(folder).resolve()) for folder in folders)


def processors(arguments, hosts):
    if arguments.icount and (hosts > 1 or arguments.processors not in (None, 1)):
        raise UsageError("--icount works with one host of one processor: two clocks of this kind are unrelated")
    return arguments.processors or (3 if hosts == 1 and not arguments.icount else 1)


def run_plan(arguments):
    """UsageError for anything that cannot be meant."""
    named = max((host_number(name) + 1 for name, _ in arguments.on), default=1)
    hosts = in_range("--hosts", named if arguments.hosts is None else arguments.hosts, 1, MOST_HOSTS)
    in_range("--rails", arguments.rails, 1, MOST_RAILS)
    in_range("--processors", arguments.processors, 1, 8)
    in_range("--memory", arguments.memory, 256, 65536)
    for name in ("time_limit", "boot_limit", "grace"):
        in_range(f"--{name.replace('_', '-')}", getattr(arguments, name), 0, 86400)
    return RunPlan(
        hosts=host_plans(arguments, hosts), rails=arguments.rails, processors=processors(arguments, hosts),
        memory_mib=arguments.memory, is_virtual_time=arguments.icount, folder=os.getcwd(),
        writable=writable(arguments.rw), environment=environment(arguments.env),
        actions=tuple(action(*words, hosts) for words in arguments.at),
        time_limit_s=arguments.time_limit, boot_limit_s=arguments.boot_limit, grace_s=arguments.grace,
        has_prefix=hosts > 1 and not arguments.no_prefix, is_verbose=arguments.verbose)

#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# On virtual host h0: plants one fault after the other while assay-rdma measures, and takes it away again, so that the
# point in flight sees it and the next one does not. Each scenario leaves a journal of that name in $OUT.
import contextlib
import os
import pathlib
import signal
import socket
import subprocess
import sys
import threading
import time

OUT = pathlib.Path(os.environ["OUT"])
COUNTERS = pathlib.Path("/sys/class/infiniband/rxe1/ports/1/hw_counters")
DEVICE = ("--axis", "device=rxe1")  # its own rail: faults on eth1 leave the control connection alone
ORDERS_PORT = 18600
LIMIT_S = 60
FREE_S = 5  # a server is free again so soon after any run: assay-rdma waits no longer for it
KILLED_S = 15  # and kills a run that goes on for 10 s without its leader
HELD_S = 2
RETRIES_S = 8
NEW_HOSTS = 75  # exit status: the kernel of a host may be to blame, and all is to be played once more

PLAN = """
[measure]
max_seconds = {seconds}
max_warmup_seconds = 0.02
min_samples = {samples}
relative_width = 0.0001
min_sample_seconds = {sample_seconds}

[[sweep]]
cases = ["rdma.verbs.{case}"]
axes = {{ {axes}, ack_timeout = {ack_timeout} }}

[[sweep]]
cases = ["rdma.verbs.bandwidth"]
measure = {{ max_seconds = 0.1, min_samples = 3, min_sample_seconds = 0.02 }}
axes = {{ operation = "write", bytes = 4096, ack_timeout = {patient} }}
"""
PATIENT = 16  # where no retries are to end: 1.9 s of them, as a peer on a busy machine may be late by the default's 0.5 s
WRITE = 'operation = "write", bytes = "64KiB", tx_depth = 8'


# Samples so long that a fault falls into one and not between two. Retries end as they do by default.
LONG = {"seconds": 20, "samples": 100, "sample_seconds": 3, "ack_timeout": 14}
PATIENT_LONG = {**LONG, "ack_timeout": PATIENT}


class Run:
    """assay-rdma over a plan of two points: the one that meets the fault, and the next."""

    def __init__(self, name, case="bandwidth", axes=WRITE, seconds=0.5, samples=3, sample_seconds=0.02,
                 ack_timeout=PATIENT, host="h1", prefix=()):
        plan = OUT / f"{name}.toml"
        plan.write_text(PLAN.format(case=case, axes=axes, seconds=seconds, samples=samples,
                                    sample_seconds=sample_seconds, ack_timeout=ack_timeout, patient=PATIENT))
        words = [*prefix, "assay-rdma", host, "--plan", str(plan), "--journal", str(OUT / f"{name}.jsonl"), *DEVICE]
        self.host = host
        wait_until_free(host)
        self.first_ended = threading.Event()
        self.began_packets, self.began_exceeded = counter("sent_pkts"), counter("retry_exceeded_err")
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.reader = threading.Thread(target=self.read, args=(name,))
        self.reader.start()

    def read(self, name):
        for line in self.process.stdout:
            print(name, line, end="", flush=True)
            if line.startswith("[1/"):
                self.first_ended.set()
        self.first_ended.set()

    def wait_for_traffic(self):
        wait_until(lambda: self.first_ended.is_set() or counter("sent_pkts") > self.began_packets + 1500, "traffic")
        if self.first_ended.is_set():
            self.end()
            wait_until_free(self.host)
            print("a point ended before its fault was planted", flush=True)
            sys.exit(NEW_HOSTS if counter("retry_exceeded_err") > self.began_exceeded else 1)

    def wait_for_first(self):
        if not self.first_ended.wait(LIMIT_S):
            sys.exit("the point that met the fault did not end")

    def end(self):
        self.process.wait(LIMIT_S)
        self.reader.join()


def counter(name):
    return int((COUNTERS / name).read_text())


def wait_until(condition, what):
    deadline = time.monotonic() + LIMIT_S
    while not condition():
        if time.monotonic() > deadline:
            sys.exit(f"waited in vain for {what}")
        time.sleep(0.02)


def ask(line, host):
    """One line of Python, run by serving_host.py over there; its answer."""
    with connected(host) as link:
        link.sendall(f"{line}\n".encode())
        return link.makefile().readline().strip()


def connected(host):
    """A host that is slow to start is asked again; an order that was sent is not."""
    deadline = time.monotonic() + LIMIT_S
    while time.monotonic() < deadline:
        with contextlib.suppress(ConnectionRefusedError, TimeoutError):
            return socket.create_connection((host, ORDERS_PORT), 10)
        time.sleep(0.1)
    sys.exit(f"{host} takes no orders")


def order(line, host="h1"):
    answer = ask(line, host)
    if answer != "done":
        sys.exit(f"{host}: {line}: {answer}")


def wait_until_free(host):
    """Ends everything where the server is not free in time: new hosts are needed where its kernel is to blame."""
    began = time.monotonic()
    killed = None
    while (answer := ask("must_be_free()", host)) != "done":
        now = time.monotonic()
        killed = (killed or now) if "killed" in answer else None
        if killed and now - killed > HELD_S:
            order("tell_of_kernel()", host)
            print(f"{host}: its kernel holds a process that was killed", flush=True)
            sys.exit(NEW_HOSTS)
        if now - began > KILLED_S:
            break
        time.sleep(0.1)
    if time.monotonic() - began > FREE_S:
        sys.exit(f"{host}: still busy {time.monotonic() - began:.0f} s after the end of a run: {answer}")


def shell(*words):
    subprocess.run(words, check=True)


def netem(*words):
    shell("/usr/sbin/tc", "qdisc", "replace", "dev", "eth1", "root", "netem", "limit", "10000", *words)


def clear():
    """The qdisc stays: its removal frees packets of soft RoCE that wait in it, and a kernel crashed in that. A change resets
    loss, delay, order and duplicates; `corrupt` keeps its value unless it is named."""
    netem("corrupt", "0%")


def impaired(name, *words, **how):
    """Until the first point has ended, the packets of this host meet what `words` say."""
    netem(*words)
    run = Run(name, **how)
    run.wait_for_first()
    clear()
    run.end()


def impairments():
    impaired("loss", "loss", "1%")
    impaired("delay", "delay", "10ms", case="latency",
             axes='operation = "send", bytes = 64, completion = "events"')
    impaired("reorder", "delay", "2ms", "reorder", "1%")
    impaired("duplicate", "duplicate", "1%")
    impaired("corrupt", "corrupt", "1%")
    lost = 'operation = "send", bytes = 1024, tx_depth = 8, transport = "{}"'
    impaired("uc_all_lost", "loss", "100%", axes=lost.format("uc"))
    impaired("ud_some_lost", "loss", "20%", axes=lost.format("ud"))
    for transport in ("uc", "ud"):
        impaired(f"{transport}_answer_lost", "loss", "100%", case="latency",
                 axes=f'operation = "send", bytes = 64, transport = "{transport}", completion = "events"')


def wait_for_retries(exceeded):
    """There are 0.5 s of them. Some kernels of a busy machine sent none, and the control connection gave up first."""
    deadline = time.monotonic() + RETRIES_S
    while counter("retry_exceeded_err") == exceeded:
        if time.monotonic() > deadline:
            print(f"the retries of soft RoCE did not end in {RETRIES_S} s", flush=True)
            sys.exit(NEW_HOSTS)
        time.sleep(0.02)


def cables():
    for name, host in (("cable", "h0"), ("peer_cable", "h1")):
        exceeded = counter("retry_exceeded_err")
        run = Run(name, **LONG)
        run.wait_for_traffic()
        shell("verbs-vm-fault", "cut", host)
        wait_for_retries(exceeded)
        time.sleep(0.2)
        shell("verbs-vm-fault", "restore", host)
        run.end()


def processes():
    run = Run("peer_killed", **LONG)
    run.wait_for_traffic()
    order("os.kill(session(), signal.SIGKILL)")
    run.end()
    run = Run("peer_paused", seconds=3)
    run.wait_for_traffic()
    order("os.kill(session(), signal.SIGSTOP)")
    time.sleep(1.5)
    order("os.kill(session(), signal.SIGCONT)")
    run.end()
    run = Run("peer_stopped", case="latency", axes='operation = "write", bytes = 64', **PATIENT_LONG)
    run.wait_for_traffic()
    order("os.kill(session(), signal.SIGSTOP)")
    run.wait_for_first()
    order("os.kill(session(), signal.SIGCONT)")
    run.end()
    run = Run("leader_killed", **PATIENT_LONG)
    run.wait_for_traffic()
    run.process.send_signal(signal.SIGKILL)
    run.end()
    Run("after_leader_killed").end()


def drills():
    for fault in ("wrong_key", "wrong_address", "wrong_gid", "empty_receive_queue"):
        Run(fault, case="fault_drill", axes=f'fault = "{fault}"').end()
    order("subprocess.run(['/usr/sbin/ip', 'link', 'set', 'eth1', 'mtu', '1500'], check=True)")
    Run("mtu_mismatch").end()
    Run("mtu_asked", axes=WRITE + ", mtu = 4096").end()
    Run("larger_mtu", case="fault_drill", axes='fault = "larger_mtu"').end()
    order("subprocess.run(['/usr/sbin/ip', 'link', 'set', 'eth1', 'mtu', '4200'], check=True)")


def limits():
    Run("locked_memory", axes='operation = "write", bytes = "1MiB"',
        prefix=("prlimit", "--memlock=65536", "setpriv", "--bounding-set=-ipc_lock", "--inh-caps=-ipc_lock")).end()


def hosts():
    run = Run("host_killed", **LONG)
    run.wait_for_traffic()
    shell("verbs-vm-fault", "kill", "h1")
    run.end()
    Run("after_host_killed", host="h2").end()


def main():
    order("pass")
    Run("none").end()
    for group in (impairments, drills, limits, cables, processes, hosts):
        if not sys.argv[1:] or group.__name__ in sys.argv[1:]:
            began = time.monotonic()
            group()
            print(f"{group.__name__}: {time.monotonic() - began:.1f} s", flush=True)


main()

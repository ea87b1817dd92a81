#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# The UDP source ports that `assay-rdma entropy` computes are those on the wire: two virtual hosts exchange RC and UD
# messages, and every packet is looked at.
import contextlib
import ctypes
import os
import pathlib
import re
import shutil
import socket
import struct
import subprocess
import sys
import threading
import time

LIMIT_S = os.environ.get("ASSAY_VERBS_LIMIT_S", "300")  # of the hosts' commands
TRY_LIMIT_S = 40
QUIET_S = 0.3
SO_RCVBUFFORCE = 33  # asm-generic/socket.h; Python has no name for it
ROCE_PORT = 4791
RC_TYPE = 2  # IBV_QPT_RC
# perftest's client asks once: it is run again until the server listens. Two runs of this and TRY_LIMIT_S are within LIMIT_S.
TRIES_LIMIT_S = 90
PAUSE_S = 0.2
RUNS = (("RC", ["ib_write_bw", "-q", "4", "-n", "50", "-s", "1024", "-p", "18515"], "label"),
        ("UD", ["ib_send_lat", "-c", "UD", "-n", "50", "-s", "64", "-p", "18516"], "rxe-ud"))


class Capture(threading.Thread):
    """Source ports of RoCE packets to each destination QP, of one sender."""

    def __init__(self, sender):
        super().__init__(daemon=True)
        self.sender = socket.inet_aton(sender)
        self.ports = {}
        self.socket = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.ntohs(0x0003))
        # Python is slower than a burst of packets under emulation.
        self.socket.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 32 << 20)
        self.socket.bind(("eth0", 0))
        self.last_s = time.monotonic()

    def run(self):
        while True:
            self.look(self.socket.recv(65535))

    def drain(self):
        """Until the sender has sent no RoCE packet for a while. Other frames do not count: the peer may ask for connections."""
        began_s = time.monotonic()
        while time.monotonic() < max(began_s, self.last_s) + QUIET_S:
            time.sleep(QUIET_S / 10)

    def look(self, frame):
        ip = frame[14:]
        udp = ip[(ip[0] & 15) * 4:]
        if frame[12:14] != b"\x08\x00" or ip[9] != socket.IPPROTO_UDP or ip[12:16] != self.sender:
            return
        source, destination = struct.unpack(">HH", udp[:4])
        if destination == ROCE_PORT:
            self.last_s = time.monotonic()
            self.ports.setdefault(int.from_bytes(udp[13:16], "big"), set()).add(source)


class QpRequest(ctypes.Structure):
    """struct ibv_qp_init_attr"""
    _fields_ = [("context", ctypes.c_void_p), ("send_cq", ctypes.c_void_p), ("receive_cq", ctypes.c_void_p),
                ("srq", ctypes.c_void_p), ("max_send_wr", ctypes.c_uint32), ("max_receive_wr", ctypes.c_uint32),
                ("max_send_sge", ctypes.c_uint32), ("max_receive_sge", ctypes.c_uint32),
                ("max_inline_bytes", ctypes.c_uint32), ("type", ctypes.c_int), ("signal_all", ctypes.c_int)]


def spend_qp_numbers(count):
    """Makes and destroys QPs: rxe counts up, so that later ones have numbers whose product has more than 20 bits."""
    verbs = ctypes.CDLL("libibverbs.so.1")
    for name in ("get_device_list", "open_device", "alloc_pd", "create_cq", "create_qp"):
        getattr(verbs, f"ibv_{name}").restype = ctypes.c_void_p
    pointer = ctypes.c_void_p
    devices = ctypes.cast(verbs.ibv_get_device_list(None), ctypes.POINTER(pointer))
    context = pointer(verbs.ibv_open_device(pointer(devices[0])))
    domain = pointer(verbs.ibv_alloc_pd(context))
    queue = verbs.ibv_create_cq(context, 8, None, None, 0)
    request = QpRequest(None, queue, queue, None, 1, 1, 1, 1, 0, RC_TYPE, 0)
    for _ in range(count):
        made = verbs.ibv_create_qp(domain, ctypes.byref(request))
        if not made or verbs.ibv_destroy_qp(pointer(made)) != 0:
            sys.exit("a QP could not be made or destroyed")


def run_once(command):
    """None where it does not end: its peer has not come, or a packet was lost."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        return subprocess.run(command, capture_output=True, text=True, timeout=TRY_LIMIT_S, check=False)
    return None


def perftest(words, server):
    """QP numbers of the local and the remote side, in order."""
    command = [*words, "-d", "rxe0", "-x", "1", *([server] if server else [])]
    deadline = time.monotonic() + TRIES_LIMIT_S
    while (done := run_once(command)) is None or done.returncode != 0:
        if time.monotonic() > deadline:
            sys.exit(f"{' '.join(command)}: " + (f"status {done.returncode}: {done.stdout}{done.stderr}" if done else "no end"))
        time.sleep(PAUSE_S)
    numbers = {side: [int(one, 16) for one in re.findall(rf"{side} address:.* QPN 0x([0-9a-f]+)", done.stdout)]
               for side in ("local", "remote")}
    if not numbers["local"]:
        sys.exit(f"{' '.join(command)}: no QP numbers: {done.stdout}{done.stderr}")
    return numbers


def guest():
    """On a virtual host: runs perftest against the other and prints "RULE LOCAL REMOTE PORTS" for each QP sent from."""
    leads = os.environ["VERBS_VM_HOST"] == "1"
    spend_qp_numbers(1500 if leads else 3000)
    capture = Capture(os.environ["VERBS_VM_ADDRESS"])
    capture.start()
    for _, words, rule in RUNS:
        capture.ports.clear()
        numbers = perftest(words, "h0" if leads else None)
        capture.drain()
        for local, remote in zip(numbers["local"], numbers["remote"]):
            ports = ",".join(str(port) for port in sorted(capture.ports.get(remote, ())))
            print(f"seen {rule} {local:#x} {remote:#x} {ports}", flush=True)


def computed_port(local, remote, rule):
    program = pathlib.Path(os.environ["ASSAY_BIN_DIR"]) / "assay-rdma"
    done = subprocess.run([program, "entropy", "--qps", f"{local}:{remote}", "--rule", rule, "--rounds", "1"],
                          capture_output=True, text=True, check=True)
    return re.search(rf"^ +{local} +{remote} +\S+ +(\d+) ", done.stdout, re.MULTILINE)[1]


def judge(said):
    """Lines about ports that are not as computed, and the number of QPs seen."""
    seen = re.findall(r"seen (\S+) (0x\w+) (0x\w+) (\S*)", said)
    for rule, local, remote, ports in seen:
        expected = computed_port(local, remote, rule)
        line = f"{rule} {local}:{remote}: computed {expected}, on the wire {ports or 'nothing'}"
        print(line)
        if ports != expected:
            yield "wrong: " + line
    if not any(int(local, 16) * int(remote, 16) >= 1 << 20 for _, local, remote, _ in seen):
        yield "QP numbers are too small to show the fold"
    if len(seen) != 10:
        yield f"expected 4 RC QPs and 1 UD QP on each of 2 hosts, saw {len(seen)} QPs:\n{said}"


def main():
    if not shutil.which("ib_write_bw"):
        print("skipped: perftest is not installed (scripts/setup --for verbs)")
        return 77
    done = subprocess.run([os.environ["ASSAY_VERBS_VM"], "run", "--hosts", "2", "--time-limit", LIMIT_S, "--",
                           "python3", str(pathlib.Path(__file__).resolve()), "--guest"],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(done.stdout + done.stderr, end="")
        return done.returncode
    wrong = list(judge(done.stdout))
    print("\n".join(wrong))
    return 1 if wrong else 0


if sys.argv[1:] == ["--guest"]:
    guest()
else:
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# A virtual host that serves, and where the leading host can do things at a moment of its choice: one line of Python a
# connection. Names it may use: server (the process), session() (process number of the run, 0 if none), must_be_free(),
# tell_of_kernel(), os, signal, subprocess. Answers "done", or the exception.
import os
import pathlib
import signal
import socketserver
import subprocess
import sys

PORT = 18600


def session():
    children = pathlib.Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()
    return int(children[0]) if children else 0


def must_be_free():
    """Raises while a run lasts. One that was killed and is still there can only be held by this host's kernel."""
    process = session()
    if process:
        status = pathlib.Path(f"/proc/{process}/status").read_text()
        pending = [int(words[1], 16) for words in map(str.split, status.splitlines()) if words[0] in ("SigPnd:", "ShdPnd:")]
        is_killed = any(signals >> (signal.SIGKILL - 1) & 1 for signals in pending)
        raise RuntimeError("killed" if is_killed else "busy")


def tell_of_kernel():
    """What may show why its kernel holds a process."""
    looks = f"cat /proc/{session()}/stack /proc/net/dev /proc/interrupts; sleep 1; cat /proc/net/dev; dmesg | tail -n 40"
    print(subprocess.run(looks, shell=True, capture_output=True, text=True, check=False).stdout, file=sys.stderr, flush=True)


class Order(socketserver.StreamRequestHandler):
    def handle(self):
        line = self.rfile.readline().decode()
        try:
            exec(line, {**globals()})
            answer = "done"
        except Exception as error:  # whatever it is, the leading host must learn of it
            answer = repr(error)
        self.wfile.write(f"{answer}\n".encode())


socketserver.TCPServer.allow_reuse_address = True
server = subprocess.Popen(["assay-rdma", "serve"], stderr=sys.stderr)
with socketserver.TCPServer(("", PORT), Order) as orders:
    orders.serve_forever()

#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# A virtual host that serves, and where the leading host can do things at a moment of its choice: one line of Python a
# connection. Names it may use: server (the process), session() (process number of the run, 0 if none), os, signal,
# subprocess. Answers "done", or the exception.
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


class Order(socketserver.StreamRequestHandler):
    def handle(self):
        line = self.rfile.readline().decode()
        try:
            exec(line, {"server": server, "session": session, "os": os, "signal": signal, "subprocess": subprocess})
            answer = "done"
        except Exception as error:  # whatever it is, the leading host must learn of it
            answer = repr(error)
        self.wfile.write(f"{answer}\n".encode())


socketserver.TCPServer.allow_reuse_address = True
server = subprocess.Popen(["assay-rdma", "serve"], stderr=sys.stderr)
with socketserver.TCPServer(("", PORT), Order) as orders:
    orders.serve_forever()

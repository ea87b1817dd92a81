# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# assay-rdma as a program of others starts it. The first two arguments of a test: ASSAY_RDMA TEAM_TESTS
import os
import pathlib
import socket
import subprocess
import sys

PROGRAM = sys.argv[1]
sys.path.insert(0, sys.argv[2])
from door_client import pack  # noqa: E402

KEY = b"a key of more than sixteen bytes"
INTRODUCTION = pack("assay-team", "3", "0.1.0", "tests", "0", "2", "0")


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]


def key_file(folder, name="key", data=KEY, mode=0o600):
    path = pathlib.Path(folder, name)
    path.write_bytes(data)
    path.chmod(mode)
    return path


def run(*arguments, limit_s=20):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=limit_s,
                          env={"PATH": os.environ["PATH"]})

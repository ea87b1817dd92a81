# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# mpirun as both programs get it: more ranks than processors, over TCP on loopback.
import os
import subprocess

from mpi_comparison.rows import Failed

LIMIT_S = 900
ENVIRONMENT = {"OMPI_MCA_btl": "tcp,self", "OMPI_MCA_btl_tcp_if_include": "lo"}


def mpirun(ranks, command):
    words = ["mpirun", "--oversubscribe", "-n", str(ranks), *map(str, command)]
    if os.geteuid() == 0:
        words.insert(1, "--allow-run-as-root")
    try:
        done = subprocess.run(words, env={**ENVIRONMENT, **os.environ}, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=LIMIT_S, check=False)
    except subprocess.TimeoutExpired as late:
        raise Failed(f"{' '.join(words)} did not end within {LIMIT_S} s") from late
    if done.returncode != 0:
        raise Failed(f"{' '.join(words)} ended with {done.returncode}: {(done.stderr or done.stdout).strip()[-400:]}")
    return done.stdout

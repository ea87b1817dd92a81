# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# A real Slurm of one controller and several node daemons on this host, for tests; gone with everything when it is closed.
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time

PROGRAMS = ("munged", "slurmctld", "slurmd", "sinfo", "srun")
READY_LIMIT_S = 20


def why_not():
    """Empty where one can be started here."""
    path = os.environ["PATH"] + ":/usr/sbin:/sbin"
    missing = [name for name in PROGRAMS if not shutil.which(name, path=path)]
    if missing:
        return f"{', '.join(missing)} not installed (Debian: slurm-wlm, munge)"
    return "" if os.geteuid() == 0 else "the daemons of Slurm want to be root here"


class LoopbackSlurm:
    def __init__(self, nodes):
        self.nodes = nodes
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="assay-slurm."))
        self.folder.chmod(0o755)
        self.environment = {**os.environ, "SLURM_CONF": str(self.folder / "slurm.conf"),
                            "PATH": os.environ["PATH"] + ":/usr/sbin:/sbin"}
        try:
            self.start()
        except BaseException:
            self.close()
            raise

    def configuration(self):
        host, port, folder = socket.gethostname().split(".")[0], random.randrange(20000, 40000), self.folder
        settings = {
            "ClusterName": "assay", "SlurmctldHost": f"{host}(127.0.0.1)", "SlurmctldPort": port, "SlurmUser": "root",
            "SlurmdUser": "root", "AuthType": "auth/munge", "AuthInfo": f"socket={folder}/munge/socket",
            "SlurmctldPidFile": f"{folder}/controller.pid", "SlurmdPidFile": f"{folder}/%n.pid", "StateSaveLocation": f"{folder}/state",
            "SlurmdSpoolDir": f"{folder}/spool-%n", "SlurmctldLogFile": f"{folder}/controller.log", "SlurmdLogFile": f"{folder}/%n.log",
            "ProctrackType": "proctrack/linuxproc", "TaskPlugin": "task/none", "SelectType": "select/cons_tres",
            "SelectTypeParameters": "CR_CPU", "SlurmdParameters": "config_overrides", "SwitchType": "switch/none",
            "TmpFS": f"{folder}/tmp-%n",  # daemons of one host would share their PMIx folder
            "MpiDefault": "none", "MailProg": "/bin/true", "KillWait": 2}
        lines = [f"{name}={value}" for name, value in settings.items()]
        lines += [f"NodeName=n{i} NodeHostname={host} NodeAddr=127.0.0.1 Port={port + 1 + i} CPUs=2 RealMemory=100"
                  for i in range(self.nodes)]
        return "\n".join([*lines, "PartitionName=all Nodes=ALL Default=YES State=UP", ""])

    def start(self):
        munge = self.folder / "munge"
        munge.mkdir(mode=0o755)
        key = self.folder / "key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        private = self.folder / "private"
        private.mkdir(mode=0o700)
        (self.folder / "slurm.conf").write_text(self.configuration())
        for name in ["state"] + [f"{kind}-n{i}" for kind in ("spool", "tmp") for i in range(self.nodes)]:
            (self.folder / name).mkdir()
        self.run("munged", f"--key-file={key.rename(private / 'key')}", f"--socket={munge}/socket", f"--pid-file={self.folder}/munge.pid",
                 f"--log-file={private}/log", f"--seed-file={private}/seed")
        self.run("slurmctld", "-c")
        for i in range(self.nodes):
            self.run("slurmd", "-N", f"n{i}")
        self.wait_until_idle()

    def run(self, *words):
        subprocess.run(words, env=self.environment, check=True, stdin=subprocess.DEVNULL)

    def wait_until_idle(self):
        end = time.monotonic() + READY_LIMIT_S
        while time.monotonic() < end:
            said = subprocess.run(["sinfo", "-h", "-t", "idle", "-o", "%D"], env=self.environment, capture_output=True, text=True, check=False)
            if said.stdout.strip() == str(self.nodes):
                return
            time.sleep(0.1)
        raise RuntimeError(f"the nodes were not idle within {READY_LIMIT_S} s")

    def close(self):
        for pid_file in self.folder.glob("*.pid"):
            try:
                os.kill(int(pid_file.read_text()), signal.SIGTERM)
            except (ValueError, ProcessLookupError):
                continue
        time.sleep(0.5)
        shutil.rmtree(self.folder, ignore_errors=True)

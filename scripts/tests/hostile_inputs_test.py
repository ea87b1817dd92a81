#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Thousands of hostile inputs (hostile_inputs.py) to the programs of a build: each ends with a documented exit code, in
# bounded time (1 s, and 1 s a megabyte) and memory (512 MiB), with one printable line where it is refused.
#
#   ASSAY_BUILD_DIR=$PWD/build/release scripts/tests/hostile_inputs_test.py --inputs 10000 --seed 1
import argparse
import collections
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import hostile_inputs  # noqa: E402

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
BIN = pathlib.Path(os.environ["ASSAY_BUILD_DIR"]) / "bin"
MOST_BYTES = 512 << 20
UNPRINTABLE = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]|\xd8\x9c")
EXIT_CODES = {0, 1, 2, 3}


def read(*parts):
    return SOURCE.joinpath(*parts).read_text()


def corpus(folder):
    return sorted((SOURCE / folder).iterdir())[0].read_bytes().decode("utf-8", "replace")


PLAN = "name = 'p'\n[measure]\nmax_seconds = 0.1\n[[sweep]]\ncases = 'memory.host.copy'\naxes = { bytes = '64KiB:1MiB:x2', threads = 1 }\nrepetitions = 2\n"
SITE = "model/fabric/site/tests/fuzz/corpus/"


def formats():
    """Name to (how an input is made, the command that reads the file `{file}` in the folder `{folder}`)."""
    fabric = corpus("model/fabric/file/tests/fuzz/corpus/fabric_file")
    return {
        "journal": (lambda maker: maker.journal(), ["assay", "import", "{file}", "--store", "{folder}/s"]),
        "verdicts": (lambda maker: maker.verdicts(), ["assay", "bundle", "--store", "{store}", "--check", "{file}", "-o", "{folder}/b", "--no-accept"]),
        "logbook": (lambda maker: maker.json_file(corpus("harness/front/health/tests/fuzz/corpus/logbook")),
                    ["assay", "bundle", "--store", "{store}", "--check-logbook", "{file}", "-o", "{folder}/b", "--no-accept"]),
        "plan": (lambda maker: maker.toml(PLAN), ["assay-memory", "--plan", "{file}", "--count"]),
        "fabric": (lambda maker: maker.toml(fabric), ["assay", "fabric", "describe", "{file}"]),
        "nccl topology": (lambda maker: maker.xml(), ["assay", "machine", "--root", str(SOURCE / "model/examples/node"), "--nccl-topology", "{file}"]),
        "ibnetdiscover": (lambda maker: maker.lines(corpus(SITE + "ibnetdiscover")), ["assay", "fabric", "read", "--topology", "ibnetdiscover={file}"]),
        "slurm topology": (lambda maker: maker.lines(corpus(SITE + "slurm_topology")), ["assay", "fabric", "read", "--topology", "slurm={file}"]),
        "lldp": (lambda maker: maker.table("host,port,switch,switch_port", "h1,eth0,s1,1"), ["assay", "fabric", "read", "--topology", "lldp={file}"]),
        "timings": (lambda maker: maker.table("m,n,k,dtype,time_us", "128,128,128,bf16,10.5"), ["assay", "fit", "gemm", "--csv", "{file}", "-o", "{folder}/c"]),
        "chakra": (lambda maker: maker.json_file(corpus("model/workload/tests/fuzz/corpus/chakra_trace")), ["assay", "workload", "--chakra", "{file}", "--ranks", "2"]),
        "rates": (lambda maker: maker.toml(corpus("model/reliability/tests/fuzz/corpus/rates")), ["assay", "reliability", "--rates", "{file}", "--gpus", "16"]),
        "limits": (lambda maker: maker.toml(corpus("results/tests/fuzz/corpus/limits")), ["assay", "accept", "--store", "{store}", "--limits", "{file}"]),
        "places": (lambda maker: maker.table("host,rack,switch", "h1,r1,s1"), ["assay", "accept", "--store", "{store}", "--places", "{file}"]),
        "bundle": (lambda maker: maker.tar(), ["assay", "replay", "{file}"]),
        "expectation": (lambda maker: maker.toml(corpus("harness/front/health/tests/fuzz/corpus/expectation")),
                        ["assay", "check", "--root", "{folder}", "--expect", "{file}", "--logbook", "{folder}/l", "--window", "0"]),
        "kernel log": (lambda maker: maker.kernel_log(), ["assay", "check", "--root", "{root}", "--logbook", "{folder}/l", "--window", "0"]),
        "gpu table": (lambda maker: maker.json_file(read("model", "examples", "node", "gpus.json")),
                      ["assay", "check", "--root", "{folder}", "--gpus", "{file}", "--logbook", "{folder}/l", "--window", "0"]),
    }


def run(words, folder):
    """Exit status, seconds of CPU, bytes, standard output and error."""
    with open(folder / "out", "wb") as out, open(folder / "err", "wb") as err:
        process = subprocess.Popen([BIN / words[0], *words[1:]], cwd=folder, stdout=out, stderr=err, stdin=subprocess.DEVNULL,
                                   env={**os.environ, "OMP_NUM_THREADS": "2"}, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (60, 60)))
        _, status, used = os.wait4(process.pid, 0)
    return os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime, used.ru_maxrss << 10, \
        (folder / "out").read_bytes(), (folder / "err").read_bytes()


def faults_of(status, cpu_s, used, said, err, size):
    faults = []
    if status not in EXIT_CODES:
        faults.append(f"exit status {status}")
    if cpu_s > 1 + size / 1e6:
        faults.append(f"{cpu_s:.1f} s for {size} bytes")
    if used > MOST_BYTES:
        faults.append(f"{used >> 20} MiB")
    if UNPRINTABLE.search(said) or UNPRINTABLE.search(err):
        faults.append("unprintable output")
    if status == 2 and err.count(b"\n") != 1:
        faults.append(f"{err.count(bytes([10]))} lines of refusal")
    return faults


class Campaign:
    """What became of the inputs so far."""

    def __init__(self, base, arguments):
        self.base, self.arguments, self.known = base, arguments, formats()
        self.names = [arguments.format] if arguments.format else list(self.known)
        self.found, self.slowest, self.largest, self.codes = [], collections.Counter(), collections.Counter(), collections.Counter()
        self.store = base / "store"

    def make_store(self):
        """A store with one sound run; what the import said where it was not taken."""
        (self.base / "good.jsonl").write_bytes(hostile_inputs.journal_line(hostile_inputs.context()))
        done = subprocess.run([BIN / "assay", "import", self.base / "good.jsonl", "--store", self.store], capture_output=True, text=True, check=False)
        return "" if done.returncode == 0 else done.stdout + done.stderr

    def give(self, number):
        name = self.names[number % len(self.names)]
        make, command = self.known[name]
        data = make(hostile_inputs.Maker(f"{self.arguments.seed}/{number}", self.arguments.scale))
        with tempfile.TemporaryDirectory(dir=self.base) as made:
            folder = pathlib.Path(made)
            (folder / "root/dev").mkdir(parents=True)
            (folder / "root/dev/kmsg").write_bytes(data if name == "kernel log" else b"")
            (folder / "input").write_bytes(data)
            words = [word.format(file=folder / "input", folder=folder, store=self.store, root=folder / "root") for word in command]
            status, cpu_s, used, said, err = run(words, folder)
        self.codes[status] += 1
        self.slowest[name], self.largest[name] = max(self.slowest[name], cpu_s), max(self.largest[name], used)
        if faults := faults_of(status, cpu_s, used, said, err, len(data)):
            self.found.append(f"{name}, input {number} of seed {self.arguments.seed} ({len(data)} bytes): {'; '.join(faults)}: {err[:300]!r}")
            self.keep(f"{name.replace(' ', '-')}-{number}", data)

    def keep(self, name, data):
        if self.arguments.keep:
            self.arguments.keep.mkdir(parents=True, exist_ok=True)
            (self.arguments.keep / name).write_bytes(data)

    def report(self):
        for name in self.names:
            print(f"{name:<16} slowest {self.slowest[name]:6.2f} s of CPU, largest {self.largest[name] / 2**20:6.0f} MiB")
        print(f"{self.arguments.inputs} inputs, exit codes {dict(sorted(self.codes.items()))}, {len(self.found)} with faults")
        print("\n".join(self.found[:40]))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--inputs", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--scale", type=int, default=1, help="how many times larger than usual")
    parser.add_argument("--format", help="this one alone")
    parser.add_argument("--keep", type=pathlib.Path, help="folder for inputs that show a fault")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="assay-hostile-") as made:
        campaign = Campaign(pathlib.Path(made), arguments)
        if refused := campaign.make_store():
            print(f"the sound journal is not taken: {refused}")
            return 1
        for number in range(arguments.inputs):
            campaign.give(number)
    campaign.report()
    return 1 if campaign.found else 0


sys.exit(main())

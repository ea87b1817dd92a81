#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# The coordinator of a campaign with many made-up nodes: time and memory. One simulated node is recorded; a program in the
# place of srun answers as that node under many names, one node in a hundred failing in one of six ways.
#
#   ASSAY_BUILD_DIR=$PWD/build/dev harness/front/campaign/tests/fleet_of_answers.py [--nodes 3000]
#
# With two numbers of nodes it also says how much memory a further node takes, and fails above --most-kib-a-node.
import argparse
import base64
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import zlib

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "suite" / "tests"))
from simulated_cluster import SimulatedCluster, bad_units  # noqa: E402
from simulated_node import lacking  # noqa: E402

MINUTE = HERE / "campaigns" / "minute.toml"
PIECE = 600
WAYS = ("silent", "other version", "lost", "cut file", "late clock", "narrow link")
SRUN = """\
#!/usr/bin/env python3
import base64, json, pathlib, shutil, sys
order = json.loads(base64.urlsafe_b64decode(sys.argv[-1] + "=="))
nodes = next(word for word in sys.argv if word.startswith("--nodelist=")).partition("=")[2]
for node in nodes.split(","):
    answers = pathlib.Path(ANSWERS) / order["stage"] / node
    if answers.exists():
        with open(answers, "rb") as said:
            shutil.copyfileobj(said, sys.stdout.buffer)
"""


def line(node, **what):
    return f"@assay {json.dumps({'node': node, **what}, separators=(',', ':'))}\n"


def file_lines(node, path, text, cut=False):
    yield line(node, file={"path": path, "size": len(text), "digest": hashlib.sha256(text).hexdigest()})
    for at in range(0, len(text), PIECE):
        if cut and at == PIECE:
            continue
        piece = base64.urlsafe_b64encode(text[at:at + PIECE]).decode().rstrip("=")
        yield line(node, piece={"path": path, "at": at, "bytes": piece})


def with_crc(record):
    body = re.sub(rb',"crc32":"[0-9a-f]{8}"}$', b"}", record)
    return body[:-1] + b',"crc32":"%08x"}' % zlib.crc32(body[:-1])


class Fleet:
    """Answers of `count` nodes, a file for each order and node."""

    def __init__(self, folder, count):
        self.folder, self.answers = folder, folder / "answers"
        recorded = SimulatedCluster(folder / "recorded", {"n1": {"gpus": 8}, "n2": {"gpus": 8, "faults": "pcie_width:3:8"}})
        recorded.campaign(MINUTE, "--campaign-id", "t")
        self.kept = folder / "recorded" / "campaigns" / "t" / "nodes"
        self.nodes = [f"h{number:04d}" for number in range(count)]
        self.ways = {self.nodes[number]: WAYS[number // 100 % len(WAYS)] for number in range(50, count, 100)}
        for stage in ("look", "look-1", "node-1"):
            (self.answers / stage).mkdir(parents=True)
        for number, node in enumerate(self.nodes):
            for stage in ("look", "look-1", "node-1"):
                (self.answers / stage / node).write_text("".join(self.said(stage, number, node, self.ways.get(node, ""))))
        srun = folder / "bin" / "srun"
        srun.parent.mkdir()
        srun.write_text(SRUN.replace("ANSWERS", repr(str(self.answers))))
        srun.chmod(0o755)

    def said(self, stage, number, node, way):
        if way == "silent":
            return
        source = self.kept / ("n2" if way == "narrow link" else "n1")
        outcome = json.loads((source / f"{'look-1' if stage == 'look' else stage}.outcome.json").read_text())
        hello = outcome["hello"]
        hello.update(host=node, time_ns=time.time_ns() - (600_000_000_000 if way == "late clock" else 0))
        if way == "other version":
            hello["version"] = "0.0.9"
        yield line(node, hello=hello)
        if way == "lost" and stage == "node-1":
            return
        if stage != "look":
            yield line(node, outcome=outcome)
            for path, text in self.files(stage, source, number, node, outcome):
                yield from file_lines(node, path, text, cut=way == "cut file" and path.endswith("journal.jsonl"))
        yield line(node, end={"interrupted": False, "shared": False, "why": ""})

    @staticmethod
    def files(stage, source, number, node, outcome):
        yield f"{stage}.outcome.json", json.dumps(outcome).encode()
        if stage == "look-1":
            yield "look-1.check.json", (source / "look-1.check.json").read_bytes()
            return
        run = f"t.node-1.{source.name}"
        text = (source / run / "journal.jsonl").read_text()
        text = text.replace(run, f"t.node-1.{node}").replace(f'"host":"{source.name}"', f'"host":"{node}"')
        text = re.sub(r'"(serial|uuid)":"([^"]*)"', rf'"\1":"\2-{number}"', text)
        yield f"t.node-1.{node}/journal.jsonl", b"".join(with_crc(one) + b"\n" for one in text.encode().splitlines())

    def wanted(self):
        """Unit, as far as the node's name, and verdict of what must not pass."""
        verdict = {"silent": "NOT_RUN", "lost": "NOT_RUN", "cut file": "NOT_RUN"}
        return {(node, verdict.get(way, "FAIL")) for node, way in self.ways.items()}

    def environment(self):
        return {**os.environ, "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}", "SLURM_JOB_ID": "1"}

    def coordinate(self):
        """Verdicts, seconds, and what the coordinator and its launchers used."""
        cluster = SimulatedCluster(self.folder / "c", {"here": {}})
        begin = time.monotonic()
        process = cluster.start(MINUTE, "--campaign-id", "t", "--launcher", "srun", "--nodes", ",".join(self.nodes),
                                environment=self.environment())
        _, _, used = os.wait4(process.pid, 0)
        return cluster.verdicts("t"), time.monotonic() - begin, used


def coordinated(count):
    """Whether exactly the planted faults were named, and the most memory in KiB."""
    with tempfile.TemporaryDirectory(prefix="assay-fleet-") as name:
        fleet = Fleet(pathlib.Path(name), count)
        verdicts, wall_s, used = fleet.coordinate()
        said_bytes = sum(file.stat().st_size for file in fleet.answers.rglob("h*"))
        # A row of no node is about the whole: that this small plan compares no bits across hosts.
        found = {(unit.partition("/")[0], verdict) for unit, verdict in bad_units(verdicts) if unit.startswith("h")}
        named = found == fleet.wanted()
        print(f"{count} nodes, {said_bytes / 1e6:.0f} MB said: {wall_s:.1f} s, {used.ru_utime:.1f} s user, {used.ru_stime:.1f} s system, "
              f"{used.ru_maxrss / 1024:.0f} MiB; {len(fleet.ways)} faults {'named exactly' if named else 'not named exactly'}", flush=True)
        if not named:
            print((fleet.folder / "c" / "said").read_text()[-3000:], sorted(found ^ fleet.wanted()))
    return named, used.ru_maxrss


def main():
    parser = argparse.ArgumentParser(description="Time and memory of a campaign's coordinator.")
    parser.add_argument("--nodes", type=int, nargs="+", default=[3000])
    parser.add_argument("--most-kib-a-node", type=float, default=350)  # 1 GiB for 3,000 nodes
    arguments = parser.parse_args()
    results = [coordinated(count) for count in arguments.nodes]
    if len(results) == 2:
        kib = (results[1][1] - results[0][1]) / (arguments.nodes[1] - arguments.nodes[0])
        print(f"a further node takes {kib:.0f} KiB, at most {arguments.most_kib_a_node:.0f} wanted")
        if kib > arguments.most_kib_a_node:
            return 1
    return 0 if all(named for named, _ in results) else 1


if __name__ == "__main__":
    if lacking():
        print("skipped: not built here:", ", ".join(lacking()))
        sys.exit(77)
    sys.exit(main())

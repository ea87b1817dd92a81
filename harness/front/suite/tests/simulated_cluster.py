# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# A pretended cluster for tests of campaigns: several simulated nodes, and a program that each of them takes for assay.
# The launcher starts that program once a node; it becomes the real assay in the surroundings of its node.
#
#   cluster = SimulatedCluster(folder, {"n1": {}, "n2": {"faults": "slow:5:4"}})
#   ended = cluster.campaign("burn-in.toml", "--campaign-id", "c")       # CompletedProcess with .stdout
#   cluster.verdicts("c")                                                # verdicts.json of that campaign
import json
import os
import pathlib
import shlex
import subprocess

from simulated_node import ASSAY, PROGRAMS, SimulatedNode

NODE = "${ASSAY_CAMPAIGN_NODE:-$SLURMD_NODENAME}"  # the node's name, in its shell
# What of its surroundings makes a process one on a node.
OF_A_NODE = ("ASSAY_SIMULATED_NODE", "ASSAY_SIMULATED_GPUS", "ASSAY_SIMULATED_FAULT", "ASSAY_SIMULATED_SEED", "ASSAY_SIMULATED_RAILS",
             "ASSAY_SIMULATED_FABRIC", "ASSAY_NVML_LIBRARY")


class SimulatedCluster:
    def __init__(self, folder, nodes, seed=1, expect='source = "the test"\ngpus = 8\nnvlinks = 18\n'):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.nodes = {name: SimulatedNode(self.folder / "hosts" / name, host=name, seed=seed * 100 + number,
                                          fabric=self.folder / "fabric", **how)
                      for number, (name, how) in enumerate(nodes.items())}
        self.expect = self.folder / "expect.toml"
        self.expect.write_text(expect)
        self.program = self.folder / "assay-on-node"
        self._write_program(self.program, ASSAY, 'echo "no such node" >&2; exit 9')
        self.programs = self.folder / "programs"  # of the modules
        self.programs.mkdir(exist_ok=True)
        for module in PROGRAMS.glob("assay-*"):
            if module.name == "assay-collectives":
                continue  # tests that need one take the real one
            if module.name == "assay-rdma":
                self.add_between_nodes(module)
            elif not (self.programs / module.name).exists():
                (self.programs / module.name).symlink_to(module)

    def add_between_nodes(self, module):
        """A program that a launcher starts between nodes; the coordinator asks it for its points."""
        self._write_program(self.programs / module.name, module, "export " + self._settings(next(iter(self.nodes.values()))))

    def give_its_node_s_name(self, module):
        """A program of add_between_nodes() that asks the kernel for the name of its host. Needs may_mount()."""
        program = self.programs / module.name
        named = f"""exec unshare -u bash -c '[[ -z $0 ]] || hostname $0; exec "$@"' "{NODE}" """
        program.write_text(program.read_text().replace("exec ", named, 1))

    def _write_program(self, file, program, elsewhere):
        """It becomes `program` in the surroundings of the node that it is started on."""
        cases = "".join(f"  {shlex.quote(name)})\n    export {self._settings(node)} ;;\n" for name, node in self.nodes.items())
        file.write_text(f'#!/bin/bash\ncase {NODE} in\n{cases}  *) {elsewhere} ;;\nesac\nexec {shlex.quote(str(program))} "$@"\n')
        file.chmod(0o755)

    def _settings(self, node):
        return " ".join(f"{name}={shlex.quote(node.environment[name])}" for name in OF_A_NODE)

    def on_start(self, shell):
        """Has every node run this, after what it was given before."""
        before, last, program = self.program.read_text().rpartition("\nexec ")
        self.program.write_text(f"{before}\n{shell}{last}{program}")

    def give_each_its_own_folder(self):
        """What a node writes into the folder of campaigns is its own, as on a local disk. Needs may_mount()."""
        campaigns, own = self.folder / "campaigns", f"{self.folder}/local-{NODE}"
        campaigns.mkdir(exist_ok=True)
        self.on_start(f'[[ -z $OWN ]] && mkdir -p {own} && OWN=1 exec unshare -m bash -c '
                      f'"mount --bind {own} {campaigns}; exec $0 \\"\\$@\\"" "$0" "$@"')

    def give_little_room(self, node, campaign):
        """A disk of 16 KiB for its folder of this campaign. Needs may_mount()."""
        room = f"{self.folder}/campaigns/{campaign}/nodes/{node}"
        self.on_start(f'[[ {NODE} == {node} && -z $ROOM ]] && mkdir -p {room} && ROOM=small exec unshare -m bash -c '
                      f'"mount -t tmpfs -o size=16k none {room}; exec $0 \\"\\$@\\"" "$0" "$@"')

    def words(self, *words):
        names = [] if "--nodes" in words or "--launcher" in words else ["--nodes", ",".join(self.nodes)]
        return [ASSAY, "campaign", *words, *names, "--expect", self.expect, "--node-program", self.program, "--programs", self.programs,
                "--out", self.folder / "campaigns"]

    def start(self, *words, outside=(), environment=None):
        """The coordinator, running; what it says goes into the file `said`."""
        with open(self.folder / "said", "ab") as said:
            return subprocess.Popen([*outside, *map(str, self.words(*words))], cwd=self.folder, env=environment or os.environ,
                                    stdout=said, stderr=subprocess.STDOUT)

    def campaign(self, *words, timeout=600, outside=(), environment=None):
        return subprocess.run([*outside, *map(str, self.words(*words))], cwd=self.folder, env=environment or os.environ, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=timeout, check=False)

    def verdicts(self, campaign):
        return json.loads((self.folder / "campaigns" / campaign / "verdicts.json").read_text())

    def points(self, campaign):
        """Case, key and repetition of every point of every node's journals, by node."""
        found = {}
        for journal in sorted((self.folder / "campaigns" / campaign / "nodes").glob("*/*/*.jsonl")):
            for line in journal.read_text().splitlines():
                record = json.loads(line)
                if record.get("record") == "point" and record["status"] == "ok":
                    found.setdefault(journal.parent.parent.name, set()).add(
                        (journal.name, record["case"], record["key"], record["repetition"]))
        return found


def processes_below(folder):
    """Those of nodes whose folders are in this one."""
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if f"ASSAY_SIMULATED_NODE={folder}/".encode() in (entry / "environ").read_bytes():
                yield int(entry.name)
        except OSError:
            continue  # it has ended


def may_mount():
    return subprocess.run(["unshare", "-m", "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True, check=False).returncode == 0


def bad_units(verdicts):
    """Unit and verdict of every row that counts and does not pass."""
    return {(row["unit"], row["verdict"]) for row in verdicts["rows"] if row["verdict"] != "PASS" and not row.get("excused")}

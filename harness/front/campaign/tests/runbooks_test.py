#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# The runbooks as a user follows them: the tarball, an allocation of a loopback Slurm whose nodes are simulated, and every
# block `bash` of the page in one shell. A block `text` after it is what the commands must say, and a last line
# `# exit code N` how they must end.
#
# Simulated GPUs compute on the CPU, so the campaigns and plans that a page names are smaller ones of the same stages.
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parents[3]
sys.path[:0] = [str(SOURCE / "scripts"), str(HERE.parents[1] / "suite" / "tests")]
import loopback_cluster  # noqa: E402
from documentation import pages, sessions  # noqa: E402
from simulated_cluster import OF_A_NODE  # noqa: E402
from simulated_node import BUILD, PROGRAMS, SimulatedNode, lacking  # noqa: E402

PLANS = HERE.parents[1] / "cli" / "tests" / "plans"
SMALLER = {"campaign burn-in ": f"campaign {HERE / 'campaigns' / 'small.toml'} ",
           "campaign acceptance ": f"campaign {HERE / 'campaigns' / 'rails.toml'} ",
           "assay calibrate ": f"assay calibrate --plan {PLANS / 'calibration.toml'} --block {PLANS / 'calibration_block.toml'} "}
END = "@@ end of a block: "


class Runbooks(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.folder = loopback_cluster.folder_of_class(cls, "assay-runbook-")
        cls.tarball = tarball_of_simulated_modules(cls.folder / "package")

    def follow(self, page, nodes):
        folder = self.folder / page
        folder.mkdir()
        shutil.copy(self.tarball, folder)
        names = [f"127.0.0.{number + 1}" for number in range(len(nodes))]
        hosts = {name: SimulatedNode(folder / "hosts" / name, host=name, seed=number, fabric=folder / "fabric", **how)
                 for number, (name, how) in enumerate(zip(names, nodes))}
        script, blocks = script_of((SOURCE / "docs" / f"{page}.md").read_text())
        (folder / "script").write_text(script)
        ended = subprocess.run([loopback_cluster.RUNNER, "run", f"--nodes={len(nodes)}", "--task-prolog", task_prolog(folder, hosts), "--",
                                "bash", "script"], cwd=folder, env={**os.environ, **loopback_cluster.MPI_SETTINGS}, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=800, check=False)
        if ended.returncode == 77:
            self.skipTest(ended.stdout.strip())
        said = ended.stdout.split(END)
        self.assertEqual(len(said), len(blocks) + 1, ended.stdout)
        for number, (block, shown) in enumerate(blocks):
            output = said[number].partition("\n")[2] if number else said[number]
            exit_code = int(said[number + 1].partition("\n")[0])
            with self.subTest(page=page, line=block.line):
                self.assertEqual(exit_code, exit_code_of(block), output)
                if shown:
                    self.assertTrue(sessions.agrees(shown.lines, output), f"docs/{page}.md:{shown.line}: the commands say:\n{output}")

    def test_burn_in_a_rack(self):
        self.follow("burn-in-a-rack", [{"gpus": 4}, {"gpus": 4, "faults": "slow:2:4"}, {"gpus": 4}])

    def test_accept_a_cluster(self):
        if lacking("rdma"):
            self.skipTest("not built here: assay-rdma on simulated adapters (libibverbs is not installed)")
        sound = {"gpus": 1, "rails": 2}
        self.follow("accept-a-cluster", [sound] * 12 + [{**sound, "faults": "rail_slow:1:3"}] + [sound] * 3)

    def test_calibrate_a_model(self):
        self.follow("calibrate-a-model", [{"gpus": 1}])


def tarball_of_simulated_modules(folder):
    """As cpack makes it, but that its modules find simulated GPUs."""
    subprocess.run(["cpack", "--config", BUILD / "CPackConfig.cmake", "-B", folder], check=True, stdout=subprocess.DEVNULL)
    tarball = next(folder.glob("assay-*.tar.gz"))
    with tarfile.open(tarball) as archive:
        archive.extractall(folder)
    (root,) = [path for path in folder.glob("assay-*") if path.is_dir()]
    for module in PROGRAMS.glob("assay-*"):
        shutil.copy(module, root / "bin")
    subprocess.run(["tar", "czf", tarball.name, root.name], cwd=folder, check=True)
    return tarball


def task_prolog(folder, hosts):
    """Slurm takes over what it prints."""
    program = folder / "task-prolog"
    cases = "".join(f"  {name})\n" + "".join(f"    echo 'export {key}={host.environment[key]}'\n" for key in OF_A_NODE) + "    ;;\n"
                    for name, host in hosts.items())
    program.write_text(f"#!/bin/bash\ncase $SLURMD_NODENAME in\n{cases}esac\n")
    program.chmod(0o755)
    return program


def script_of(text):
    """One shell for all blocks, and the blocks, each with what it must say."""
    blocks = [block for block in pages.blocks_of(text) if block.language in ("bash", "text")]
    wanted, script = [], "exec 2>&1\n"
    for block, after in zip(blocks, [*blocks[1:], None]):
        if block.language != "bash":
            continue
        wanted.append((block, after if after and after.language == "text" else None))
        commands = "\n".join(block.lines)
        for name, smaller in SMALLER.items():
            commands = commands.replace(name, smaller)
        script += f"{commands}\necho '{END}'$?\n"
    return script, wanted


def exit_code_of(block):
    stated = re.fullmatch(r"# exit code (\d+)", block.lines[-1])
    return int(stated.group(1)) if stated else 0


if __name__ == "__main__":
    if lacking():
        print("skipped: not built here:", ", ".join(lacking()))
        sys.exit(77)
    sys.exit(loopback_cluster.run_tests())

# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# What tests of campaigns under a real srun or mpirun start from: simulated nodes that the launcher starts them on. mpirun reaches
# its hosts through a program in the place of ssh.
import os
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "suite" / "tests"))
import loopback_cluster  # noqa: E402
from simulated_cluster import SimulatedCluster, bad_units  # noqa: E402

EXPECT = 'source = "the test"\ngpus = 1\nnvlinks = 18\n'
SSH = """\
#!/bin/sh
while [ "${{1#-}}" != "$1" ]; do shift; done
host=$1; shift
if [ -e {folder}/$host-is-down ]; then echo "ssh: connect to host $host port 22: No route to host" >&2; exit 255; fi
if [ -e {folder}/$host-fails-once ] && [ -e {folder}/c/campaigns/t/fabric ]; then rm {folder}/$host-fails-once; exit 255; fi
export TMPDIR={folder}/tmp-$host
mkdir -p $TMPDIR
ASSAY_CAMPAIGN_NODE=$host exec sh -c "$*"
"""

# Two at once in one TMPDIR meet in a folder that one of them makes: Open MPI's may fail then, this one always does.
MPIRUN = """\
#!/bin/sh
mkdir $TMPDIR/met || {{ echo "two launchers in one folder" >&2; exit 1; }}
trap 'rmdir $TMPDIR/met' EXIT
{mpirun} "$@"
"""


class Launched(loopback_cluster.LoopbackCluster):
    def nodes(self, *names, **how):
        self.simulated = SimulatedCluster(self.out / "c", {name: {"gpus": 1, **how} for name in names}, expect=EXPECT)
        return self.simulated

    def expect_all_but(self, ended, *bad):
        self.assertEqual(bad_units(self.simulated.verdicts("t")), set(bad), ended.stdout)
        self.assertEqual(ended.returncode, 3 if bad else 0, ended.stdout)
        sound = set(self.simulated.nodes) - {node for node, _ in bad}
        self.assertEqual(set(self.simulated.points("t")), sound, ended.stdout)

    def fabric_points(self):
        (journal,) = self.out.glob("c/campaigns/t/fabric/*/journal.jsonl")
        return {(one["case"], one["key"], one["status"]) for one in loopback_cluster.records_in(journal, "point")}

    def by_mpirun(self, *hosts, program=None):
        """The words and the environment of a campaign on the lines of a hostfile; a file NAME-is-down keeps a host from being
        reached, NAME-fails-once does so once, between nodes."""
        ssh, mpirun, hostfile = self.out / "ssh", self.out / "bin" / "mpirun", self.out / "hosts"
        mpirun.parent.mkdir(exist_ok=True)
        ssh.write_text(SSH.format(folder=self.out))
        mpirun.write_text((program or MPIRUN).format(mpirun=shutil.which("mpirun")))
        for script in (ssh, mpirun):
            script.chmod(0o755)
        hostfile.write_text("".join(f"{host}\n" for host in hosts))
        environment = {**self.environment, "OMPI_MCA_plm_rsh_agent": str(ssh), "PATH": f"{mpirun.parent}:{os.environ['PATH']}"}
        return ["--launcher", "mpirun", "--nodes", "", "--hostfile", hostfile], environment

    def launched(self, campaign, *hosts, flags=(), timeout=240):
        words, environment = self.by_mpirun(*hosts)
        return self.simulated.campaign(campaign, "--campaign-id", "t", *flags, *words, timeout=timeout, environment=environment)

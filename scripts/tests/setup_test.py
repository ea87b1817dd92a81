#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# scripts/setup on machines made of stubs: what it prints, what it asks, what it would run, and as whom.
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SETUP = pathlib.Path(__file__).resolve().parent.parent / "setup"
TOOLS = ("bash", "env", "cat", "sed", "echo")
DPKG_QUERY = 'case " $INSTALLED " in *" ${@: -1} "*) printf installed ;; *) exit 1 ;; esac\n'
APT_CACHE = 'case " $UNPACKAGED " in *" $2 "*) ;; *) printf "$2:\\n  Candidate: 1.0\\n" ;; esac\n'
TEST_PACKAGES = ("libgtest-dev libgmock-dev python3 xz-utils clang-format-19 clang-tidy-19 shfmt shellcheck codespell "
                 "universal-ctags clang-19 lld libclang-rt-19-dev libomp-19-dev chromium libsimgrid-dev openmpi-bin libbenchmark-tools "
                 "python3-scipy valgrind")


class Setup(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for tool in TOOLS:
            (self.folder / tool).symlink_to(shutil.which(tool))
        self.stub("dpkg-query", DPKG_QUERY)
        self.stub("apt-cache", APT_CACHE)
        self.stub("apt-get", 'echo "apt-get $*" >>"$LOG"\n')
        self.stub("sudo", 'echo "sudo" >>"$LOG"\n"$@"\n')
        self.stub("id", 'echo "$USER_ID"\n')

    def stub(self, name, body):
        (self.folder / name).write_text(f"#!{shutil.which('bash')}\n{body}")
        (self.folder / name).chmod(0o755)

    def run_setup(self, *arguments, installed="", unpackaged="", user="1000"):
        """(exit status, what it said, what it ran)"""
        log = self.folder / "log"
        environment = {"PATH": str(self.folder), "INSTALLED": installed, "UNPACKAGED": unpackaged, "USER_ID": user,
                       "LOG": str(log)}
        done = subprocess.run([str(SETUP), *arguments], env=environment, stdin=subprocess.DEVNULL, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        return done.returncode, done.stdout, log.read_text().splitlines() if log.exists() else []

    def test_a_complete_machine_runs_nothing(self):
        status, said, ran = self.run_setup("--for", "test", "--yes", installed=TEST_PACKAGES)
        self.assertEqual((status, said, ran), (0, "Packages for test: all present.\n", []))

    def test_what_is_missing_is_named_with_what_it_costs(self):
        status, said, ran = self.run_setup("--for", "charts,test", "--check", installed="libgtest-dev")
        self.assertEqual(status, 1)
        self.assertIn("  libgmock-dev\n", said)
        self.assertIn("  nodejs (without it: the HTML report has tables but no charts)\n", said)
        self.assertNotIn("libgtest-dev", said)
        self.assertEqual(ran, [])

    def test_only_optional_packages_missing_is_no_failure_of_a_check(self):
        status, _, _ = self.run_setup("--for", "charts", "--check")
        self.assertEqual(status, 0)

    def test_virtual_hosts_are_optional_and_their_absence_has_a_cost(self):
        status, said, _ = self.run_setup("--for", "verbs", "--check")
        self.assertEqual(status, 0)
        self.assertIn("  qemu-system-x86 (without it: the verbs tests are skipped: no virtual machines)\n", said)

    def test_tools_of_sites_are_optional(self):
        status, said, _ = self.run_setup("--for", "sites", "--check")
        self.assertEqual(status, 0)
        self.assertIn("  ibsim-utils (without it: the sites tests have no InfiniBand to list)\n", said)

    def test_a_command_on_the_path_counts_as_present(self):
        self.stub("node", "")
        self.assertEqual(self.run_setup("--for", "charts")[:2], (0, "Packages for charts: all present.\n"))

    def test_without_a_terminal_and_without_yes_nothing_is_installed(self):
        status, said, ran = self.run_setup("--for", "charts")
        self.assertEqual((status, ran), (1, []))
        self.assertIn("use --yes", said)

    def test_a_user_installs_through_sudo(self):
        status, _, ran = self.run_setup("--for", "charts", "--yes")
        self.assertEqual(status, 0)
        self.assertEqual(ran, ["sudo", "apt-get update -q", "sudo",
                               "apt-get install -q -y --no-install-recommends nodejs"])

    def test_root_needs_no_sudo(self):
        os.remove(self.folder / "sudo")
        status, _, ran = self.run_setup("--for", "charts", "--yes", user="0")
        self.assertEqual(status, 0)
        self.assertEqual(ran, ["apt-get update -q", "apt-get install -q -y --no-install-recommends nodejs"])

    def test_a_user_without_sudo_is_told_the_command(self):
        os.remove(self.folder / "sudo")
        status, said, ran = self.run_setup("--for", "charts", "--yes")
        self.assertEqual((status, ran), (1, []))
        self.assertIn("as root: apt-get install nodejs", said.replace("  ", " "))

    def test_an_optional_package_that_is_not_packaged_is_left_out(self):
        status, said, ran = self.run_setup("--for", "package", "--yes", unpackaged="rpm", user="0")
        self.assertEqual(status, 0)
        self.assertIn("rpm is not packaged for this system: no .rpm is made", said)
        self.assertEqual(ran[-1], "apt-get install -q -y --no-install-recommends help2man mmdebstrap")

    def test_another_system_is_told_what_to_install(self):
        os.remove(self.folder / "apt-get")
        status, said, _ = self.run_setup("--for", "charts", "--yes")
        self.assertEqual(status, 1)
        self.assertIn("no apt-get", said)
        self.assertIn("nodejs\n", said)

    def test_an_unknown_purpose_is_a_usage_error(self):
        status, said, _ = self.run_setup("--for", "fun")
        self.assertEqual(status, 2)
        self.assertIn("--for takes build, charts, python, test, package, verbs, cluster, sites; got 'fun'", said)


unittest.main()

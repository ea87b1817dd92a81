#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# assay-device-check with a total: what has its share and what is left out, what hangs and what fails, what is packed.
import os
import pathlib
import signal
import subprocess
import unittest

from device_check_stubs import StubNode

PACKED = ["device-check.log", "results.tar.xz", "summary.txt"]


def has_ended(process):
    """Also where the system's first process has not yet taken note of it."""
    stat = pathlib.Path(f"/proc/{process}/stat")
    try:
        return stat.read_text().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


class Minutes(StubNode):
    def verdicts(self):
        words = [line.split(": ") for line in self.text("out/summary.txt").splitlines() if line]
        return {line[0]: line[1].split(" (")[0] for line in words if len(line) > 1}

    def packed(self):
        return sorted(path.name for path in (self.root / "back").iterdir())

    def test_shares_of_all_steps_and_the_end_are_eight_minutes(self):
        lines = self.check("--steps").stdout.splitlines()
        self.assertEqual([line.split()[0] for line in lines[:5]], ["facts", "probe", "tests", "links", "links-peer"])
        self.assertEqual(sum(int(line.split()[1]) for line in lines) + 20, 8 * 60)

    def test_steps_that_take_all_they_are_given_end_within_the_total_and_are_stopped(self):
        self.plant_all()
        self.plant_assay("spend 1000 || exit 4")
        done = self.check("--output", "out", "--minutes", "8", "--pack-results", "back")
        self.assertLessEqual(self.seconds(), 8 * 60)
        verdicts = self.verdicts()
        for name in ("links", "products", "vectors", "streams", "power", "interference"):
            self.assertEqual(verdicts[name], "stopped")
        self.assertEqual(done.returncode, 3)
        self.assertEqual(self.packed(), PACKED)

    def test_time_that_a_step_does_not_use_is_another_s(self):
        self.plant_all()
        self.plant_assay("spend 100 || exit 4")
        self.check("--output", "out", "--minutes", "8")
        # facts, probe and tests took no time: 90 s are left to links, whose plan is stopped before its end.
        self.assertEqual(self.step("links"), "links: stopped (87 s): its time was used up, and points are missing")
        self.assertEqual(self.step("products"), "products: ok (100 s)")

    def test_what_finds_no_time_is_left_out_and_said(self):
        self.plant_all()
        self.plant_assay("spend 20 || exit 4")
        done = self.check("--output", "out", "--minutes", "2", "--pack-results", "back")
        self.assertLessEqual(self.seconds(), 120)
        self.assertEqual(self.step("links"), "links: ok (20 s)")
        self.assertEqual(self.step("power"), "power: stopped (17 s): its time was used up, and points are missing")
        self.assertEqual(self.step("ranks"), "ranks: left out (0 s): it needs 15 s, and 3 s are left for it")
        self.assertIn("power: stopped", done.stdout)
        self.assertEqual(done.returncode, 3)
        self.assertEqual(self.packed(), PACKED)
        self.assertEqual(self.text("back/summary.txt"), self.text("out/summary.txt"))

    def test_tests_stop_when_their_time_is_used_up_and_the_rest_runs_at_the_end(self):
        self.plant_all()
        self.plant_tests(*["Takes15"] * 5)
        done = self.check("--output", "out", "--minutes", "8")
        self.assertEqual(self.step("tests"), "tests: ok (75 s): 6 passed, 0 failed, 0 skipped, 0 not run")
        self.assertEqual(done.returncode, 0)
        self.plant_tests(*["Takes15"] * 9)
        (self.root / "clock").write_text("1000 0\n")
        self.plant_assay("spend 50 || exit 4")
        done = self.check("--output", "out", "--minutes", "8")
        self.assertEqual(self.step("tests"), "tests: ok (75 s): 6 passed, 0 failed, 0 skipped, 4 not run")
        self.assertRegex(self.step("more-tests"), r"more-tests: \w+ \(\d+ s\): \d+ passed, 0 failed, 0 skipped, \d not run")
        self.assertLessEqual(self.seconds(), 8 * 60)

    def test_a_test_has_twenty_seconds_of_minutes(self):
        self.plant_tests("Hangs")
        self.check("--output", "out", "--minutes", "8", "--tests-only")
        self.assertEqual(self.lines(), ["failed OnGpu.Hangs: took longer than 20 s, or was killed"])

    def test_a_test_that_its_step_ends_has_not_failed_and_is_counted_as_not_run(self):
        self.plant_tests("Takes90")
        done = self.check("--output", "out", "--minutes", "1", "--tests-only", "--limit", "60")
        self.assertEqual(self.lines(), ["stopped OnGpu.Takes90: after 40 s, when the time of its step was used up"])
        self.assertEqual(self.step("tests"), "tests: stopped (40 s): 0 passed, 0 failed, 0 skipped, 1 not run")
        self.assertEqual(done.returncode, 3)

    def test_a_failing_step_does_not_stop_later_ones(self):
        self.plant_all()
        self.plant_assay('[[ "$4" != *-links ]] || exit 1')
        self.plant("bin/assay-collectives", "#!/usr/bin/env bash\nexit 137\n")
        done = self.check("--output", "out", "--minutes", "8", "--pack-results", "back")
        verdicts = self.verdicts()
        self.assertEqual([verdicts[name] for name in ("links", "products", "rank", "interference")], ["failed", "ok", "failed", "ok"])
        self.assertEqual(done.returncode, 1)
        self.assertEqual(self.packed(), PACKED)

    def test_what_hangs_is_killed_with_all_that_it_started(self):
        self.plant_all()
        self.plant("fakes/timeout", '#!/usr/bin/env bash\nshift 4\nexec /usr/bin/timeout --foreground --signal=INT --kill-after=0.2 '
                                    '"$([[ "$*" == *-links\\ * ]] && echo 0.5 || echo 100)" "$@"\n')
        # As a module does it: a process group of its own, which no signal to the parent reaches.
        self.plant_assay('if [[ "$4" == *-links ]]; then trap "" INT; set -m; sleep 1000 & echo $! >"$HANGING"; wait; fi')
        done = subprocess.run([self.root / "bin/assay-device-check", "--output", "out"], cwd=self.root,
                              env=self.environment() | {"HANGING": str(self.root / "hanging")}, capture_output=True, check=False)
        self.assertEqual(self.step("links"), "links: failed (0 s): did not end when it was interrupted, and was killed")
        self.assertEqual(self.step("products"), "products: ok (0 s)")
        self.assertEqual(done.returncode, 1)
        self.assertTrue(has_ended(int(self.text("hanging"))))

    def test_an_interrupted_check_packs_what_it_has(self):
        self.plant_all()
        os.mkfifo(self.root / "ready")
        self.plant("fakes/timeout", '#!/usr/bin/env bash\nshift 4\nexec /usr/bin/timeout --foreground --signal=INT --kill-after=9 100 "$@"\n')
        self.plant_assay('trap "kill $!; exit 4" INT; sleep 1000 & trap "kill $!; exit 4" INT; echo >ready; wait')
        check = subprocess.Popen([self.root / "bin/assay-device-check", "--output", "out", "--pack-results", "back"], cwd=self.root,
                                 env=self.environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        with open(self.root / "ready"):
            check.send_signal(signal.SIGTERM)
        said, _ = check.communicate()
        self.assertEqual(check.returncode, 4, said)
        self.assertEqual(self.step("products"), "products: left out (0 s): interrupted")
        self.assertEqual(self.packed(), PACKED)

    def test_results_beyond_a_file_s_size_come_in_parts(self):
        self.plant_all()
        self.plant_assay('head -c 20000000 /dev/urandom >"$2/$4/samples"')
        done = self.check("--output", "out", "--plan", "quick", "--pack-results", "back")
        self.assertEqual(self.packed(), ["device-check.log", "results.tar.xz.00", "results.tar.xz.01", "summary.txt"])
        for path in (self.root / "back").iterdir():
            self.assertLessEqual(path.stat().st_size, 16 << 20)
        self.assertIn("results.tar.xz: 19 MiB in parts, which 'cat' joins", self.text("back/summary.txt"))
        self.assertEqual(done.returncode, 0)
        parts = b"".join((self.root / f"back/results.tar.xz.0{part}").read_bytes() for part in range(2))
        listed = subprocess.run(["tar", "tJ"], input=parts, capture_output=True, check=True).stdout.decode()
        self.assertIn("/journal.jsonl", listed)
        self.assertIn("./device-tests.txt", listed)

    def test_without_xz_results_are_packed_by_gzip(self):
        self.plant_all()
        for tool in ("bash", "cat", "tar", "gzip", "awk", "date", "grep", "stat", "cp", "rm", "mkdir", "mktemp", "dirname", "basename", "realpath",
                     "sort", "tee", "tail", "sleep", "setsid", "printf", "env"):
            (self.root / "fakes" / tool).symlink_to(f"/usr/bin/{tool}")
        subprocess.run([self.root / "bin/assay-device-check", "--output", "out", "--pack-results", "back", "--tests-only"], cwd=self.root,
                       env=self.environment() | {"PATH": str(self.root / "fakes")}, capture_output=True, check=False)
        self.assertEqual(self.packed(), ["device-check.log", "results.tar.gz", "summary.txt"])


if __name__ == "__main__":
    unittest.main()

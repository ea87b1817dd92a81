#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# assay-device-check: what it says of each test, what it asks of assay, how it ends.
import unittest

from device_check_stubs import StubNode


class DeviceCheck(StubNode):
    def test_every_end_of_a_test_is_told_and_fails_the_check(self):
        self.plant_tests("Passes", "Fails", "Crashes", "Hangs", "RunsNothing", "Skips")
        done = self.check("--output", "out", "--tests-only", "--limit", "10")
        self.assertEqual(self.lines(), [
            "passed OnGpu.Passes",
            "failed OnGpu.Fails: exit status 1, see device-check.log",
            "failed OnGpu.Crashes: exit status 139, see device-check.log",
            "failed OnGpu.Hangs: took longer than 10 s, or was killed",
            "failed OnGpu.RunsNothing: ended well and ran nothing, see device-check.log",
            "skipped OnGpu.Skips: no CUDA device: no driver",
        ])
        self.assertEqual(self.step("tests"), "tests: failed (10 s): 1 passed, 4 failed, 1 skipped, 0 not run")
        self.assertEqual(done.returncode, 1)
        log = self.text("out/device-check.log")
        self.assertIn("-- OnGpu.Fails\nprograms are in", log)
        self.assertIn("a.cpp:3: Failure", log)

    def test_every_program_is_run(self):
        self.plant_tests("Passes", program="a_test")
        self.plant_tests("Passes", program="b_test")
        self.assertEqual(self.check("--output", "out", "--tests-only").returncode, 0)
        self.assertEqual(self.lines(), ["passed OnGpu.Passes"] * 2)

    def test_what_has_never_run_on_a_gpu_is_run_first(self):
        self.plant_tests("Passes", program="a_test")
        self.plant_tests(program="b_test", listed="printf 'MemoryOnDevice.\\n  Passes\\n  ALoadOverALinkIsRight\\nNcclOnAGpu.\\n  Runs\\n'")
        self.check("--output", "out", "--tests-only")
        self.assertEqual(self.lines(), ["passed MemoryOnDevice.ALoadOverALinkIsRight", "passed NcclOnAGpu.Runs",
                                        "passed OnGpu.Passes", "passed MemoryOnDevice.Passes"])

    def test_typed_tests_are_run_by_their_names_and_disabled_ones_are_not(self):
        self.plant_tests("DISABLED_Fails", "SaysSkipped", listed="printf 'Typed/0.  # TypeParam = int\\n  Works\\n'")
        self.assertEqual(self.check("--output", "out", "--tests-only").returncode, 0)
        self.assertEqual(self.lines(), ["passed OnGpu.SaysSkipped", "passed Typed/0.Works"])

    def test_the_probe_is_a_step_of_its_own_that_says_what_it_saw(self):
        self.plant_all()
        self.assertEqual(self.check("--output", "out", "--tests-only").returncode, 0)
        self.assertEqual(self.step("probe"), "probe: ok (0 s): it says so")
        self.assertEqual([line for line in self.lines() if "AQuery" in line],
                         ["passed CudaOnDevice.AQueryOfUnfinishedWorkStaysTheLastErrorUntilItIsCleared"])

    def test_a_plan_that_cannot_be_run_is_told_before_any_test(self):
        self.plant_tests("Passes")
        done = self.check("--output", "out", "--plan", "nosuch")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr, "no plan 'nosuch'\n")
        self.assertFalse((self.root / "out").exists())

    def test_a_program_that_does_not_start_has_failed(self):
        self.plant_tests("Passes")
        self.plant("libexec/assay/device-tests/broken_test", "#!/usr/bin/env bash\necho 'no libx.so' >&2\nexit 127\n")
        self.assertEqual(self.check("--output", "out", "--tests-only").returncode, 1)
        self.assertIn("failed broken_test: does not start, see device-check.log", self.lines())
        self.assertIn("no libx.so", self.text("out/device-check.log"))

    def test_where_every_test_is_skipped_nothing_was_shown(self):
        self.plant_tests("Skips")
        done = self.check("--output", "out")
        self.assertEqual(done.returncode, 3)
        self.assertEqual(self.step("tests"), "tests: inconclusive (0 s): 0 passed, 0 failed, 1 skipped, 0 not run: "
                                             "no test could run on this machine")
        self.assertEqual(self.step("links"), "links: left out (0 s): no test could run on this machine")
        self.assertNotIn("assay run --plan device --out", self.text("calls"))

    def test_the_plan_follows_in_steps(self):
        self.plant_all()
        done = self.check("--output", "out")
        calls = self.text("calls")
        self.assertIn("assay machine --format json --output out/machine.json", calls)
        self.assertRegex(calls, r"assay run --plan device --out out --run-id \S+-vectors --modules memory --filter memory.cuda.vector\n")
        self.assertRegex(calls, r"assay-collectives --ranks 2 --ranks-share-gpu --plan device ")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual(self.step("links-peer"), "links-peer: skipped (0 s): no --peers")

    def test_another_plan_is_one_step_with_its_filters_and_its_exit_code(self):
        self.plant_tests("Passes")
        for code, said, ends in (("1", "failed (0 s): exit code 1, see device-check.log", 1),
                                 ("3", "inconclusive (0 s): exit code 3, see device-check.log", 3),
                                 ("4", "stopped (0 s): its time was used up, and points are missing", 3)):
            self.plant_assay(f"exit {code}")
            done = self.check("--output", "out", "--plan", "quick", "--filter", "gemm.*", "--filter", "memory.*")
            self.assertRegex(self.text("calls"), r"assay run --plan quick --out out --run-id \S+-plan --filter gemm.\* --filter memory.\*")
            self.assertEqual(self.step("plan"), f"plan: {said}")
            self.assertEqual(done.returncode, ends)

    def test_a_failed_test_does_not_keep_the_plan_from_running_and_is_not_forgotten(self):
        self.plant_tests("Fails")
        done = self.check("--output", "out", "--plan", "full")
        self.assertIn("assay run --plan full --out out", self.text("calls"))
        self.assertEqual(done.returncode, 1)

    def test_usage_errors_are_one_line(self):
        self.plant_tests("Passes")
        for arguments, expected in ((["--fast"], "unknown argument '--fast'"), (["--plan"], "--plan needs a value"),
                                    (["--limit", "soon"], "--limit needs a whole number of seconds, got 'soon'"),
                                    (["--minutes", "0"], "--minutes needs a whole number, got '0'"),
                                    (["--peers", "none"], "--peers: no folder 'none'")):
            done = self.check(*arguments)
            self.assertEqual(done.returncode, 2)
            self.assertEqual(done.stderr, f"assay-device-check: {expected} (see assay-device-check --help)\n")

    def test_arguments_can_be_tried_before_there_is_anything_to_run(self):
        self.assertEqual(self.check("--plan", "quick", "--no-run").returncode, 0)
        self.assertEqual(self.check("--no-run", "--plan").returncode, 2)

    def test_a_tarball_without_tests_says_how_to_get_them(self):
        done = self.check()
        self.assertEqual(done.returncode, 2)
        self.assertIn("this tarball was built without them, 'scripts/device-check --pack' makes one with them", done.stderr)


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# assay-device-check among programs that stand where tests and assay would: what it says of each, what it leaves, how it
# ends.
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "assay-device-check"

# Answers as a GoogleTest program does. Names tell how each test ends.
TESTS = """\
#!/usr/bin/env bash
if [[ $1 == --gtest_list_tests ]]; then
  printf 'Running main()\\nOnGpu.\\n'
  for name in NAMES; do echo "  $name"; done
  LISTED
  exit
fi
name=${1#--gtest_filter=}
echo "programs are in $ASSAY_BIN_DIR"
case $name in
OnGpu.Passes) echo '[  PASSED  ] 1 test.' ;;
OnGpu.Fails) echo 'a.cpp:3: Failure'; exit 1 ;;
OnGpu.Crashes) kill -SEGV $$ ;;
OnGpu.Hangs) sleep 60 ;;
OnGpu.RunsNothing) echo '[  PASSED  ] 0 tests.' ;;
OnGpu.Skips) printf 'a.cpp:3: Skipped\\nno CUDA device: no driver\\n\\n[  SKIPPED ] 1 test, listed below:\\n' ;;
OnGpu.SaysSkipped) printf '[  SKIPPED ] is what it says\\n[  PASSED  ] 1 test.\\n' ;;
Typed/0.Works) echo '[  PASSED  ] 1 test.' ;;
esac
"""
ASSAY = """\
#!/usr/bin/env bash
echo "assay $*"
if [[ "$*" == *--show-commands* ]]; then [[ "$*" != *nosuch* ]] || { echo "no plan 'nosuch'" >&2; exit 2; }; exit; fi
[[ $1 != run ]] || exit RUN
"""


class DeviceCheck(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="assay check ")  # a blank, on purpose
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "bin").mkdir()
        shutil.copy(SCRIPT, self.root / "bin")
        self.plant("bin/assay", ASSAY.replace("RUN", "0"))

    def plant(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        file.chmod(0o755)

    def plant_tests(self, *names, program="some_test", listed=""):
        text = TESTS.replace("NAMES", " ".join(names)).replace("LISTED", listed)
        self.plant(f"libexec/assay/device-tests/{program}", text)

    def check(self, *arguments):
        return subprocess.run([self.root / "bin/assay-device-check", *arguments], cwd=self.root, capture_output=True, text=True,
                              check=False, env={"PATH": os.environ["PATH"]})

    def lines(self):
        return (self.root / "out/device-tests.txt").read_text().splitlines()

    def test_every_end_of_a_test_is_told_and_fails_the_check(self):
        self.plant_tests("Passes", "Fails", "Crashes", "Hangs", "RunsNothing", "Skips")
        done = self.check("--output", "out", "--tests-only", "--limit", "1")
        self.assertEqual(self.lines(), [
            "passed OnGpu.Passes",
            "failed OnGpu.Fails: exit status 1, see device-tests.log",
            "failed OnGpu.Crashes: exit status 139, see device-tests.log",
            "failed OnGpu.Hangs: took longer than 1 s, or was killed",
            "failed OnGpu.RunsNothing: ended well and ran nothing, see device-tests.log",
            "skipped OnGpu.Skips: no CUDA device: no driver",
        ])
        self.assertIn("device tests: 1 passed, 4 failed, 1 skipped", done.stdout)
        self.assertEqual(done.returncode, 1)
        log = (self.root / "out/device-tests.log").read_text()
        self.assertIn("== OnGpu.Fails\nprograms are in", log)
        self.assertIn("a.cpp:3: Failure", log)

    def test_every_program_is_run(self):
        self.plant_tests("Passes", program="a_test")
        self.plant_tests("Passes", program="b_test")
        self.assertEqual(self.check("--output", "out", "--tests-only").returncode, 0)
        self.assertEqual(self.lines(), ["passed OnGpu.Passes"] * 2)

    def test_typed_tests_are_run_by_their_names_and_disabled_ones_are_not(self):
        self.plant_tests("DISABLED_Fails", "SaysSkipped", listed="printf 'Typed/0.  # TypeParam = int\\n  Works\\n'")
        self.assertEqual(self.check("--output", "out", "--tests-only").returncode, 0)
        self.assertEqual(self.lines(), ["passed OnGpu.SaysSkipped", "passed Typed/0.Works"])

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
        self.assertIn("failed broken_test: does not start, see device-tests.log", self.lines())
        self.assertIn("no libx.so", (self.root / "out/device-tests.log").read_text())

    def test_where_every_test_is_skipped_nothing_was_shown(self):
        self.plant_tests("Skips")
        done = self.check("--output", "out")
        self.assertEqual(done.returncode, 3)
        self.assertEqual(done.stderr, "assay-device-check: no test could run on this machine\n")
        self.assertNotIn("assay run", done.stdout)

    def test_the_plan_follows_with_its_filters_and_its_exit_code(self):
        self.plant_tests("Passes")
        self.plant("bin/assay", ASSAY.replace("RUN", "4"))
        done = self.check("--output", "out", "--plan", "quick", "--filter", "gemm.*", "--filter", "memory.*")
        self.assertIn("assay machine --format json --output out/machine.json", done.stdout)
        self.assertIn("assay run --plan quick --out out --filter gemm.* --filter memory.*", done.stdout)
        self.assertEqual(done.returncode, 4)

    def test_a_failed_test_does_not_keep_the_plan_from_running_and_is_not_forgotten(self):
        self.plant_tests("Fails")
        done = self.check("--output", "out")
        self.assertIn("assay run --plan full --out out", done.stdout)
        self.assertEqual(done.returncode, 1)

    def test_usage_errors_are_one_line(self):
        self.plant_tests("Passes")
        for arguments, expected in ((["--fast"], "unknown argument '--fast'"), (["--plan"], "--plan needs a value"),
                                    (["--limit", "soon"], "--limit needs a whole number of seconds, got 'soon'")):
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


unittest.main()

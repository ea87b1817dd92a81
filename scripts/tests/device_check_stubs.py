# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# assay-device-check among programs that stand where tests, assay and peers would, with a clock that only they move: a
# program "takes" N seconds by `spend N`, and the stub of timeout ends it when that is beyond its limit.
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parent.parent

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
OnGpu.Fails) echo 'a.cpp:3: Failure'; exit 1 ;;
OnGpu.Crashes) kill -SEGV $$ ;;
OnGpu.Hangs) spend 1000 || exit 124 ;;
OnGpu.Takes*) spend "${name#OnGpu.Takes}" || exit 124; echo '[  PASSED  ] 1 test.' ;;
OnGpu.RunsNothing) echo '[  PASSED  ] 0 tests.' ;;
OnGpu.Skips) printf 'a.cpp:3: Skipped\\nno CUDA device: no driver\\n\\n[  SKIPPED ] 1 test, listed below:\\n' ;;
OnGpu.SaysSkipped) printf '[  SKIPPED ] is what it says\\n[  PASSED  ] 1 test.\\n' ;;
CudaOnDevice.AQuery*) printf 'probe: it says so\\n[  PASSED  ] 1 test.\\n' ;;
*) echo '[  PASSED  ] 1 test.' ;;
esac
"""
ASSAY = """\
#!/usr/bin/env bash
echo "$(basename "$0") $*" >>"$CALLS"
if [[ "$*" == *--show-commands* ]]; then [[ "$*" != *nosuch* ]] || { echo "no plan 'nosuch'" >&2; exit 2; }; exit; fi
if [[ $1 == run ]]; then
  while [[ $1 != --out ]]; do shift; done
  mkdir -p "$2/$4" && echo '{}' >"$2/$4/journal.jsonl"
  RUN
fi
exit 0
"""
SPEND = """\
#!/usr/bin/env bash
read -r now _ <"$ASSAY_DEVICE_CHECK_CLOCK"
if ((now + $1 > ${DEADLINE:-100000})); then echo "$DEADLINE 0" >"$ASSAY_DEVICE_CHECK_CLOCK"; exit 1; fi
echo "$((now + $1)) 0" >"$ASSAY_DEVICE_CHECK_CLOCK"
"""
TIMEOUT = """\
#!/usr/bin/env bash
read -r now _ <"$ASSAY_DEVICE_CHECK_CLOCK"
limit=$4
shift 4
export DEADLINE=$((now + limit))
"$@"
"""


class StubNode(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="assay check ")  # a blank, on purpose
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "bin").mkdir()
        shutil.copy(SCRIPTS / "assay-device-check", self.root / "bin")
        shutil.copytree(SCRIPTS / "device_check", self.root / "libexec/assay/device-check")
        self.plant_assay()
        self.plant("fakes/spend", SPEND)
        self.plant("fakes/timeout", TIMEOUT)
        self.plant("fakes/nvidia-smi", "#!/usr/bin/env bash\necho a GPU\n")
        (self.root / "clock").write_text("1000 0\n")

    def plant(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        file.chmod(0o755)

    def plant_assay(self, run="exit 0"):
        self.plant("bin/assay", ASSAY.replace("RUN", run))

    def plant_tests(self, *names, program="some_test", listed=""):
        text = TESTS.replace("NAMES", " ".join(names)).replace("LISTED", listed)
        self.plant(f"libexec/assay/device-tests/{program}", text)

    def plant_all(self):
        """Tests with the probe's, and modules that measure nothing."""
        self.plant_tests("Passes")
        self.plant_tests(program="harness_cuda_device_test",
                         listed="printf 'CudaOnDevice.\\n  AQueryOfUnfinishedWorkStaysTheLastErrorUntilItIsCleared\\n'")
        for module in ("gemm", "memory", "offload", "collectives"):
            self.plant(f"bin/assay-{module}", ASSAY.replace("RUN", "exit 0"))

    def environment(self):
        return {"PATH": f"{self.root}/fakes:{os.environ['PATH']}", "ASSAY_DEVICE_CHECK_CLOCK": str(self.root / "clock"),
                "CALLS": str(self.root / "calls")}

    def check(self, *arguments):
        return subprocess.run([self.root / "bin/assay-device-check", *arguments], cwd=self.root, capture_output=True, text=True,
                              check=False, env=self.environment())

    def seconds(self):
        return int((self.root / "clock").read_text().split()[0]) - 1000

    def text(self, path):
        return (self.root / path).read_text()

    def lines(self):
        return self.text("out/device-tests.txt").splitlines()

    def step(self, name):
        """What the summary says of a step."""
        return next(line for line in self.text("out/summary.txt").splitlines() if line.startswith(f"{name}: "))

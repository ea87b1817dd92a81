#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# scripts/device-check --pack, with programs that stand where CMake and cpack would: what it makes, and how large it may be.
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parent.parent
CPACK = """\
#!/usr/bin/env bash
echo "cpack $*" >>"$CALLS"
mkdir -p "$(dirname "$4")/package"
truncate -s BYTES "$(dirname "$4")/package/assay-1-linux-x86_64.tar.xz"
"""


class Pack(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="assay pack ")  # a blank, on purpose
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "scripts").mkdir()
        shutil.copy(SCRIPTS / "device-check", self.root / "scripts")
        for name in ("scripts/configure", "fakes/cmake"):
            self.plant(name, '#!/usr/bin/env bash\necho "$(basename "$0") $*" >>"$CALLS"\n')

    def plant(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        file.chmod(0o755)

    def pack(self, size):
        self.plant("fakes/cpack", CPACK.replace("BYTES", str(size)))
        return subprocess.run([self.root / "scripts/device-check", "--pack"], capture_output=True, text=True, check=False,
                              env={"PATH": f"{self.root}/fakes:{os.environ['PATH']}", "CALLS": str(self.root / "calls")})

    def test_a_tarball_within_its_size_is_made_of_the_device_preset(self):
        done = self.pack(40 << 20)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"assay-1-linux-x86_64.tar.xz: 40 MiB\n")
        calls = (self.root / "calls").read_text()
        self.assertTrue(calls.startswith("configure device\n"), calls)
        self.assertIn("cpack -G TXZ --config ", calls)

    def test_one_that_is_too_large_fails_with_its_size(self):
        done = self.pack((40 << 20) + 1)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"^scripts/device-check: \S.*x86_64.tar.xz has 41943041 bytes, expected at most 41943040\n$")

    def test_it_holds_what_a_gpu_needs_and_nothing_large_beside(self):
        listed = subprocess.run(["cmake", "-D", "PRESET=device", "-P", SCRIPTS.parent / "harness/cmake/preset_settings.cmake"],
                                capture_output=True, text=True, check=True).stdout.splitlines()
        for name in ("ONEDNN", "BLAS", "MPI", "PYTHON", "CHARTS"):
            self.assertIn(f"-DASSAY_WITH_{name}=OFF", listed)
        self.assertIn("-DASSAY_TEST_LABELS=device", listed)


unittest.main()

#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# The tarball, unpacked elsewhere: every program starts, and nothing but glibc and libgcc comes from outside the bundle;
# assay-rdma takes the node's libibverbs, which must fit the node's drivers. As root also in a folder that holds glibc alone
# (chroot), and the .deb and .rpm installed into such a folder.
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from elf_files import hardening_faults, linked_files, search_path_faults  # noqa: E402

BUILD = pathlib.Path(os.environ["ASSAY_BUILD_DIR"])
RELEASE = pathlib.Path(__file__).resolve().parent.parent / "release"
GLIBC = re.compile(r"^(ld-linux.*|lib(c|m|dl|rt|util|anl|mvec|pthread|resolv|gcc_s))\.so\.\d+$")
VERBS = re.compile(r"^lib(ibverbs|nl-3|nl-route-3)\.so\.\d+$")  # the node's own
OLDEST_GLIBC = (2, 34)  # RHEL 9; Ubuntu 22.04 has 2.35


def text_of(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=True, **options).stdout


def is_elf(path):
    return path.read_bytes()[:4] == b"\x7fELF"


def takes_verbs(program):
    return program.name == "assay-rdma"


def version(text):
    return tuple(int(part) for part in text.split("."))


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="assay-package-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name) / "release"
        cls.said = text_of(RELEASE, "--build", BUILD, cls.folder)
        cls.tarball = next(path for path in cls.folder.glob("assay-*.tar.gz") if not path.name.endswith("-manual.tar.gz"))
        with tarfile.open(cls.tarball) as archive:
            archive.extractall(cls.folder / "else where")  # a blank, on purpose
        cls.root = next((cls.folder / "else where").iterdir())
        cls.scripts, cls.programs = [], []
        for path in sorted((cls.root / "bin").iterdir()):
            (cls.programs if is_elf(path) else cls.scripts).append(path)
        cls.tests = sorted((cls.root / "libexec/assay/device-tests").glob("*"))
        cls.libraries = sorted(path for path in (cls.root / "lib").glob("*") if path.is_file() and not path.is_symlink())

    def test_the_release_has_every_part_or_says_why_not(self):
        for pattern, part in (("assay_*.deb", ".deb"), ("assay-*.rpm", ".rpm"), ("assay-*.whl", "the Python wheel"),
                              ("assay-*.spdx.json", "the SBOM"), ("assay-*-manual.tar.gz", "manual pages")):
            self.assertNotEqual(bool(list(self.folder.glob(pattern))), f"left out: {part} (" in self.said, part)

    def test_the_checksums_are_those_of_every_file(self):
        sums = dict(reversed(line.split("  ")) for line in (self.folder / "SHA256SUMS").read_text().splitlines())
        files = {path.name for path in self.folder.iterdir() if path.is_file()} - {"SHA256SUMS"}
        self.assertEqual(set(sums), files)
        for name, checksum in sums.items():
            self.assertEqual(hashlib.sha256((self.folder / name).read_bytes()).hexdigest(), checksum, name)

    def test_a_release_overwrites_nothing(self):
        done = subprocess.run([RELEASE, "--build", BUILD, self.folder], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (2, f"scripts/release: {self.folder}: is there already (see scripts/release --help)\n"))

    def test_the_front_end_and_the_modules_are_there(self):
        names = [program.name for program in self.programs]
        for name in ("assay", "assay-gemm", "assay-memory"):
            self.assertIn(name, names)

    def test_every_program_starts_without_an_environment(self):
        for program in [*self.programs, *self.scripts]:
            done = subprocess.run([program, "--help"], env={}, capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, f"{program.name}: {done.stderr}")
            self.assertIn(program.name, done.stdout)

    def test_only_glibc_comes_from_outside(self):
        for program in [*self.programs, *self.tests]:
            for line in text_of("ldd", program, env={"PATH": os.environ["PATH"]}).splitlines():
                name, _, path = line.strip().partition(" => ")
                if not path or path.startswith(str(self.root)) or (takes_verbs(program) and VERBS.match(name)):
                    continue
                self.assertRegex(name, GLIBC, f"{program.name} takes {line.strip()}")

    def test_no_file_asks_for_a_glibc_newer_than_that_of_the_oldest_system(self):
        for path in [*self.programs, *self.tests, *self.libraries]:
            listed = text_of("readelf", "--wide", "--version-info", path)
            needed = re.findall(r"Name: GLIBC_(\d+\.\d+)  Flags: none", listed)
            newest = max(map(version, needed), default=(0,))
            self.assertLessEqual(newest, OLDEST_GLIBC, path.name)

    def test_programs_define_what_older_glibcs_lack(self):
        for program in self.programs:
            if "libstdc++" in text_of("readelf", "--dynamic", program):
                self.assertRegex(text_of("nm", "--dynamic", "--defined-only", program), r" T arc4random\b", program.name)

    def test_the_search_path_is_relative_and_of_the_kind_that_libraries_inherit(self):
        for program in [*self.programs, *self.tests]:
            dynamic = text_of("readelf", "--wide", "--dynamic", program)
            self.assertIn("(RPATH)", dynamic, program.name)
            self.assertIn(f"[$ORIGIN/{os.path.relpath(self.root / 'lib', program.parent)}]", dynamic, program.name)
            self.assertNotIn("(RUNPATH)", dynamic, program.name)

    def test_no_file_searches_the_current_folder(self):
        files = linked_files(self.root)
        self.assertGreater(len(files), len(self.programs))
        self.assertEqual([fault for path in files for fault in search_path_faults(path)], [])

    def test_programs_are_hardened(self):
        self.assertEqual([fault for program in self.programs for fault in hardening_faults(program)], [])

    def test_every_bundled_library_brings_its_licence(self):
        if not shutil.which("dpkg-query"):
            self.skipTest("no dpkg-query here to tell where a library came from")
        licences = [path.name for path in (self.root / "share/assay/licenses").iterdir()]
        for path in self.libraries:
            owners = text_of("dpkg-query", "--search", f"*/{path.name}")
            packages = {line.split(":")[0] for line in owners.splitlines()}
            self.assertTrue(packages & set(licences), f"{path.name} of {packages}: no licence in {licences}")

    def test_plans_documents_and_completions_are_there(self):
        data = self.root / "share/assay"
        for name in ("plans/quick.toml", "plans/full.toml", "doc/README.md", "doc/LICENSE", "doc/docs/index.md",
                     "doc/docs/guide/plans.md", "doc/results/reference/public-h100/README.md",
                     "limits/public-h100/limits-gpu.toml", "completions/assay.bash"):
            self.assertTrue((data / name).is_file(), name)
        self.assertTrue(list((data / "schema").glob("*.json")))
        if list((BUILD / "python/wheel").glob("*.whl")):
            self.assertEqual(len(list((data / "python").glob("assay-*.whl"))), 1)

    def test_what_schedulers_and_monitors_start_is_there_and_can_be_started(self):
        data = self.root / "share/assay"
        for name in ("slurm/accept.sbatch", "kubernetes/assay-mpijob.yaml", "kubernetes/health/daemonset.yaml", "systemd/assay-check.service",
                     "systemd/assay-check.timer", "prometheus/assay-rules.yaml", "grafana/assay-health.json"):
            self.assertTrue((data / name).is_file(), name)
        for name in ("slurm/node-check", "slurm/health-check", "slurm/prolog", "slurm/epilog", "kubernetes/health/assay-condition"):
            self.assertTrue(os.access(data / name, os.X_OK), name)
        state = self.folder / "state"
        subprocess.run([data / "slurm/epilog"], check=True, env={"ASSAY_STATE": str(state), "ASSAY_LOG": str(self.folder / "log"),
                                                                "ASSAY_NODE": "none", "ASSAY_CHECK_ARGS": "--window 0"})
        self.assertTrue((state / "assay.prom").is_file())  # by the program of this package

    def test_the_list_of_what_is_inside_names_every_library_with_its_checksum(self):
        document = json.loads((self.root / "share/assay/sbom.spdx.json").read_text())
        self.assertEqual((document["spdxVersion"], document["dataLicense"]), ("SPDX-2.3", "CC0-1.0"))
        files = {part["packageFileName"]: part["checksums"][0]["checksumValue"]
                 for part in document["packages"] if "packageFileName" in part}
        self.assertEqual(set(files), {f"lib/{path.name}" for path in self.libraries})
        unstripped = hashlib.sha256((self.root / "lib" / self.libraries[0].name).read_bytes()).hexdigest()
        self.assertEqual(files[f"lib/{self.libraries[0].name}"], unstripped)
        known = {part["SPDXID"] for part in document["packages"]} | {document["SPDXID"]}
        self.assertEqual(len(known), len(document["packages"]) + 1, "an identifier stands for one package")
        for link in document["relationships"]:
            self.assertLessEqual({link["spdxElementId"], link["relatedSpdxElement"]}, known)
        names = {part["name"] for part in document["packages"]}
        self.assertLessEqual({"assay", "libsqlite3-dev", "nlohmann-json3-dev"}, names)
        said = text_of(self.root / "bin/assay", "--version", "--verbose")
        for library, entry in (("CUDA toolkit", "cuda-cudart-static"), ("pybind11", "pybind11-dev")):
            self.assertEqual(f"\n{library} " in said, entry in names, entry)

    def test_every_command_has_a_manual_page(self):
        if not shutil.which("help2man"):
            self.skipTest("no help2man here: no manual pages are made")
        pages = self.root / "share/man/man1"
        for name in [*(program.name for program in self.programs), "assay-run", "assay-fabric-simulate"]:
            self.assertIn("\n.SH SYNOPSIS\n", (pages / f"{name}.1").read_text(), name)

    def test_the_version_names_the_libraries(self):
        said = text_of(self.root / "bin/assay", "--version", "--verbose")
        for library in ("SQLite", "fmt", "CLI11", "nlohmann-json", "toml++", "zlib", "libudev (hwloc)"):
            self.assertRegex(said, rf"(?m)^{re.escape(library)} \d")

    def test_the_tests_that_need_a_gpu_start_and_say_what_they_lack(self):
        if not self.tests:
            self.skipTest("built without CUDA: no test here needs a GPU")
        done = subprocess.run([self.root / "bin/assay-device-check", "--tests-only", "--output", "checked"], cwd=self.folder,
                              env={"PATH": os.environ["PATH"]}, capture_output=True, text=True, check=False)
        lines = (self.folder / "checked/device-tests.txt").read_text().splitlines()
        self.assertFalse([line for line in lines if "does not start" in line], done.stdout)
        self.assertGreater(len(lines), len(self.tests))
        skipped = [line for line in lines if re.match(r"skipped \S+: \S", line)]
        if len(skipped) == len(lines):
            self.assertEqual(done.returncode, 3, done.stderr)
        else:
            self.assertEqual(done.returncode, 0, done.stdout)

    def bare_root(self, name):
        """A folder with glibc alone."""
        if os.geteuid() != 0:
            self.skipTest("only root may chroot")
        bare = self.folder / name
        for line in text_of("ldd", self.programs[0]).splitlines():
            match = re.search(r"(/\S*/(\S+)) \(0x", line)
            if match and GLIBC.match(match[2]):
                self.plant_glibc(bare, pathlib.Path(match[1]))
        (bare / "proc/self").mkdir(parents=True)
        return bare

    def start_all(self, bare, folder):
        for program in filter(lambda one: not takes_verbs(one), self.programs):
            # Here the loader reads what $ORIGIN is.
            (bare / "proc/self/exe").unlink(missing_ok=True)
            (bare / "proc/self/exe").symlink_to(f"/opt/assay/bin/{program.name}")
            done = subprocess.run([f"{folder}/{program.name}", "--help"], env={}, cwd=bare, capture_output=True,
                                  preexec_fn=lambda: os.chroot("."), text=True, check=False)
            self.assertEqual(done.returncode, 0, f"{program.name}: {done.stderr}")

    def assert_linked(self, bare, *paths):
        for path in paths:
            link = bare / path
            self.assertTrue(link.is_symlink(), path)
            self.assertTrue((bare / os.readlink(link).lstrip("/")).is_file(), path)

    def test_every_program_starts_where_there_is_glibc_alone(self):
        bare = self.bare_root("bare")
        shutil.copytree(self.root, bare / "opt/assay", symlinks=True)
        self.start_all(bare, "/opt/assay/bin")

    def test_the_deb_installs_into_an_empty_root_and_runs(self):
        found = list(self.folder.glob("assay_*.deb"))
        if not found or not shutil.which("dpkg"):
            self.skipTest("no dpkg-deb here: no .deb is made")
        bare = self.bare_root("bare deb")
        for folder in ("info", "updates", "triggers"):
            (bare / "var/lib/dpkg" / folder).mkdir(parents=True)
        (bare / "var/lib/dpkg/status").touch()
        subprocess.run(["dpkg", f"--root={bare}", "--force-depends", "--force-not-root", "--force-script-chrootless", "-i", found[0]], check=True,
                       capture_output=True)
        self.start_all(bare, "/usr/bin")
        self.assert_linked(bare, "usr/bin/assay", "usr/share/bash-completion/completions/assay", "usr/share/zsh/vendor-completions/_assay",
                           "usr/share/fish/vendor_completions.d/assay.fish")
        fields = text_of("dpkg-deb", "--field", found[0])
        self.assertIn("Depends: libc6 (>= 2.34), libgcc-s1\n", fields)
        self.assertFalse(list((bare / "etc").glob("systemd/**/*.wants/*")), "no unit is enabled")

    def test_the_rpm_installs_into_an_empty_root_and_runs(self):
        found = list(self.folder.glob("assay-*.rpm"))
        if not found or not shutil.which("rpm"):
            self.skipTest("no rpmbuild here: no .rpm is made")
        bare = self.bare_root("bare-rpm")
        subprocess.run(["rpm", f"--root={bare}", "--nodeps", "--noscripts", "--dbpath=/var/lib/rpm", "-i", found[0]], check=True, capture_output=True)
        self.start_all(bare, "/usr/bin")
        self.assert_linked(bare, "usr/bin/assay", "usr/share/zsh/site-functions/_assay")
        self.assertEqual(text_of("rpm", "--query", "--package", "--requires", found[0]).split("\n")[:2], ["glibc >= 2.34", "libgcc"])
        owned = text_of("rpm", "--query", "--package", "--list", found[0]).splitlines()
        self.assertFalse({"/usr", "/usr/bin", "/usr/share/man/man1", "/opt"} & set(owned), "folders of the system's own")

    def plant_glibc(self, bare, seen):
        """The loader where programs name it, and the whole glibc family where the loader finds it here."""
        target = bare / seen.parent.relative_to("/")
        target.mkdir(parents=True, exist_ok=True)
        shutil.copy(seen, target / seen.name)
        for path in seen.parent.iterdir():
            if GLIBC.match(path.name):
                shutil.copy(path, target / path.name)


unittest.main()

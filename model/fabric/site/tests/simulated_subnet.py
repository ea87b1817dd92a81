# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# A subnet that ibsim simulates, and the InfiniBand tools that see it.
import contextlib
import glob
import os
import shutil
import subprocess
import sys
import time

SIMULATED_UMAD = "/usr/lib/*/umad2sim/libumad2sim.so"


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


def library(tools):
    """The library that tools see the subnet by; skips the test where it or one of the tools (name and package) lacks."""
    libraries = glob.glob(SIMULATED_UMAD)
    missing = [package for tool, package in tools.items() if not shutil.which(tool)] + ([] if libraries else ["libumad2sim0"])
    if missing:
        skip(f"not installed: {', '.join(missing)} (scripts/setup --for sites)")
    return libraries[0]


class Simulated:
    """ibsim with a net, and the tools that see it."""

    def __init__(self, folder, name, library):
        self.folder = folder
        self.environment = {**os.environ, "IBSIM_SOCKNAME": name, "LD_PRELOAD": library, "OSM_TMP_DIR": str(folder),
                            "OSM_CACHE_DIR": str(folder)}

    @contextlib.contextmanager
    def running(self, text):
        file = self.folder / "net"
        file.write_text(text)
        own = {key: value for key, value in self.environment.items() if key != "LD_PRELOAD"}
        with (self.folder / "ibsim.log").open("w") as log, \
                subprocess.Popen(["ibsim", "-s", "-n", file], env=own, stdin=subprocess.DEVNULL, stdout=log, stderr=log) as one:
            try:
                self.wait(one)
                yield
            finally:
                one.kill()

    def wait(self, server):
        """Until a tool is answered."""
        for _ in range(50):
            if server.poll() is not None:
                raise AssertionError((self.folder / "ibsim.log").read_text())
            if self.tool("ibnetdiscover", "--Hca_list").returncode == 0:
                return
            time.sleep(0.1)
        raise AssertionError("ibsim does not answer: " + (self.folder / "ibsim.log").read_text())

    def tool(self, *words):
        return subprocess.run(words, env=self.environment, cwd=self.folder, capture_output=True, text=True, timeout=20, check=False)

    def listed(self, *flags):
        """What ibnetdiscover writes, standard error first, as of 2>&1."""
        done = self.tool("ibnetdiscover", *flags)
        assert done.returncode == 0, done.stderr
        return done.stderr + done.stdout

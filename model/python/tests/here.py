# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
"""What the module's tests share: the built module on the path, the command line, and the examples."""

import json
import os
import pathlib
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[3]
EXAMPLES = SOURCE / "model" / "examples"
FABRICS = EXAMPLES / "fabric"
SAMPLES = SOURCE / "harness" / "front" / "cli" / "tests" / "predict"
BUILD = pathlib.Path(os.environ["ASSAY_BUILD_DIR"])


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


if not list((BUILD / "python" / "assay").glob("_assay.*.so")):
    skip("this build has no Python module (pybind11-dev and python3-dev: scripts/setup --for python)")
sys.path.insert(0, str(BUILD / "python"))
try:
    import numpy  # noqa: F401  sweeps and stores need it
except ImportError:
    skip("python3-numpy is not installed")


def run(*arguments, code=0):
    """What the command prints, and what it says on standard error."""
    done = subprocess.run([BUILD / "bin" / "assay", *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == code, f"exit {done.returncode} of {arguments}: {done.stderr}"
    return done.stdout, done.stderr


def json_of(*arguments, code=0):
    return json.loads(run(*arguments, "--json", code=code)[0])


def refusal(*arguments):
    """The one line that the command ends with."""
    said = run(*arguments, code=2)[1]
    assert said.startswith("assay: ") and said.count("\n") == 1, said
    return said.removeprefix("assay: ").rstrip("\n")


def given(path):
    return json.loads(pathlib.Path(path).read_text(encoding="utf-8"))

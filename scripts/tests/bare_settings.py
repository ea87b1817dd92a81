# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# What configures a build without every optional component, or without those of ASSAY_WITHOUT, such as "CUDA MPI".
import os
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
OPTIONS = re.findall(r"(?m)^set\((ASSAY_WITH_\w+) AUTO", (ROOT / "harness/cmake/options.cmake").read_text())
WITHOUT = [f"ASSAY_WITH_{name}" for name in os.environ.get("ASSAY_WITHOUT", "").split()] or OPTIONS
assert set(WITHOUT) <= set(OPTIONS), f"expected some of {OPTIONS}, got {WITHOUT}"
BARE = ["-DASSAY_BUILD_TESTS=OFF", *(f"-D{option}={'OFF' if option in WITHOUT else 'AUTO'}" for option in OPTIONS)]

# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# What configures a build without every optional component.
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
OPTIONS = re.findall(r"(?m)^set\((ASSAY_WITH_\w+) AUTO", (ROOT / "harness/cmake/options.cmake").read_text())
BARE = ["-DASSAY_BUILD_TESTS=OFF", *(f"-D{option}=OFF" for option in OPTIONS)]

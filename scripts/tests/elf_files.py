# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# What the dynamic loader and the kernel are told by ELF files: where libraries are searched, and what is protected.
import pathlib
import re
import subprocess


def readelf(path, *flags):
    return subprocess.run(["readelf", "--wide", *flags, path], capture_output=True, text=True, check=True).stdout


def is_elf(path):
    if path.is_symlink() or not path.is_file():
        return False
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def linked_files(*folders):
    """Programs and shared libraries below the folders; no object files."""
    return [path for folder in folders for path in sorted(pathlib.Path(folder).rglob("*"))
            if path.suffix not in (".o", ".a") and is_elf(path) and "DYN" in readelf(path, "--file-header")]


def search_path_faults(path):
    """Parts of RPATH and RUNPATH that the loader would take for, or resolve from, the current folder."""
    faults = []
    for parts in re.findall(r"\((?:RPATH|RUNPATH)\)\s+Library \w+: \[(.*)\]", readelf(path, "--dynamic")):
        faults += [f"{path}: '{part}' of {parts}" for part in parts.split(":")
                   if not part.startswith(("/", "$ORIGIN", "${ORIGIN}"))]
    return faults


def hardening_faults(program):
    dynamic, segments = readelf(program, "--dynamic"), readelf(program, "--program-headers")
    found = {"is no position-independent executable": "DYN" in readelf(program, "--file-header"),
             "binds its symbols late": "BIND_NOW" in dynamic,
             "has no read-only relocations": "GNU_RELRO" in segments,
             "has a stack that can be executed": bool(re.search(r"GNU_STACK.* RW ", segments)),
             "has no stack protector": "__stack_chk_fail" in readelf(program, "--dyn-syms"),
             "has no fortified calls": bool(re.search(r"__\w+_chk", readelf(program, "--dyn-syms")))}
    return [f"{program}: {fault}" for fault, is_well in found.items() if not is_well]

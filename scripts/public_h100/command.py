# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# What the commands of public figures share: the folder of tables, and one line for what cannot be used.
import argparse
import pathlib
import sys


class Parser(argparse.ArgumentParser):
    def __init__(self, name, description, tables):
        super().__init__(prog=name, description=description)
        self.tables = tables
        self.add_argument("data", type=pathlib.Path, nargs="?", help="folder of " + ", ".join(tables))

    def error(self, message):
        self.stop(f"{message} (see scripts/{self.prog} --help)")

    def stop(self, message, status=2):
        print(f"{self.prog}: {message}", file=sys.stderr)
        sys.exit(status)

    def require_file(self, path, what):
        if not path.is_file():
            self.stop(f"{path}: no such file; expected {what}")

    def options(self):
        options = self.parse_args()
        if options.data is None:
            self.error("expected the folder of public H100 timings")
        for name in self.tables:
            self.require_file(options.data / name, "a table of public H100 timings")
        return options

# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# What all mutations begin from, made once: the sound fleet's journals, its store, a bundle of it and the runs to compare.
import functools
import json
import subprocess

import compare_damages
import made_up_fleet
from fleet_questions import LIMITS, PLACES


class SharedFiles:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.fleet = made_up_fleet.journals()
        for run, lines in self.fleet.items():
            self.journal(run).write_bytes(made_up_fleet.text_of(lines))
        self.compared = compare_damages.compared_runs()
        self.limits = self.folder / "limits.toml"
        self.limits.write_text(LIMITS)
        self.places = self.folder / "places.csv"
        self.places.write_text(PLACES)
        self.store = self.folder / "sound.sqlite"
        self.seal = ""
        self.made("import", *(self.journal(run) for run in sorted(self.fleet)), "--store", self.store)

    def made(self, *arguments):
        return subprocess.run([str(self.program), *map(str, arguments)], cwd=self.folder, capture_output=True, check=True, text=True).stdout

    def journal(self, run):
        return self.folder / f"{run}.jsonl"

    @functools.cached_property
    def store_bytes(self):
        return self.store.read_bytes()

    @functools.cached_property
    def bundle_bytes(self):
        made = self.folder / "sound.bundle"
        self.seal = self.made("bundle", "--store", self.store, "--limits", self.limits, "--places", self.places, "-o", made).split()[-1]
        return made.read_bytes()

    @functools.cached_property
    def verdicts(self):
        return json.loads(self.made("accept", "--store", self.store, "--format", "json"))

    @functools.cached_property
    def check(self):
        row = {**self.verdicts["rows"][0], "unit": "GPU 0", "kind": "gpu", "metric": "ecc"}
        return {**self.verdicts, "command": "check", "subject": "h03", "runs": [], "rows": [row]}

# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# What all mutations begin from, made once: the sound fleet's journals, its store, a bundle of it and the runs to compare.
import made_up_fleet


class SharedFiles:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.fleet = made_up_fleet.journals()
        for run, lines in self.fleet.items():
            self.journal(run).write_bytes(made_up_fleet.text_of(lines))

    def journal(self, run):
        return self.folder / f"{run}.jsonl"

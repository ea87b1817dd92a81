#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# published-steps: rows of the repository, what is written the nearest way, and what is judged, by a program that knows some keys alone.
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

from published_steps import judged as judge
from published_steps import page, prediction, rows

PROGRAM = """#!/usr/bin/env python3
import json, sys
application, execution, system = (json.load(open(name)) for name in sys.argv[2:5])
for key in execution:
    if key in {unknown}:
        sys.exit(print(f"assay: {{sys.argv[3]}}: {{key}}: unknown key (expected num_procs)", file=sys.stderr) or 2)
needs = {needs}
if needs > system["mem1"]["GiB"] * 2**30:
    sys.exit(1)
stats = {{"total_time": {seconds}, "proc_mem_tier1_cap_req": needs, "last_stage_mem_tier1_cap_req": 0}}
print(json.dumps({{"stats": stats}}))
"""


def row(name="one", step_s=2.0, gpus=8, source="somewhere", batch=8, **execution):
    own = {"num_procs": gpus, "data_par": gpus // 2, "batch_size": batch, "microbatch_size": 1, **execution}
    return rows.Row(name, name, "dense", "h100-sxm", source, "c0ffee", "m", {"seq_size": 4}, own, step_s, {}, [])


def judged(step_s, predicted_s, **what):
    return judge.Judged(row(step_s=step_s, **what), prediction.Predicted(step_s=predicted_s))


class OwnRows(unittest.TestCase):
    found = rows.own_rows(ROOT / "model" / "examples" / "published")

    def test_there_are_enough_and_each_says_where_it_is_from(self):
        self.assertGreaterEqual(len(self.found), 80)
        self.assertEqual(len({one.id for one in self.found}), len(self.found))
        for one in self.found:
            self.assertTrue(one.source and one.commit and one.step_s > 0, one.id)
            self.assertTrue((ROOT / "model" / "examples" / "systems" / f"{one.system}.json").is_file(), one.system)

    def test_their_degrees_are_those_of_their_gpus(self):
        for one in self.found:
            run = one.execution
            self.assertEqual(run["tensor_par"] * run["pipeline_par"] * run["data_par"] * run.get("context_par", 1), one.gpus, one.id)
            self.assertEqual(run["batch_size"] % (run["data_par"] * run["microbatch_size"]), 0, one.id)

    def test_a_bad_row_is_named_by_file_and_line(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "models.json").write_text('{"m": {}}')
            for line, why in (('{"model": "other"}', "model other is not in models.json"), ('{"model": "m", "class": "odd"}', "class odd"), ("{", "no JSON")):
                (folder / "steps.jsonl").write_text('{"base_execution": {}}\n' + line + "\n")
                with self.assertRaisesRegex(rows.BadRow, f"steps.jsonl:2: {why}"):
                    rows.own_rows(folder)


class Predictions(unittest.TestCase):
    def predict(self, of, unknown=(), needs=1, seconds="1.5"):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            program = folder / "program"
            program.write_text(PROGRAM.format(unknown=set(unknown) or "()", needs=needs, seconds=seconds))
            program.chmod(0o755)
            return prediction.Assay(program, ROOT / "model" / "examples" / "systems", folder).predict(of)

    def test_what_is_known_is_said_as_it_is(self):
        found = self.predict(row(context_par=2))
        self.assertEqual((found.step_s, found.nearest, found.refused), (1.5, [], ""))

    def test_context_becomes_data_and_a_batch_that_does_not_divide_is_scaled(self):
        found = self.predict(row(context_par=2, batch=12), unknown=["context_par"], seconds="execution['data_par'] * execution['batch_size']")
        self.assertEqual(found.nearest, ["context as data parallelism"])
        self.assertAlmostEqual(found.step_s, 8 * 16 * 12 / 16)

    def test_what_has_nothing_near_is_refused_in_words_without_the_file(self):
        found = self.predict(row(product_datatype="nvfp4"), unknown=["product_datatype"])
        self.assertIsNone(found.step_s)
        self.assertEqual(found.refused, "execution: product_datatype: unknown key")

    def test_a_step_that_does_not_fit_has_the_time_of_a_larger_memory(self):
        found = self.predict(row(), needs=200 * 2**30)
        self.assertEqual((found.step_s, found.fits), (1.5, False))


class Judged(unittest.TestCase):
    def test_errors_are_those_of_the_rows(self):
        error = judge.error_of([judged(2, 1), judged(2, 2.5)])
        self.assertAlmostEqual(error.mean_ratio, 0.875)
        self.assertAlmostEqual(error.mean_error_percent, 37.5)
        self.assertEqual(error.beyond, 2)

    def test_an_order_is_of_mappings_of_one_publication(self):
        fast, slow = judged(1, 1.2, tensor_par=2), judged(2, 1.1, tensor_par=4)
        right, wrong = judge.orders([fast, slow, judged(3, 0.1, tensor_par=8, source="elsewhere"), judged(1.01, 9, tensor_par=1)])
        self.assertEqual((right, len(wrong)), (0, 2))
        self.assertIn((fast, slow), wrong)

    def test_a_slope_needs_three_sizes_with_as_much_work_a_gpu(self):
        series = [judged(1 + gpus / 100, 1 + gpus / 200, gpus=gpus, batch=gpus) for gpus in (8, 16, 32)]
        self.assertEqual(judge.slopes(series[:2]), [])
        (name, first, last, published, predicted), = judge.slopes([*series, judged(9, 9, gpus=64, batch=8)][:3])
        self.assertEqual((name, first, last), ("one", 8, 32))
        self.assertAlmostEqual(published, 100 * (1.32 / 1.08 - 1))
        self.assertAlmostEqual(predicted, 100 * (1.16 / 1.04 - 1))

    def test_the_page_has_a_cause_where_all_its_words_are_in_the_row(self):
        text = page.text([judged(2, 1)], "", {"one two": "no", "one": "because"})
        self.assertIn("| one | 2 | 1 | -50 | because |", text)


class Command(unittest.TestCase):
    def test_a_program_that_is_not_there_is_one_line(self):
        done = subprocess.run([ROOT / "scripts" / "published-steps", "--assay", "/nowhere"], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1))
        self.assertIn("/nowhere: no such file; expected the program assay", done.stderr)


if __name__ == "__main__":
    unittest.main()

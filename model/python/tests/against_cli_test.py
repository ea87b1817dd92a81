#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
"""Each function of the module answers what the command of its name answers, to the last digit."""

import dataclasses
import json
import pathlib
import tempfile
import tomllib
import types
import unittest
import warnings

from here import EXAMPLES, FABRICS, SAMPLES, given, json_of, refusal, run

import assay

FILES = [SAMPLES / "application.json", SAMPLES / "execution.json", SAMPLES / "system.json"]


class Predict(unittest.TestCase):
    def test_files_and_dicts_have_the_numbers_of_the_command(self):
        application, execution, system = FILES
        expected = json_of("predict", *FILES)
        self.assertEqual(expected["status"], "ok")
        self.assertEqual(assay.predict(application, system, execution), expected)
        self.assertEqual(assay.predict(given(application), given(system), given(execution)), expected)

    def test_dataclasses_and_mappings_are_dicts(self):
        application, execution, system = FILES
        step = given(execution)
        Step = dataclasses.make_dataclass("Step", list(step))
        self.assertEqual(assay.predict(types.MappingProxyType(given(application)), given(system), Step(**step)),
                         json_of("predict", *FILES))
        rates = {"gpus_per_node": 8, "component": [types.MappingProxyType({"name": "gpu", "per_1000_node_days": 2.0})]}
        Rates = dataclasses.make_dataclass("Rates", list(rates))
        self.assertEqual(assay.reliability(Rates(**rates), 64), assay.reliability({**rates, "component": [
            {"name": "gpu", "per_1000_node_days": 2.0}]}, 64))

    def test_what_is_neither_is_one_line(self):
        for call, said in ((lambda: assay.predict(3, *FILES[1:]), "model: expected a file, a dict or a dataclass, got int"),
                           (lambda: assay.fabric.describe(None), "fabric: expected a file, a dict or a dataclass, got NoneType"),
                           (lambda: assay.reliability([1], 64), "rates: expected a file, a dict or a dataclass, got list"),
                           (lambda: assay.predict({"a": object()}, *FILES[1:]), "expected numbers, strings, lists, dicts and "
                            "dataclasses, got object")):
            with self.assertRaisesRegex(TypeError, f"^{said}$"):
                call()

    def test_arguments_that_the_command_refuses_together_are_refused(self):
        for named, said in (({"mtbf": "3h", "gpus": 64}, "mtbf excludes gpus"), ({"mtbf": "3h", "rates": {}}, "mtbf excludes rates"),
                            ({"mtbf": "3h", "run_days": 5}, "mtbf excludes run_days"),
                            ({"checkpoint": "s", "stall": "9s"}, "checkpoint excludes stall"),
                            ({"checkpoint": "s", "write": "9s"}, "checkpoint excludes write")):
            with self.assertRaisesRegex(assay.UsageError, f"^reliability: {said}$"):
                assay.reliability(**named)

    def test_counts_are_whole_and_in_range(self):
        with self.assertRaisesRegex(assay.UsageError, "^processors: expected a whole number from 1 to .*, got 16.5$"):
            assay.search(FILES[0], FILES[2], 16.5, 64, "bfloat16")
        with self.assertRaisesRegex(assay.UsageError, "^seed: expected a number from 0 to .*, got -1$"):
            assay.fit("gemm", csv="x", seed=-1)

    def test_the_other_rules_too(self):
        files = [EXAMPLES / name for name in ("llama3-70b.json", "llama3-70b-on-64.json", "systems/h100-sxm.json")]
        expected = json_of("predict", *files, "--model", "assay")
        self.assertEqual(assay.predict(files[0], files[2], files[1], rules="assay"), expected)

    def test_a_step_that_does_not_fit_has_its_reason(self):
        application, _, system = FILES
        too_big = SAMPLES / "execution_too_big.json"
        answer = assay.predict(application, system, too_big)
        self.assertEqual(answer, json_of("predict", application, too_big, system, code=1))
        self.assertEqual(answer["status"], "infeasible")

    def test_measured_times_and_their_warnings(self):
        with tempfile.TemporaryDirectory() as folder:
            fit = pathlib.Path(folder) / "fit.json"
            run("fit", "collectives", "--csv", EXAMPLES / "public" / "h100-all-reduce.csv", "-o", fit)
            files = [EXAMPLES / name for name in ("llama3-70b.json", "llama3-70b-on-64.json", "systems/h100-sxm.json")]
            out, said = run("predict", *files, "--model", "assay", "--coefficients", fit,
                            "--coefficients-dtype", "fp16", "--json")
            with warnings.catch_warnings(record=True) as warned:
                warnings.simplefilter("always")
                answer = assay.predict(files[0], files[2], files[1], rules="assay", coefficients=[fit],
                                       coefficients_dtype="fp16")
            self.assertEqual(answer, json.loads(out))
            self.assertEqual([f"warning: {one.message}" for one in warned], said.splitlines())


class Search(unittest.TestCase):
    ARGUMENTS = [FILES[0], 64, 64, "bfloat16", FILES[2]]

    def search(self, **named):
        return assay.search(FILES[0], FILES[2], 64, 64, "bfloat16", **named)

    def test_the_best_and_their_order(self):
        expected = json_of("search", *self.ARGUMENTS, "--top", 3)
        self.assertEqual(self.search(top=3), expected)
        self.assertEqual(len(expected), 3)

    def test_limits_settings_front_and_sensitivity(self):
        expected = json_of("search", *self.ARGUMENTS, "--at-most", "tensor=4", "--set", "networks[0].size=16", "--pareto",
                           "--sensitivity", "--plus-minus", 5, "--fused", "both")
        self.assertEqual(self.search(at_most={"tensor": 4}, set={"networks[0].size": 16}, pareto=True, sensitivity=True,
                                     plus_minus=5, fused="both"), expected)

    def test_the_size_of_the_space(self):
        self.assertEqual(assay.count_space(FILES[0], FILES[2], 64, 64, "bfloat16"),
                         int(run("search", *self.ARGUMENTS, "--count")[0]))


class Fit(unittest.TestCase):
    def test_coefficients_are_those_of_the_file(self):
        csv = EXAMPLES / "public" / "h100-all-reduce.csv"
        with tempfile.TemporaryDirectory() as folder:
            there, here = pathlib.Path(folder) / "there.json", pathlib.Path(folder) / "here.json"
            said = run("fit", "collectives", "--csv", csv, "-o", there, "--keep-out", 20)[1]
            with warnings.catch_warnings(record=True) as warned:
                warnings.simplefilter("always")
                answer, expected = assay.fit("collectives", csv=csv, keep_out=20, output=here), given(there)
            self.assertEqual([f"warning: {one.message}" for one in warned], said.splitlines())
            self.assertGreater(len(warned), 0)
            self.assertEqual(answer, given(here))
            for of in (answer, expected):
                del of["provenance"]["fitted_at"]
            self.assertEqual(answer, expected)

    def test_an_unknown_kind_is_refused(self):
        with self.assertRaisesRegex(assay.UsageError, "fit: expected gemm, .* or all, got 'gem'"):
            assay.fit("gem", csv="no.csv")


class Fabric(unittest.TestCase):
    ZONE, RING = FABRICS / "zone-128.toml", FABRICS / "ring-128.toml"

    def test_describe(self):
        expected = json_of("fabric", "describe", self.ZONE, "--set", "routing.queue_pairs=4")
        self.assertEqual(assay.fabric.describe(self.ZONE, set={"routing.queue_pairs": 4}), expected)
        table = tomllib.loads(self.ZONE.read_text(encoding="utf-8"))
        self.assertEqual(assay.fabric.describe(table, set=["routing.queue_pairs=4"]), expected)

    def test_simulate(self):
        expected = json_of("fabric", "simulate", self.ZONE, self.RING, "--seeds", 3, "--sharing", "max-min")
        self.assertEqual(assay.fabric.simulate(self.ZONE, self.RING, seeds=3, sharing="max-min"), expected)
        texts = [name.read_text(encoding="utf-8").replace("across-racks.csv", str(FABRICS / "across-racks.csv"))
                 for name in (self.ZONE, self.RING)]
        tables = [tomllib.loads(text) for text in texts]
        self.assertEqual(assay.fabric.simulate(*tables, seeds=3, sharing="max-min"), expected)

    def test_compare_and_size(self):
        expected = json_of("fabric", "compare", self.ZONE, self.RING, "--vary", "routing=ecmp,e-ecmp", "--margin", "2%")
        self.assertEqual(assay.fabric.compare(self.ZONE, self.RING, {"routing": ["ecmp", "e-ecmp"]}, margin="2%"),
                         expected)
        expected = json_of("fabric", "size", self.ZONE, self.RING, "--at-most", "1s")
        self.assertEqual(assay.fabric.size(self.ZONE, self.RING, 1.0), expected)

    def test_place_has_the_order_that_the_command_writes(self):
        files = [FABRICS / "half-racks.toml", FABRICS / "doubling-128.toml"]
        with tempfile.TemporaryDirectory() as folder:
            order = pathlib.Path(folder) / "order.csv"
            expected = json_of("fabric", "place", self.ZONE, files[1], "-o", order)
            answer = assay.fabric.place(self.ZONE, files[1])
            rows = [f"{rank},{place['host']},{place['gpu']}" for rank, place in enumerate(answer.pop("order"))]
            self.assertEqual(order.read_text(encoding="utf-8").split(), ["rank,host,gpu", *rows])
            self.assertEqual(answer, expected)

    def test_locate(self):
        files = [FABRICS / "small-zone.toml", FABRICS / "small-zone-pairs.csv"]
        expected = json_of("fabric", "locate", files[0], "--pairs", files[1], code=1)
        self.assertEqual(assay.fabric.locate(files[0], pairs=files[1]), expected)


class Reliability(unittest.TestCase):
    RATES = EXAMPLES / "rates" / "llama-3.toml"

    def test_a_job(self):
        expected = json_of("reliability", "--gpus", 16384, "--rates", self.RATES, "--recovery", "3m", "--state", "20GB",
                           "--front-end", 200, "--rank-spread", 2, "--run-days", 54)
        named = {"recovery": 180, "state": 20_000_000_000, "front_end": 200, "rank_spread": 2, "run_days": 54}
        self.assertEqual(assay.reliability(self.RATES, 16384, **named), expected)
        table = tomllib.loads(self.RATES.read_text(encoding="utf-8"))
        answer = assay.reliability(table, 16384, **named)
        self.assertEqual(answer["checkpoint"] if "checkpoint" in answer else answer,
                         expected["checkpoint"] if "checkpoint" in expected else expected)

    def test_a_mean_time(self):
        self.assertEqual(assay.reliability(mtbf="3h"), json_of("reliability", "--mtbf", "3h"))


class Refusals(unittest.TestCase):
    """Each is the one line of the command, and a ValueError."""

    def check(self, line, ask):
        with self.assertRaises(assay.UsageError) as refused:
            ask()
        self.assertEqual(str(refused.exception), line)
        self.assertIsInstance(refused.exception, ValueError)
        self.assertIsInstance(refused.exception, assay.Error)

    def test_of_files(self):
        application, execution, system = FILES
        self.check(refusal("predict", application, execution, "/no/system.json"),
                   lambda: assay.predict(application, "/no/system.json", execution))
        self.check(refusal("fabric", "describe", "/no/fabric.toml"), lambda: assay.fabric.describe("/no/fabric.toml"))
        self.check(refusal("fabric", "describe", Fabric.ZONE, "--set", "routing.kind=best"),
                   lambda: assay.fabric.describe(Fabric.ZONE, set={"routing.kind": "best"}))
        self.check(refusal("reliability", "--gpus", 8, "--rates", "/no/rates.toml"),
                   lambda: assay.reliability("/no/rates.toml", 8))
        self.check(refusal("show", "points", "--store", "/no/store.sqlite"), lambda: assay.read("/no/store.sqlite"))
        self.check(refusal("search", application, 8, 8, "bfloat16", system, "--at-most", "memory=80"),
                   lambda: assay.search(application, system, 8, 8, "bfloat16", at_most={"memory": 80}))

    def test_of_keys_in_dicts(self):
        application, execution, system = map(given, FILES)
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "execution.json"
            file.write_text(json.dumps({**execution, "tensor_par": 3}), encoding="utf-8")
            line = refusal("predict", FILES[0], file, FILES[2]).replace(str(file), "execution")
        line = line.replace(str(FILES[0]), "model")
        self.check(line, lambda: assay.predict(application, system, {**execution, "tensor_par": 3}))

    def test_of_arguments(self):
        self.check("threads: expected a number from 1 to 1024, got 1025",
                   lambda: assay.fabric.simulate(Fabric.ZONE, Fabric.RING, threads=1025))
        self.check("rules: expected calculon, assay; got 'calculus'",
                   lambda: assay.predict(*FILES, rules="calculus"))
        self.check("fit: expected csv or store", lambda: assay.fit("gemm"))


if __name__ == "__main__":
    unittest.main()

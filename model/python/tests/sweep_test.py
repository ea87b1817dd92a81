#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
"""A sweep is many predictions at once: each row is that of assay.predict, bit for bit."""

import _thread
import threading
import time
import unittest

from here import EXAMPLES, SAMPLES, given

import assay
import numpy

APPLICATION, EXECUTION, SYSTEM = (given(SAMPLES / f"{name}.json") for name in ("application", "execution", "system"))


def rows_of(seed, count):
    """Degrees that go together, and in every tenth row some that do not."""
    random = numpy.random.default_rng(seed)
    tensor, pipeline = 2 ** random.integers(0, 4, count), 2 ** random.integers(0, 3, count)
    processors = EXECUTION["num_procs"]
    data = numpy.maximum(processors // (tensor * pipeline), 1)
    data[::10] += 1
    return {"tensor_par": tensor, "execution.pipeline_par": pipeline, "data_par": data,
            "activation_recompute": random.choice(["none", "attn_only", "full"], count),
            "optimizer_sharding": random.random(count) < 0.5, "pipeline_interleaving": [1],
            "model.seq_size": 512 * random.integers(1, 5, count),
            "system.networks[0].bandwidth": random.choice([50.0, 300.5], count)}


def single(over, row):
    """The same by assay.predict."""
    value = {key: (column[row] if len(column) > 1 else column[0]) for key, column in over.items()}
    value = {key: one.item() if hasattr(one, "item") else one for key, one in value.items()}
    system = {**SYSTEM, "networks": [dict(SYSTEM["networks"][0]), *SYSTEM["networks"][1:]]}
    system["networks"][0]["bandwidth"] = value.pop("system.networks[0].bandwidth")
    model = {**APPLICATION, "seq_size": value.pop("model.seq_size")}
    return assay.predict(model, system, {**EXECUTION, **{key.removeprefix("execution."): one for key, one in value.items()}})


class Sweep(unittest.TestCase):
    def check_row(self, swept, row, over):
        try:
            answer = single(over, row)
        except assay.UsageError as refused:
            self.assertEqual(swept["status"][row], "rejected")
            self.assertEqual(swept["reason"][row], str(refused))
            return "rejected"
        self.assertEqual(swept["status"][row], answer["status"])
        if answer["status"] == "infeasible":
            self.assertEqual(swept["reason"][row], answer["reason"])
            return "infeasible"
        for name, value in answer["stats"].items():
            unbounded = name in answer.get("unbounded", ())
            expected = numpy.inf if unbounded else numpy.nan if value is None else float(value)
            self.assertEqual(numpy.float64(expected).tobytes() if expected == expected else "nan",
                             swept[name][row].tobytes() if swept[name][row] == swept[name][row] else "nan", name)
        return "ok"

    def test_equals_single_predictions_bit_for_bit(self):
        over = rows_of(1, 600)
        swept = assay.sweep(APPLICATION, SYSTEM, EXECUTION, over)
        self.assertEqual(len(swept), 98)  # 96 numbers, status and reason
        seen = [self.check_row(swept, row, over) for row in range(600)]
        self.assertEqual(set(seen), {"ok", "rejected", "infeasible"} & set(swept["status"]))
        self.assertGreater(seen.count("ok"), 100)
        self.assertGreater(seen.count("rejected"), 50)

    def test_the_other_rules_have_their_own_numbers_too(self):
        files = [given(EXAMPLES / name) for name in ("llama3-70b.json", "systems/h100-sxm.json", "llama3-70b-on-64.json")]
        swept = assay.sweep(*files, {"microbatch_size": [1, 2]}, rules="assay")
        for row, size in enumerate([1, 2]):
            answer = assay.predict(files[0], files[1], {**files[2], "microbatch_size": size}, rules="assay")
            self.assertEqual(swept["status"][row], answer["status"])
            self.assertEqual(set(answer["stats"]) - set(swept), set())
            self.assertEqual(swept["total_time"][row], answer["stats"]["total_time"])

    def test_wanted_numbers_alone(self):
        swept = assay.sweep(APPLICATION, SYSTEM, EXECUTION, {"training": [True]}, stats=["total_time", "sample_rate"])
        self.assertEqual(list(swept), ["total_time", "sample_rate", "status", "reason"])

    def test_other_threads_run_meanwhile(self):
        ticks, done = [], threading.Event()

        def tick():
            while not done.is_set():
                ticks.append(1)
                time.sleep(0.001)

        thread = threading.Thread(target=tick)
        thread.start()
        assay.sweep(APPLICATION, SYSTEM, EXECUTION, {"batch_size": [EXECUTION["batch_size"]], "training": [True] * 4000})
        seen = len(ticks)
        done.set()
        thread.join()
        self.assertGreater(seen, 2)

    def test_control_c_ends_it_between_pieces(self):
        alarm = threading.Timer(0.2, _thread.interrupt_main)
        alarm.start()
        with self.assertRaises(KeyboardInterrupt):
            while True:
                assay.sweep(APPLICATION, SYSTEM, EXECUTION, {"training": [True] * 100_000}, stats=["total_time"])


class Refusals(unittest.TestCase):
    def check(self, text, over, **named):
        with self.assertRaises(assay.UsageError) as refused:
            assay.sweep(APPLICATION, SYSTEM, EXECUTION, over, **named)
        self.assertEqual(str(refused.exception), text)

    def test_of_keys_lengths_and_names(self):
        self.check("sweep: tensor: the execution has no such key", {"tensor": [1]})
        self.check("sweep: model.depth: the model has no such key", {"model.depth": [1]})
        self.check("sweep: system.networks[9].size: the system has no such key", {"system.networks[9].size": [1]})
        self.check("sweep: data_par: expected 3 values as of tensor_par, got 2",
                   {"tensor_par": [1, 2, 4], "data_par": [1, 2]})
        self.check("sweep: tensor_par: expected one dimension, got 2", {"tensor_par": [[1], [2]]})
        self.check("sweep: expected at least one key with its values", {})
        self.check("stats: expected names of a prediction's stats, got 'mfu'", {"tensor_par": [1]}, stats=["mfu"])


if __name__ == "__main__":
    unittest.main()

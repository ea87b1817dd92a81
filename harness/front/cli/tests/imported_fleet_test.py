#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Verdicts over logs of nccl-tests that were imported: accept, compare, limits, bundles and fits, by the commands that a site
# types. Faults are planted; what varies from run to run is drawn.
import json
import os
import pathlib
import random
import shutil
import sqlite3
import subprocess
import tempfile
import unittest
import zlib

import nccl_tests_logs
import perftest_logs
from nccl_tests_logs import Settings, write_fleet

ROOT = pathlib.Path(__file__).resolve().parents[4]
ASSAY = pathlib.Path(os.environ.get("ASSAY_BUILD_DIR", ROOT / "build")) / "bin" / "assay"
LOSSES = {"gx07": 0.10, "gx19": 0.05}
SWEEP = tuple(1 << power for power in range(12, 33, 2))


def slower(losses):
    def settings_of(host, settings):
        settings.slower = losses.get(host, 0)
        return settings
    return settings_of


def one_host_differs(**changed):
    def settings_of(host, settings):
        settings.__dict__.update(changed if host == "gx03" else {})
        return settings
    return settings_of


def measured_line(record):
    """The record as this project's own journal has it: one sample a run."""
    if record["record"] == "context":
        record["origin"] = "measured"
    if record["record"] == "point":
        value = record["time"]["value_s"]
        record["time"].update(lower_s=value, upper_s=value, min_s=value, max_s=value, cv=0.0, n=1, n_effective=1.0)
        record["samples_s"], record["sm_cycles"] = [value], []
        record["conditions"] = {"ranks": 8}
        record["verification"] = {"result": "right", "why": "", "digest": ""}
    body = json.dumps(record, separators=(",", ":"))[:-1].encode()
    return body + b',"crc32":"%08x"}\n' % zlib.crc32(body)


class OfLogs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def assay(self, *words, status=0):
        done = subprocess.run([ASSAY, *map(str, words)], capture_output=True, text=True, check=False, cwd=self.folder)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def store_of(self, name, hosts, rounds, seed, **settings):
        write_fleet(self.folder / name, hosts, rounds, seed, **settings)
        store = self.folder / f"{name}.sqlite"
        self.assay("import", "--from", "auto", self.folder / name, "--path", "{host}/{round}.log", "--store", store)
        return store

    def verdict_of(self, store, *words):
        done = subprocess.run([ASSAY, "accept", "--store", store, "--format", "json", *map(str, words)], capture_output=True,
                              text=True, check=False, cwd=self.folder)
        self.assertIn(done.returncode, (0, 1, 3), done.stderr)
        return done.returncode, json.loads(done.stdout)

    def run_of(self, store, module):
        rows = sqlite3.connect(self.folder / store)
        return json.loads(rows.execute("SELECT record FROM contexts WHERE module = ?", (module,)).fetchone()[0])["run_id"]

    def failed_units(self, store):
        return sorted({row["unit"] for row in self.verdict_of(store)[1]["rows"] if row["verdict"] == "FAIL"})

    def own_store_of(self, imported):
        """The same values as journals of this project with one sample a run."""
        rows = sqlite3.connect(imported)
        journal = self.folder / "own.jsonl"
        with journal.open("wb") as lines:
            for run, context in rows.execute("SELECT run, record FROM contexts ORDER BY run").fetchall():
                points = rows.execute("SELECT record FROM points WHERE run = ? ORDER BY sequence", (run,)).fetchall()
                head = json.loads(context)
                end = {"record": "end", "schema": 2, "run_id": head["run_id"], "process": 0, "module": head["module"],
                       "ended": head["started"], "points": len(points), "interrupted": False}
                for record in [head, *(json.loads(text) for text, in points), end]:
                    lines.write(measured_line(record))
        store = self.folder / "own.sqlite"
        store.unlink(missing_ok=True)
        self.assay("import", journal, "--store", store)
        return store


class Accept(OfLogs):
    def test_names_exactly_the_planted_hosts(self):
        store = self.store_of("logs", 40, 3, 1, settings_of=slower(LOSSES))
        self.assertEqual(self.failed_units(store), sorted(LOSSES))
        self.assay("accept", "--store", store, status=1)

    def test_fewer_than_three_runs_show_nothing_however_quiet(self):
        for rounds, more in ((1, "2 more runs"), (2, "1 more run")):
            store = self.store_of(f"logs{rounds}", 40, rounds, 1, noise=0.0005)
            said = self.assay("accept", "--store", store, status=3)
            self.assertIn("results without samples in fewer than 3 runs on 40 of 40 places", said)
            self.assertIn(f"{more} would decide", said)
        self.assay("accept", "--store", self.store_of("three", 40, 3, 1, noise=0.0005))

    def test_rounds_follow_each_other_by_number(self):
        store = sqlite3.connect(self.store_of("logs", 2, 11, 1))
        files = [json.loads(record)["conditions"]["source_file"]
                 for record, in store.execute("SELECT record FROM points WHERE sequence = 0 ORDER BY run")]
        self.assertEqual([int(pathlib.Path(file).stem) for file in files], [n for n in range(1, 12) for _ in range(2)])

    def test_one_host_with_two_logs_keeps_the_fleet_open(self):
        write_fleet(self.folder / "logs", 40, 3, 1, noise=0.0005)
        (self.folder / "logs/gx05/3.log").unlink()
        self.assay("import", "--from", "auto", "logs", "--store", "s.sqlite")
        said = self.assay("accept", "--store", "s.sqlite", status=3)
        self.assertIn("on 1 of 40 places: gx05 has 2 runs of collectives.nccl.all_reduce/", said)

    def test_finds_what_it_finds_in_journals_with_one_sample_a_run(self):
        found = {"imported": 0, "own": 0}
        wrong = dict(found)
        losses = {"gx04": 0.03, "gx11": 0.02, "gx20": 0.05}
        for seed in range(6):
            imported = self.store_of(f"logs{seed}", 40, 3, seed, settings_of=slower(losses))
            for kind, store in (("imported", imported), ("own", self.own_store_of(imported))):
                units = self.failed_units(store)
                found[kind] += sum(unit in losses for unit in units)
                wrong[kind] += sum(unit not in losses for unit in units)
        print(f"of {6 * len(losses)} planted losses of 2, 3 and 5 % at 0.7 % noise: {found}; others named: {wrong}")
        self.assertEqual(found["imported"], found["own"])
        self.assertGreaterEqual(found["imported"], 12)
        self.assertEqual(wrong["imported"], 0)

    def test_400_hosts_have_the_verdicts_of_journals_with_one_sample_a_run(self):
        losses = {f"gx{number}": loss for number, loss in ((17, 0.02), (140, 0.03), (233, 0.05), (301, 0.08), (390, 0.025))}
        imported = self.store_of("fleet", 400, 3, 7, settings_of=slower(losses))
        named, own = self.failed_units(imported), self.failed_units(self.own_store_of(imported))
        print(f"of {len(losses)} planted among 400 hosts: {named} by logs, {own} by journals")
        self.assertEqual(named, own)
        self.assertLessEqual({"gx233", "gx301"}, set(named))
        self.assertLessEqual(set(named), set(losses))

    def test_sound_fleets_do_not_fail_more_often_than_stated(self):
        failed = [seed for seed in range(20) if self.failed_units(self.store_of(f"sound{seed}", 40, 3, seed, noise=0.01))]
        self.assertLessEqual(len(failed), 2, failed)  # 2.5 % each: more in 1 of 80 such tests

    def test_results_that_are_not_the_same_measurement_are_a_doubt(self):
        for changed, words in (({"iterations": 50}, "iterations '50', on most hosts '20'"),
                               ({"processes": 8}, "statistic 'mean over iterations and processes'"),
                               ({"warmups": 0}, "warm-up iterations '0'"), ({"checked": False}, "checking of results 'no'"),
                               ({"gpu": "NVIDIA H200"}, "GPU 'NVIDIA H200'")):
            name = "logs-" + next(iter(changed))
            store = self.store_of(name, 20, 3, 1, settings_of=one_host_differs(**changed), noise=0.0005)
            self.assertIn(words, self.assay("accept", "--store", store, status=3))

    def test_iterations_within_a_factor_of_two_and_other_warm_up_are_the_same(self):
        settings = one_host_differs(iterations=40, warmups=2)
        self.assay("accept", "--store", self.store_of("logs", 20, 3, 1, settings_of=settings, noise=0.0005))

    def test_ports_are_judged_by_logs_of_perftest(self):
        generator = random.Random(1)
        for host in range(1, 11):
            (self.folder / f"logs/h{host}").mkdir(parents=True)
            for number in range(1, 4):
                rate = 46 * (1 + 0.003 * generator.gauss(0, 1)) * (0.9 if host == 4 else 1)
                (self.folder / f"logs/h{host}/{number}.txt").write_text(perftest_logs.bandwidth([1 << 20], rate), encoding="utf-8")
        self.assay("import", "--from", "auto", "logs", "--path", "{host}/{round}.txt", "--store", "s.sqlite")
        self.assertEqual(self.failed_units("s.sqlite"), ["h4", "h4/mlx5_0"])
        self.assertIn("tx_depth=128,transport=rc", self.assay("accept", "--store", "s.sqlite", status=1))

    def test_a_median_without_an_interval_has_not_lost_its_samples(self):
        generator = random.Random(1)
        times_us = [50 * (1 + 0.01 * generator.gauss(0, 1)) for _ in range(40)]
        (self.folder / "all_reduce.json").write_text(nccl_tests_logs.json_with_iterations("h1", times_us), encoding="utf-8")
        (self.folder / "lat.txt").write_text(perftest_logs.latency([8, 4096], 1.7, 46.0), encoding="utf-8")
        self.assay("import", "--from", "auto", "all_reduce.json", "lat.txt", "--host", "h1", "--store", "s.sqlite")
        self.assertIn("   39 ", self.assay("show", "points", "--store", "s.sqlite", "--run", self.run_of("s.sqlite", "collectives")))
        self.assertNotIn("hold none", self.assay("accept", "--store", "s.sqlite", status=3))

    def test_imported_and_measured_points_are_not_mixed(self):
        store = self.store_of("logs", 10, 3, 1)
        own = self.own_store_of(self.store_of("others", 10, 3, 2, prefix="hx"))
        both = self.folder / "both.sqlite"
        shutil.copy(own, both)
        self.assay("import", "--from", "auto", "logs", "--path", "{host}/{round}.log", "--store", both)
        self.assertIn("points that are measured and points that are imported in one fleet",
                      self.assay("accept", "--store", both, status=2))
        self.assay("accept", "--store", store, status=3)

    def test_a_bundle_says_what_accept_says(self):
        store = self.store_of("logs", 40, 3, 1, settings_of=slower(LOSSES))
        self.assay("bundle", "--store", store, "-o", "b.bundle", status=1)
        said = self.assay("replay", "b.bundle", status=1)
        self.assertIn("FAIL: 2 slower than their equals", said)
        self.assay("report", "--store", store, "-o", "r.html")
        self.assertIn("imported", (self.folder / "r.html").read_text(encoding="utf-8"))
        self.assertIn("1073741824", self.assay("show", "collectives", "--store", store, "--style", "nccl-tests"))
        self.assertIn("gx07", self.assay("show", "fleet", "--store", store))


class Compare(OfLogs):
    def compared(self, a, b, status):
        said = self.assay("compare", "--populations", a, b, "--verdicts", "v.json", status=status)
        return said + (self.folder / "v.json").read_text(encoding="utf-8")

    def test_two_clusters_are_compared_by_logs_alone(self):
        base = self.store_of("ib", 20, 3, 1, prefix="ib")
        self.compared(base, self.store_of("same", 20, 3, 2, prefix="ro"), 0)
        self.compared(base, self.store_of("slow", 20, 3, 3, prefix="sl", slower=0.08), 1)
        self.assertIn("fewer than 3 runs", self.compared(base, self.store_of("one", 20, 1, 4, prefix="on"), 3))

    def test_other_settings_are_not_compared(self):
        base = self.store_of("ib", 20, 3, 1, prefix="ib")
        said = self.compared(base, self.store_of("long", 20, 3, 2, prefix="ro", iterations=100), 3)
        self.assertIn("iterations '20' in the baseline and '100' in the candidate", said)

    def test_runs_of_one_host_are_fresh_starts(self):
        runs = {name: self.store_of(name, 1, rounds, seed, noise=0.001, **settings)
                for name, rounds, seed, settings in (("a", 4, 1, {}), ("b", 4, 2, {}), ("one", 1, 3, {}),
                                                     ("slow", 4, 4, {"slower": 0.2}), ("long", 4, 5, {"iterations": 90}))}
        said = [self.assay("compare", "--baseline", "all", "--store", runs["a"], "--candidate", "all", "--store-of-b", runs[name],
                           "--verdicts", "v.json", status=status) + (self.folder / "v.json").read_text(encoding="utf-8") for name, status in (("b", 0), ("one", 3), ("slow", 1), ("long", 3))]
        self.assertIn("iterations '20' and '90'", said[-1])

    def test_equal_printed_numbers_are_no_copy(self):
        for name, host_prefix in (("a", "gx"), ("b", "hx")):
            write_fleet(self.folder / name, 1, 1, 1, sizes=(1 << 20,), noise=0.0, prefix=host_prefix)
            self.assay("import", "--from", "auto", name, "--store", name + ".sqlite")
        self.assay("compare", "--baseline", "all", "--store", "a.sqlite", "--candidate", "all", "--store-of-b", "b.sqlite",
                   status=3)


class Example(OfLogs):
    """What the guide shows of the logs that ship."""

    def test_the_eight_nodes_are_refused_for_the_slow_one(self):
        page = (ROOT / "docs/guide/existing-results.md").read_text(encoding="utf-8")
        logs = ROOT / "model/examples/nccl-tests-logs"
        self.assay("import", "--from", "auto", logs, "--path", "{host}/{round}.log", "--store", "racks.db")
        said = self.assay("accept", "--store", "racks.db", status=1)
        for line in said.splitlines():
            if "gx05" in line or line.startswith("FAIL: "):
                self.assertIn(line, page)
        self.assertIn("\nFAIL: ", said)
        self.assertIn("8.35 % below", self.assay("normal", logs / "gx05/1.log", status=1))


class Believability(OfLogs):
    def dry_run(self, *words):
        return [json.loads(line) for line in self.assay("import", "--from", "auto", *words, "--dry-run", "--format",
                                                        "json").splitlines()]

    def doubts_of(self, *words):
        return {doubt.split(":")[0] for row in self.dry_run(*words) for doubt in row["doubts"]}

    def test_rates_beyond_the_named_gpus_links_are_doubted(self):
        write_fleet(self.folder / "logs", 1, 1, 1, busbw_gb_per_s=820.0)
        self.assertIn("above_physics", self.doubts_of("logs"))
        write_fleet(self.folder / "other", 1, 1, 1, busbw_gb_per_s=820.0, gpu="NVIDIA B200")
        self.assertNotIn("above_physics", self.doubts_of("other"))

    def test_one_log_under_two_hosts_keeps_the_fleet_open(self):
        write_fleet(self.folder / "logs", 40, 3, 1, noise=0.001)
        for number in (1, 2, 3):
            text = (self.folder / f"logs/gx03/{number}.log").read_text(encoding="utf-8").replace("gx03", "gx05")
            (self.folder / f"logs/gx05/{number}.log").write_text(text, encoding="utf-8")
        self.assay("import", "--from", "auto", "logs", "--path", "{host}/{round}.log", "--store", "s.sqlite")
        self.assertIn("same_log: another host has the same numbers: gx03", self.assay("accept", "--store", "s.sqlite", status=3))

    def test_results_from_before_a_repair_do_not_count(self):
        (self.folder / "a.json").write_text(nccl_tests_logs.json_with_iterations("h1", [50, 51, 52, 50]), encoding="utf-8")
        (self.folder / "repairs.csv").write_text("host,repaired\nh1.dc.example,2026-07-22T00:00:00Z\n", encoding="utf-8")
        self.assertIn("before_repair", self.doubts_of("a.json", "--repairs", "repairs.csv"))
        (self.folder / "repairs.csv").write_text("host,repaired\nh1,2026-07-20\n", encoding="utf-8")
        said = self.assay("import", "--from", "auto", "a.json", "--dry-run", "--repairs", "repairs.csv", status=2)
        self.assertIn("repairs.csv:2: expected a host and a time", said)
        (self.folder / "repairs.csv").write_text("host,repaired\nh1,2026-07-20T00:00:00Z\n", encoding="utf-8")
        self.assertNotIn("before_repair", self.doubts_of("a.json", "--repairs", "repairs.csv"))

    def test_samples_and_iterations_are_compared_with_what_was_printed(self):
        text = nccl_tests_logs.json_with_iterations("h1", [50, 51, 52, 50])
        (self.folder / "a.json").write_text(text.replace("[50, 51, 52, 50]", "[50, 510, 520, 500]"), encoding="utf-8")
        self.assertIn("samples_differ", self.doubts_of("a.json"))
        write_fleet(self.folder / "logs", 1, 1, 1, warmups=0, iterations=2)
        self.assertLessEqual({"no_warmup", "few_iterations"}, self.doubts_of("logs"))


class Pairs(OfLogs):
    def test_pairs_of_perftest_name_the_slow_link_of_a_fabric(self):
        generator = random.Random(3)
        names = [f"host{number}" for number in range(8)]
        for sender in names:
            for receiver in names:
                if sender == receiver:
                    continue
                rate = 46 * (1 + 0.003 * generator.gauss(0, 1)) * (0.7 if receiver == "host5" else 1)
                folder = self.folder / f"logs/{sender}-{receiver}"
                folder.mkdir(parents=True)
                (folder / "bw.txt").write_text(perftest_logs.bandwidth([1 << 20], rate), encoding="utf-8")
        self.assay("import", "--from", "auto", "logs", "--path", "{host1}-{host2}/{file}", "--store", "s.sqlite")
        example = ROOT / "model/examples/fabric/small-zone.toml"
        said = self.assay("fabric", "locate", example, "--store", "s.sqlite", "--cases", "rdma.*", status=1)
        self.assertIn("host5", said.splitlines()[0])
        self.assertIn("56 measurements (imported), each alone", said)


class Limits(OfLogs):
    def judged(self, lowest, rounds):
        limits = self.folder / "limits.toml"
        limits.write_text('[machine]\ngpu = "*H100*"\ngpus = 8\n[[limit]]\ncase = "collectives.nccl.all_reduce"\n'
                          'point = { bytes = "1GiB", in_place = "0" }\nmetric = "busbw_gb_per_s"\n'
                          f'lowest = {lowest}\nunit = "GB/s"\nsource = "a runbook"\n', encoding="utf-8")
        store = self.folder / f"logs{rounds}.sqlite"
        if not store.exists():
            self.store_of(f"logs{rounds}", 12, rounds, 1, noise=0.003)
        rows = self.verdict_of(store, "--limits", limits)[1]["rows"]
        return [(row["verdict"], row["because"]) for row in rows if "busbw" in row["metric"]]

    def words(self, lowest, rounds):
        return {verdict for verdict, _ in self.judged(lowest, rounds)}

    def test_need_three_runs_to_pass_and_two_to_fail(self):
        self.assertEqual(self.words(300, 3), {"PASS"})
        self.assertEqual(self.words(600, 3), {"FAIL"})
        self.assertEqual(self.words(600, 2), {"FAIL"})
        self.assertEqual(self.words(300, 2), {"INCONCLUSIVE"})
        self.assertEqual(self.words(600, 1), {"INCONCLUSIVE"})
        self.assertIn("2 more runs would decide", self.judged(300, 1)[0][1])

    def test_the_interval_between_runs_must_be_within(self):
        undecided = [because for verdict, because in self.judged(475, 3) if verdict == "INCONCLUSIVE"]
        self.assertTrue(any("the interval between runs crosses the limit" in because for because in undecided), undecided)


class Normal(OfLogs):
    def test_a_log_stands_against_published_values_and_the_sites_own(self):
        store = self.store_of("logs", 8, 3, 1, settings_of=slower({"gx04": 0.30}))
        good = json.loads(self.assay("normal", "logs/gx01/1.log", "--store", store, "--format", "json"))
        self.assertEqual({row["stands"] for row in good}, {"usual"})
        self.assertEqual({row["system"] for row in good}, {"h100-sxm"})
        self.assertEqual({row["history"]["hosts"] for row in good}, {8})
        self.assertEqual({row["history"]["values"] for row in good}, {2 * (8 * 3 - 1)})
        bad = json.loads(self.assay("normal", "logs/gx04/2.log", "--format", "json", status=1))
        self.assertIn("NVLS", bad[0]["causes"][0]["cause"])
        run = self.run_of(store, "collectives")
        self.assertIn("all_reduce of 8 GPUs", self.assay("normal", run, "--store", store))

    def test_a_site_without_published_values_has_its_history(self):
        store = self.store_of("logs", 8, 3, 1, sizes=(3 << 20,), settings_of=slower({"gx04": 0.3}))
        self.assertIn("unknown: no usual value", self.assay("normal", "logs/gx04/1.log", status=3))
        write_fleet(self.folder / "new", 1, 1, 9, sizes=(3 << 20,), slower=0.6, prefix="nw")
        said = self.assay("normal", "new/nw01/1.log", "--store", store, status=1)
        self.assertIn("below the lowest usual value (own history)", said)


class Fit(OfLogs):
    def test_collectives_are_fitted_from_times_with_their_held_out_error(self):
        store = self.store_of("logs", 1, 1, 1, sizes=SWEEP, noise=0.003)
        said = self.assay("fit", "collectives", "--store", store, "-o", "c.json")
        self.assertIn("held-out sizes", said)
        fitted = json.loads((self.folder / "c.json").read_text(encoding="utf-8"))
        self.assertEqual(fitted["provenance"]["origin"], "imported")
        self.assertEqual(fitted["provenance"]["rows"], 2 * len(SWEEP))
        self.assertLess(fitted["held_out"]["sizes"]["mape_percent"], 5)

    def test_loggp_is_fitted_from_latency_and_bandwidth_of_perftest(self):
        sizes = [1 << power for power in range(1, 21)]
        (self.folder / "lat.txt").write_text(perftest_logs.latency(sizes, 1.7, 46.0), encoding="utf-8")
        (self.folder / "bw.txt").write_text(perftest_logs.bandwidth(sizes, 46.0), encoding="utf-8")
        self.assay("import", "--from", "auto", "lat.txt", "bw.txt", "--host", "h1", "--store", "s.sqlite")
        runs = [run for run, in sqlite3.connect(self.folder / "s.sqlite").execute("SELECT run_id FROM runs")]
        self.assay("fit", "loggp", "--store", "s.sqlite", "--run", *runs, "-o", "l.json")
        fitted = json.loads((self.folder / "l.json").read_text(encoding="utf-8"))
        self.assertEqual(fitted["provenance"]["origin"], "imported")
        (link,) = fitted["models"].values()
        self.assertAlmostEqual(link["gb_per_s"]["value"] / 46, 1, delta=0.02)
        self.assertAlmostEqual(link["L_plus_2o_us"]["value"] / 1.7, 1, delta=0.02)
        self.assertLess(fitted["held_out"]["mape_percent"], 5)

    def test_inspected_collectives_of_an_application_are_fitted_without_their_data_type(self):
        (self.folder / "inspector.log").write_text(nccl_tests_logs.inspector_lines("h1", SWEEP), encoding="utf-8")
        self.assay("import", "--from", "auto", "inspector.log", "--store", "s.sqlite")
        self.assay("fit", "collectives", "--store", "s.sqlite", "-o", "c.json")
        fitted = json.loads((self.folder / "c.json").read_text(encoding="utf-8"))
        self.assertEqual(fitted["provenance"]["rows"], len(SWEEP))
        self.assertLess(fitted["held_out"]["sizes"]["mape_percent"], 5)

    def test_groups_that_ran_at_once_are_left_out_and_counted(self):
        write_fleet(self.folder / "logs", 1, 1, 1, sizes=SWEEP)
        log = self.folder / "logs/gx01/1.log"
        whole = log.read_text(encoding="utf-8")
        devices = [line for line in whole.splitlines(keepends=True) if line.startswith("#  Rank")]
        split = whole.replace(devices[0], devices[0] + "".join(devices))
        log.write_text(split.replace("nGpus 8", "nGpus 16"), encoding="utf-8")
        self.assertIn("ranks_derived", self.assay("import", "--from", "auto", "logs", "--dry-run", "--format", "json"))
        self.assay("import", "--from", "auto", "logs", "--store", "s.sqlite")
        self.assertIn("has no timing of a collective", self.assay("fit", "collectives", "--store", "s.sqlite", "-o", "c.json",
                                                                  status=2))


if __name__ == "__main__":
    unittest.main()

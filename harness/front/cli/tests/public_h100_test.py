#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Public figures of the H100 (results/reference/public-h100): records that say they are imported, first bands that `assay accept`
# holds an H100 against, and tables that come from the public timings again (class Tables; skipped without them).
import csv
import json
import lzma
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[4]
PUBLIC = ROOT / "results/reference/public-h100"
MEASURED = ROOT / "results/reference/h100-sxm-80gb"
ASSAY = pathlib.Path(os.environ.get("ASSAY_BUILD_DIR", ROOT / "build")) / "bin" / "assay"
TIMINGS = os.environ.get("ASSAY_PUBLIC_TIMINGS_DIR", "")
NUMBER = re.compile(r"[+-]?\d+\.?\d*")
PERCENT_OFF = 0.3  # of the peak: what another compiler's fit may differ


def unpacked(path):
    return lzma.decompress(path.read_bytes())


def table_rows(text):
    return [line for line in text.splitlines() if line.startswith("|") and "---" not in line]


class InAFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def assay(self, *words, statuses=(0,)):
        done = subprocess.run([ASSAY, *map(str, words)], capture_output=True, text=True, check=False)
        self.assertIn(done.returncode, statuses, done.stdout + done.stderr)
        return done.stdout

    def store_of(self, *journals):
        store = self.folder / "store.sqlite"
        for journal in journals:
            (self.folder / journal.stem).write_bytes(unpacked(journal))
        self.assay("import", *(self.folder / journal.stem for journal in journals), "--store", store)
        return store

    def run_script(self, script, *words):
        return subprocess.run([ROOT / "scripts" / script, *map(str, words)], capture_output=True, text=True, check=False)


class Figures(InAFolder):
    def test_every_run_is_imported_and_in_no_doubt(self):
        store = self.store_of(PUBLIC / "figures.jsonl.xz")
        runs = list(csv.DictReader(self.assay("show", "--store", store, "runs", "--format", "csv").splitlines()))
        self.assertEqual({row["host"] for row in runs}, {"aiconfigurator", "vidur", "fast-cu"})
        self.assertEqual({(row["origin"], row["doubts"], row["failed"]) for row in runs}, {("imported", "0", "0")})
        self.assertEqual(sum(int(row["ok"]) for row in runs), 57)

    def test_every_figure_names_its_source_and_grade(self):
        records = list(map(json.loads, unpacked(PUBLIC / "figures.jsonl.xz").splitlines()))
        points = [record for record in records if record["record"] == "point"]
        for point in points:
            self.assertRegex(point["conditions"]["source"], r"^[\w.-]+/[\w.-]+ commit [0-9a-f]{40}$")
            self.assertIn(point["conditions"]["grade"], ("A", "B"))
        self.assertEqual({record["origin"] for record in records if record["record"] == "context"}, {"imported"})

    def test_every_page_says_imported(self):
        store = self.store_of(PUBLIC / "figures.jsonl.xz")
        run = "public-h100-aiconfigurator-gemm"
        self.assertIn("(imported)", self.assay("show", "--store", store, "--run", run, "gemm"))
        page = self.folder / "page.html"
        self.assay("report", "--store", store, "--run", run, "-o", page)
        self.assertIn("imported", page.read_text(encoding="utf-8"))

    def test_shapes_are_those_that_assay_measured(self):
        measured = {tuple(map(point["point"].get, ("model", "tokens", "tp", "gemm", "pass"))): point["derived"]
                    for line in unpacked(MEASURED / "products.jsonl.xz").splitlines()
                    if (point := json.loads(line))["record"] == "point" and point["case"] == "gemm.cuda.transformer"}
        compared = 0
        for line in unpacked(PUBLIC / "figures.jsonl.xz").splitlines():
            axes = (point := json.loads(line)).get("point", {})
            same = measured.get(tuple(map(axes.get, ("model", "tokens", "tp", "gemm", "pass"))))
            if same:
                self.assertEqual(point["derived"], {name: same[name] for name in "mnk"})
                compared += 1
        self.assertEqual(compared, 6 + 6 + 9)

    def test_a_folder_without_tables_is_one_line(self):
        for script in ("import-public-h100", "predict-public-h100"):
            done = self.run_script(script, "/nowhere")
            self.assertEqual((done.returncode, done.stderr), (2, f"{script}: /nowhere/gemm_bf16_a.csv: no such file; expected a table of "
                                                                 "public H100 timings\n"))

    def test_a_bad_cell_or_a_missing_column_is_one_line(self):
        header, good = "m,n,k,dtype,time_us,source", "1,32,32,bf16,2.6,x"
        for text, said in ((f"{header}\n{good}\n1,32,32,bf16,none,x\n", "3: time_us: expected a number above 0, got 'none'"),
                           (f"{header[:-7]}\n", "1: expected the columns source too")):
            for name in ("gemm_bf16_a", "gemm_fp8_a", "gemm_bf16_b", "collectives_a", "collectives_b"):
                (self.folder / f"{name}.csv").write_text(text, encoding="utf-8")
            for script, more in (("import-public-h100", ()), ("predict-public-h100", ("--assay", ASSAY))):
                done = self.run_script(script, self.folder, "-o", self.folder / "out", *more)
                self.assertEqual((done.returncode, done.stderr), (2, f"{script}: {self.folder}/gemm_bf16_a.csv:{said}\n"))


class Limits(InAFolder):
    def limit_rows(self, limits, verdicts):
        store = self.store_of(*(MEASURED / f"{name}.jsonl.xz" for name in ("quick", "products", "products-fp8", "memory")))
        self.assay("accept", "--store", store, "--limits", limits, "--verdicts", verdicts, statuses=(1, 3))
        rows = json.loads(verdicts.read_text(encoding="utf-8"))["rows"]
        return store, [row for row in rows if row.get("limit_source", "").startswith("imported")]

    def test_an_h100_is_within_the_first_bands_and_verdicts_and_page_say_imported(self):
        verdicts, page = self.folder / "verdicts.json", self.folder / "fleet.html"
        store, rows = self.limit_rows(PUBLIC / "limits-gpu.toml", verdicts)
        self.assertEqual([row["verdict"] for row in rows], ["PASS"] * 17)
        for row in rows:
            self.assertRegex(row["limit_source"], r"^imported: grade [AB], \d+ of .*; \d+ % below the lowest \(")
        self.assay("report", "--store", store, "--fleet", "--verdicts", verdicts, "-o", page)
        self.assertEqual(page.read_text(encoding="utf-8").count("imported: grade"), 17)

    def test_an_h100_below_its_band_fails(self):
        raised = self.folder / "raised.toml"
        text = (PUBLIC / "limits-gpu.toml").read_text(encoding="utf-8")
        raised.write_text(re.sub(r"^lowest = 2870$", "lowest = 3300", text, flags=re.MULTILINE), encoding="utf-8")
        _, rows = self.limit_rows(raised, self.folder / "verdicts.json")
        self.assertEqual([row["metric"].split("/")[0] for row in rows if row["verdict"] == "FAIL"], ["memory.cuda.read"])

    def test_every_limit_says_imported(self):
        files = sorted(PUBLIC.glob("limits-*.toml"))
        self.assertEqual([file.stem for file in files], ["limits-collectives", "limits-gpt3-175b", "limits-gpu"])
        store = self.store_of(PUBLIC / "figures.jsonl.xz")
        for file in files:
            text = file.read_text(encoding="utf-8")
            self.assertEqual(text.count("[[limit]]"), text.count('\nsource = "imported: grade '))
            self.assertIn(f"{text.count('[[limit]]')} limits", self.assay("accept", "--store", store, "--limits", file, statuses=(3,)))


class Tables(InAFolder):
    def page(self):
        return (PUBLIC / "README.md").read_text(encoding="utf-8")

    def test_figures_and_limits_come_from_the_public_tables(self):
        self.need_timings()
        done = self.run_script("import-public-h100", TIMINGS, "-o", self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(unpacked(self.folder / "figures.jsonl.xz"), unpacked(PUBLIC / "figures.jsonl.xz"))
        for file in PUBLIC.glob("limits-*.toml"):
            self.assertEqual((self.folder / file.name).read_text(encoding="utf-8"), file.read_text(encoding="utf-8"))
        self.assertIn(done.stdout, self.page())

    def test_the_chart_and_its_table_come_from_the_command(self):
        self.need_timings()
        chart = self.folder / "efficiency.svg"
        done = self.run_script("predict-public-h100", TIMINGS, "--assay", ASSAY, "-o", chart)
        self.assertEqual(done.returncode, 0, done.stderr)
        printed = table_rows(done.stdout)
        page = [line for line in table_rows(self.page()) if line.split("|")[1] in {row.split("|")[1] for row in printed}]
        page = page[-len(printed):]  # the models have rows of figures too
        for now, committed in zip(printed, page, strict=True):
            self.assertEqual(NUMBER.sub("", now), NUMBER.sub("", committed))
            for got, expected in zip(NUMBER.findall(now), NUMBER.findall(committed), strict=True):
                self.assertAlmostEqual(float(got), float(expected), delta=PERCENT_OFF, msg=now)
        self.compare_charts(chart, PUBLIC / "efficiency.svg")

    def compare_charts(self, now, committed):
        drawn, expected = ([(element.get("class"), NUMBER.findall(element.get("points", "") + " " + element.get("cy", "")), element.text)
                            for element in xml.etree.ElementTree.parse(file).iter()] for file in (now, committed))
        self.assertIn("Predicted from imported timings", " ".join(filter(None, (text for _, _, text in drawn))))
        for (kind, numbers, text), (expected_kind, expected_numbers, expected_text) in zip(drawn, expected, strict=True):
            self.assertEqual((kind, text), (expected_kind, expected_text))
            for got, number in zip(numbers, expected_numbers, strict=True):
                self.assertAlmostEqual(float(got), float(number), delta=6.5 * PERCENT_OFF)  # 260 pixels are 40 %

    def need_timings(self):
        if not TIMINGS:
            self.skipTest("configure with -DASSAY_SHARED_DATA_DIR (or -DASSAY_PUBLIC_TIMINGS_DIR): public H100 timings")


if not ASSAY.is_file():
    print("skipped: assay is not built")
    sys.exit(77)
if "Tables" in sys.argv and not TIMINGS:
    print("skipped: configure with -DASSAY_SHARED_DATA_DIR (or -DASSAY_PUBLIC_TIMINGS_DIR): public H100 timings")
    sys.exit(77)
unittest.main()

#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Names of metrics agree: what `assay check --metrics` writes, what docs/reference/exporters.md lists, and what the Grafana
# dashboard and the alerts ask for. The exposition is what Prometheus reads. systemd takes the units.
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
ASSAY = pathlib.Path(os.environ.get("ASSAY_BIN_DIR", SOURCE / "build" / "bin")) / "assay"
NODE = SOURCE / "model" / "examples" / "node"
ROW = re.compile(r"^\| `(assay_\w+)` \| (gauge|counter) \|([^|]*)\|", re.M)
SAMPLE = re.compile(r'(assay_[a-z_]+)\{((?:[a-z_]+="(?:[^"\\\n]|\\[\\"n])*",?)*)\} (-?[0-9][0-9.e+-]*)')
LABEL = re.compile(r'([a-z_]+)="((?:[^"\\\n]|\\[\\"n])*)"')


def documented():
    """Name to its type and labels; each has `node`."""
    page = (SOURCE / "docs" / "reference" / "exporters.md").read_text()
    return {name: (kind, frozenset(re.findall(r"\w+", labels)) | {"node"}) for name, kind, labels in ROW.findall(page)}


def samples_of(text):
    """(name, type, labels) of each, by the rules of the text format: HELP, TYPE, then all of the metric's samples."""
    seen, done, current = [], set(), None
    for line in text.splitlines():
        if line.startswith("# HELP "):
            done.add(current and current[0])
            current = (line.split()[2], None)
            assert current[0] not in done, f"in two pieces: {line}"
            assert len(line.split(" ", 3)) == 4, f"no help: {line}"
        elif line.startswith("# TYPE "):
            _, _, name, kind = line.split(" ")
            assert current == (name, None), line
            assert kind == ("counter" if name.endswith("_total") else "gauge"), line
            current = (name, kind)
        else:
            match = SAMPLE.fullmatch(line)
            assert match and match[1] == current[0] and current[1], line
            seen.append((match[1], current[1], tuple(LABEL.findall(match[2]))))
    assert len(seen) == len(set(seen)), "a series twice"
    return seen


def panel_queries():
    board = json.loads((SOURCE / "scripts" / "grafana" / "assay-health.json").read_text())
    return [target["expr"] for panel in board["panels"] for target in panel["targets"]]


def asked_for(expression):
    """(name, labels in its braces) of each metric in a query."""
    return [(name, set(re.findall(r"(\w+)\s*=", braces or ""))) for name, braces in
            re.findall(r"(assay_\w+)(?:\{([^}]*)\})?", expression)]


class Names(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.listed = documented()

    def expect_known(self, expression):
        for name, labels in asked_for(expression):
            self.assertIn(name, self.listed)
            self.assertLessEqual(labels, self.listed[name][1], expression)
        grouped = {label for group in re.findall(r"by \(([^)]*)\)", expression) for label in re.findall(r"\w+", group)}
        for name, _ in asked_for(expression):
            self.assertLessEqual(grouped, self.listed[name][1], expression)
        self.assertNotEqual(asked_for(expression), [], expression)

    def test_the_page_lists_what_the_program_can_write(self):
        source = (SOURCE / "harness" / "front" / "health" / "metrics.cpp").read_text()
        self.assertEqual(set(self.listed), set(re.findall(r'"(assay_\w+)"', source)))
        self.assertGreater(len(self.listed), 12)

    def test_the_dashboard_asks_for_metrics_that_there_are(self):
        board = json.loads((SOURCE / "scripts" / "grafana" / "assay-health.json").read_text())
        queries = panel_queries() + [one["query"]["query"] for one in board["templating"]["list"] if one["type"] == "query"]
        self.assertGreater(len(queries), 8)
        for query in queries:
            self.expect_known(query)
        self.assertEqual(len({panel["id"] for panel in board["panels"]}), len(board["panels"]))
        for panel in board["panels"]:
            for target in panel["targets"]:
                legend = set(re.findall(r"\{\{(\w+)\}\}", target["legendFormat"]))
                for name, _ in asked_for(target["expr"]):
                    self.assertLessEqual(legend, self.listed[name][1], target)

    def test_the_dashboard_is_of_panels_on_a_grid(self):
        board = json.loads((SOURCE / "scripts" / "grafana" / "assay-health.json").read_text())
        taken = set()
        for panel in board["panels"]:
            place = panel["gridPos"]
            self.assertLessEqual(place["x"] + place["w"], 24)
            cells = {(x, y) for x in range(place["x"], place["x"] + place["w"]) for y in range(place["y"], place["y"] + place["h"])}
            self.assertEqual(taken & cells, set(), panel["title"])
            taken |= cells

    def test_the_alerts_ask_for_metrics_that_there_are(self):
        rules = (SOURCE / "scripts" / "prometheus" / "assay-rules.yaml").read_text()
        expressions = re.findall(r"expr: (.*)", rules)
        self.assertEqual(len(expressions), rules.count("alert:"))
        for expression in expressions:
            self.expect_known(expression)
            labels = set(re.findall(r"\$labels\.(\w+)", rules.split(expression)[1].split("- alert")[0]))
            self.assertLessEqual(labels, self.listed[asked_for(expression)[0][0]][1])

    def test_what_is_written_is_listed_and_is_what_prometheus_reads(self):
        if not ASSAY.exists():
            self.skipTest(f"{ASSAY} is not built")
        with tempfile.TemporaryDirectory() as name:
            file = pathlib.Path(name) / "assay.prom"
            done = subprocess.run([ASSAY, "check", "--root", NODE, "--gpus", NODE / "gpus.json", "--window", "0", "--metrics", file,
                                   "--logbook", pathlib.Path(name) / "health.json"], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 1, done.stderr)
            text = file.read_text()
            self.assertEqual([one.name for one in pathlib.Path(name).glob("*.prom*")], ["assay.prom"])
        seen = samples_of(text)
        for sample, kind, labels in seen:
            self.assertEqual(self.listed[sample], (kind, frozenset(label for label, _ in labels)), sample)
        self.assertLessEqual({"assay_check_verdict", "assay_check_status", "assay_gpu_info", "assay_port_events_total"},
                             {sample for sample, _, _ in seen})
        self.expect_other_readers_to_agree(text, len(seen))

    def expect_other_readers_to_agree(self, text, samples):
        try:
            from prometheus_client.parser import text_string_to_metric_families
        except ImportError:
            pass
        else:
            self.assertEqual(sum(len(family.samples) for family in text_string_to_metric_families(text)), samples)
        if shutil.which("promtool"):
            self.expect_promtool_takes("metrics", input=text)

    def expect_promtool_takes(self, *words, **options):
        said = subprocess.run(["promtool", "check", *words], capture_output=True, text=True, check=False, **options)
        self.assertEqual(said.returncode, 0, said.stdout + said.stderr)

    @unittest.skipUnless(shutil.which("promtool"), "promtool is not installed (Debian's package: prometheus)")
    def test_prometheus_takes_the_alerts_and_every_query_of_a_panel(self):
        rules = SOURCE / "scripts" / "prometheus" / "assay-rules.yaml"
        self.expect_promtool_takes("rules", rules)
        with tempfile.TemporaryDirectory() as name:
            recorded = [{"record": f"query_{number}", "expr": query} for number, query in enumerate(panel_queries())]
            file = pathlib.Path(name) / "queries.yaml"
            file.write_text(json.dumps({"groups": [{"name": "dashboard", "rules": recorded}]}))
            self.expect_promtool_takes("rules", file)


class Units(unittest.TestCase):
    def test_systemd_takes_them(self):
        if not shutil.which("systemd-analyze"):
            self.skipTest("systemd-analyze is not installed")
        with tempfile.TemporaryDirectory() as name:
            for file in (SOURCE / "scripts" / "systemd").iterdir():
                # The program is not installed here.
                (pathlib.Path(name) / file.name).write_text(file.read_text().replace(" assay check", " /bin/true check"))
            units = sorted(map(str, pathlib.Path(name).iterdir()))
            said = subprocess.run(["systemd-analyze", "verify", "--man=no", *units], capture_output=True, text=True, check=False)
        own = [line for line in (said.stdout + said.stderr).splitlines() if "assay-check" in line]
        self.assertEqual(own, [])

    def test_the_service_is_little_exposed(self):
        service = SOURCE / "scripts" / "systemd" / "assay-check.service"
        if not shutil.which("systemd-analyze"):
            self.skipTest("systemd-analyze is not installed")
        said = subprocess.run(["systemd-analyze", "security", "--offline=yes", "--threshold=35", service],
                              capture_output=True, text=True, check=False)
        if "Unknown" in said.stderr or "unrecognized option" in said.stderr:
            self.skipTest("this systemd-analyze cannot judge a unit offline")
        self.assertEqual(said.returncode, 0, said.stdout[-400:] + said.stderr)

    def test_the_deadline_is_below_the_interval_and_no_unit_is_on_by_itself(self):
        service = (SOURCE / "scripts" / "systemd" / "assay-check.service").read_text()
        self.assertLess(int(re.search(r"TimeoutStartSec=(\d+)", service)[1]), 60)
        self.assertNotIn("[Install]", service)

    def test_their_flags_are_taken(self):
        if not ASSAY.exists():
            self.skipTest(f"{ASSAY} is not built")
        known = set(re.findall("--[a-z-]+", subprocess.run([ASSAY, "check", "--help"], capture_output=True, text=True, check=True).stdout))
        for file in ("systemd/assay-check.service", "slurm/node-check", "kubernetes/health/check-loop"):
            text = (SOURCE / "scripts" / file).read_text()
            call = re.search(r" check --logbook(?:.*\\\n)*.*", text)[0]
            self.assertLessEqual(set(re.findall("--[a-z-]+", call)), known, file)


unittest.main()

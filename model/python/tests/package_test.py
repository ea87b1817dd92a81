#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
"""What the package says of itself: stubs as the functions are, units in docstrings, and the example."""

import ast
import inspect
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from here import BUILD, EXAMPLES, SOURCE

import assay

PACKAGE = SOURCE / "model" / "python" / "assay"
UNITS = re.compile(r"\b(seconds|microseconds|bytes|GB/s|percent|no unit|without unit|units)\b")


def stub_of(name):
    return ast.parse((PACKAGE / name).read_text(encoding="utf-8"))


def signature_in(function):
    """Names, kinds and defaults of a stub's function."""
    arguments = function.args
    plain = [(one.arg, "plain") for one in arguments.args]
    named = [(one.arg, "named") for one in arguments.kwonlyargs]
    defaults = [None] * (len(plain) - len(arguments.defaults)) + arguments.defaults + arguments.kw_defaults
    return [(*argument, ast.literal_eval(value) if value else inspect.Parameter.empty)
            for argument, value in zip(plain + named, defaults, strict=True)]


def signature_of(function):
    kinds = {inspect.Parameter.POSITIONAL_OR_KEYWORD: "plain", inspect.Parameter.KEYWORD_ONLY: "named"}
    return [(one.name, kinds[one.kind], one.default) for one in inspect.signature(function).parameters.values()]


def public_functions():
    for module in (assay, assay.fabric):
        for name in module.__all__:
            thing = getattr(module, name)
            if inspect.isfunction(thing):
                yield f"{module.__name__}.{name}", thing
    for name, method in inspect.getmembers(assay.Store, inspect.isfunction):
        if not name.startswith("_"):
            yield f"assay.Store.{name}", method


class Stubs(unittest.TestCase):
    def check(self, module, stub, things):
        functions = {one.name: one for one in stub.body if isinstance(one, ast.FunctionDef)}
        classes = {one.name: one for one in stub.body if isinstance(one, ast.ClassDef) and not one.name.startswith("_")}
        self.assertEqual(set(functions) | set(classes), set(things))
        for name, function in functions.items():
            self.assertEqual(signature_in(function), signature_of(getattr(module, name)), name)
        return classes

    def test_they_are_what_the_module_has(self):
        classes = self.check(assay, stub_of("__init__.pyi"), [one for one in assay.__all__ if one not in ("fabric", "__version__")])
        for method in classes["Store"].body:
            if isinstance(method, ast.FunctionDef):
                self.assertEqual(signature_in(method), signature_of(getattr(assay.Store, method.name)), method.name)
        self.check(assay.fabric, stub_of("fabric.pyi"), assay.fabric.__all__)
        self.assertTrue(issubclass(assay.UsageError, assay.Error) and issubclass(assay.UsageError, ValueError))

    def test_the_package_says_that_it_is_typed(self):
        self.assertTrue((BUILD / "python" / "assay" / "py.typed").is_file())


class Docstrings(unittest.TestCase):
    def test_every_function_has_one_with_its_units(self):
        functions = dict(public_functions())
        self.assertGreater(len(functions), 14)
        for name, function in functions.items():
            self.assertRegex(function.__doc__ or "", UNITS, name)

    def test_they_name_every_argument_or_the_function_that_does(self):
        for name, function in public_functions():
            for argument in inspect.signature(function).parameters:
                named = re.search(rf"\b{argument}\b", function.__doc__) or "'s." in function.__doc__
                self.assertTrue(named or argument == "self", f"{name}: {argument}")


class Version(unittest.TestCase):
    def test_it_is_the_project_s(self):
        self.assertIn(f"VERSION {assay.__version__.removesuffix('-dev')} ", (SOURCE / "CMakeLists.txt").read_text(encoding="utf-8"))


class Example(unittest.TestCase):
    def run_it(self, *more):
        files = [EXAMPLES / name for name in ("llama3-70b.json", "systems/h100-sxm.json", "llama3-70b-on-64.json")]
        return subprocess.run([sys.executable, "-B", SOURCE / "model" / "python" / "examples" / "efficiency.py",
                               *files, *more], capture_output=True, text=True,
                              env={**os.environ, "PYTHONPATH": str(BUILD / "python")})

    def test_it_prints_a_row_for_each_degree(self):
        done = self.run_it()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        rows = done.stdout.splitlines()[1:]
        self.assertEqual([int(row.split()[0]) for row in rows], [1, 2, 4, 8, 16, 32])
        self.assertTrue(any(re.search(r"\d\d\.\d", row) for row in rows), done.stdout)

    def test_it_draws_where_matplotlib_is_there(self):
        try:
            import matplotlib  # noqa: F401
        except ImportError:
            self.skipTest("matplotlib is not installed")
        with tempfile.TemporaryDirectory() as folder:
            chart = pathlib.Path(folder) / "chart.png"
            self.assertEqual(self.run_it(chart).returncode, 0)
            self.assertEqual(chart.read_bytes()[:4], b"\x89PNG")


if __name__ == "__main__":
    unittest.main()

# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
"""Validates the JSON lines on standard input against the schemas in the folder given; prints every breach."""
import json
import pathlib
import sys

import jsonschema

folder = pathlib.Path(sys.argv[1])
validators = {}
for kind in ("context", "point", "end"):
    schema = json.loads((folder / f"{kind}.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validators[kind] = jsonschema.Draft202012Validator(schema)
breaches = 0
for number, line in enumerate(sys.stdin, 1):
    record = json.loads(line)
    for error in validators[record["record"]].iter_errors(record):
        print(f"line {number}: {error.json_path}: {error.message}")
        breaches += 1
sys.exit(1 if breaches else 0)

# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# One prediction a row by `assay predict --model assay`. What the program cannot say is written the nearest way, which the row then names.
import copy
import dataclasses
import json
import re
import subprocess

UNKNOWN = re.compile(r": ([\w.]+): unknown key")
NO_OVERLAP = re.compile(r": tensor_par_overlap: expected 'none'")
FILE, SHOWN = re.compile(r"\S*/(application|execution|system)\.json"), re.compile(r" \(expected .*\)")  # known keys are not shown
MUCH = 100  # times the memory, where a step does not fit


@dataclasses.dataclass
class Predicted:
    step_s: float = None
    needs_bytes: float = 0
    has_bytes: float = 0
    nearest: list = dataclasses.field(default_factory=list)
    refused: str = ""

    @property
    def fits(self):
        return self.needs_bytes <= self.has_bytes


def as_data(execution, application, value):
    del application
    execution["data_par"] *= value
    whole = execution["data_par"] * execution["microbatch_size"]
    execution["batch_size"] = -(-execution["batch_size"] // whole) * whole
    return "context as data parallelism"


def as_datatype(execution, application, value):
    del application
    if value != "float8":
        return None
    execution["datatype"] = value
    return "all in float8"


def as_parameters(execution, application, value):
    del application
    execution["parameter_sharding"] = value == "parameters"
    return None if value not in ("parameters", "gradients") else "sharding by parameter_sharding"


def left_out(name):
    def change(execution, application, value):
        del execution, application, value
        return f"without {name}"
    return change


NEAREST = {"context_par": as_data, "product_datatype": as_datatype, "sharding": as_parameters, "sharding_group": left_out("sharding_group"),
           "context_par_type": left_out("context_par_type"), "dropout": left_out("dropout"), "window": left_out("window")}


def said_nearer(execution, application, key):
    """Takes the key out and says the nearest: what that is, or None where there is nothing near."""
    for part in (execution, application):
        if key in part and key in NEAREST:
            return NEAREST[key](execution, application, part.pop(key))
    return None


def nearer_than(message, execution, application):
    if NO_OVERLAP.search(message):
        execution["tensor_par_overlap"] = "none"
        return "without tensor_par_overlap"
    unknown = UNKNOWN.search(message)
    return said_nearer(execution, application, unknown[1]) if unknown else None


def set_at(system, place, value):
    *path, last = place.split(".")
    for key in path:
        system = system[key]
    system[last] = value


class Assay:
    def __init__(self, program, systems, folder):
        self.program, self.systems, self.folder = program, systems, folder

    def run(self, application, execution, system):
        paths = []
        for name, content in (("application", application), ("execution", execution), ("system", system)):
            paths.append(self.folder / f"{name}.json")
            paths[-1].write_text(json.dumps(content), encoding="utf-8")
        return subprocess.run([self.program, "predict", *paths, "--model", "assay", "--json"], capture_output=True, text=True, check=False)

    def predict(self, row):
        application, execution = copy.deepcopy(row.application), copy.deepcopy(row.execution)
        system = json.loads((self.systems / f"{row.system}.json").read_text(encoding="utf-8"))
        for place, value in row.changes.items():
            set_at(system, place, value)
        found = Predicted(has_bytes=system["mem1"]["GiB"] * 2**30)
        done = self.run(application, execution, system)
        while done.returncode == 2 and (nearer := nearer_than(done.stderr, execution, application)):
            found.nearest.append(nearer)
            done = self.run(application, execution, system)
        if done.returncode == 1:
            system["mem1"]["GiB"] *= MUCH
            done = self.run(application, execution, system)
        if done.returncode != 0:
            lines = (done.stderr or done.stdout).strip().splitlines() or [f"exit code {done.returncode}"]
            found.refused = SHOWN.sub("", FILE.sub(r"\1", lines[-1].removeprefix("assay: ")))
            return found
        stats = json.loads(done.stdout)["stats"]
        found.step_s, found.needs_bytes = stats["total_time"], max(stats[key] for key in ("proc_mem_tier1_cap_req", "last_stage_mem_tier1_cap_req"))
        found.step_s *= row.execution["batch_size"] / execution["batch_size"]
        return found

# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Published training steps as rows: what was run, where it is published, and how long a step took.
import copy
import dataclasses
import json

CLASSES = {"dense": "dense, bf16", "context": "context parallel, bf16", "sharded": "FSDP and HSDP, bf16", "fp8": "dense, FP8", "moe": "MoE, bf16",
           "moe fp8": "MoE, FP8", "fp4": "dense, NVFP4", "given": "given from elsewhere"}


SIZES = ("num_procs", "data_par", "batch_size", "pipeline_par_net", "data_par_net", "expert_par_net")


class BadRow(Exception):
    pass


@dataclasses.dataclass
class Row:
    id: str
    series: str
    kind: str  # of CLASSES
    system: str
    source: str
    commit: str
    model: str
    application: dict
    execution: dict
    step_s: float
    changes: dict  # of the system file: {"mem1.GBps": 2400}
    guessed: list
    recipe: str = ""  # of products in 8 or 4 bits, where a publication has several

    @property
    def gpus(self):
        return self.execution["num_procs"]

    @property
    def tokens_per_s(self):
        """Of a GPU, as published."""
        return self.execution["batch_size"] * self.application["seq_size"] / self.step_s / self.gpus

    @property
    def mapping(self):
        """The mapping without its size."""
        return json.dumps({key: value for key, value in self.execution.items() if key not in SIZES}, sort_keys=True)

    @property
    def question(self):
        """Rows with one question are of one publication, model and system, and differ in mapping and size alone."""
        return (self.source, json.dumps(self.application, sort_keys=True), self.system, json.dumps(self.changes, sort_keys=True),
                self.execution.get("product_datatype", ""), self.recipe)


def read_lines(path):
    for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            yield number, json.loads(text)
        except json.JSONDecodeError as error:
            raise BadRow(f"{path}:{number}: no JSON: {error.msg}") from None


def need(line, key, where):
    if key not in line:
        raise BadRow(f"{where}: no {key}")
    return line[key]


def own_rows(folder):
    """Those of the repository: steps.jsonl, whose first line is shared by all executions, and models.json."""
    models = json.loads((folder / "models.json").read_text(encoding="utf-8"))
    path, base, rows = folder / "steps.jsonl", {}, []
    for number, line in read_lines(path):
        where = f"{path}:{number}"
        if number == 1:
            base = need(line, "base_execution", where)
            continue
        model = need(line, "model", where)
        if model not in models:
            raise BadRow(f"{where}: model {model} is not in models.json")
        if need(line, "class", where) not in CLASSES:
            raise BadRow(f"{where}: class {line['class']}; expected {', '.join(CLASSES)}")
        rows.append(Row(need(line, "id", where), line.get("series", line["id"]), line["class"], need(line, "system", where), need(line, "source", where),
                        need(line, "commit", where), model, {**models[model], **line.get("application", {})},
                        {**base, **need(line, "execution", where)}, need(line, "step_s", where), line.get("system_changes", {}), line.get("guessed", []), line.get("recipe", "")))
    return rows


SYSTEMS_OF_GIVEN = {"H100 SXM 80 GB": ("h100-sxm", {}), "H100, 500 W, 96 GB HBM2e": ("h100-sxm", {"mem1.GBps": 2400, "mem1.GiB": 96}), "B200": ("b200-sxm", {})}


def given_rows(path):
    """Rows of a file from elsewhere: base_execution, then id, gpu, source, commit, note, application, execution_beyond_base."""
    base, rows = {}, []
    for number, line in read_lines(path):
        where = f"{path}:{number}"
        if "base_execution" in line:
            base = line["base_execution"]
            continue
        gpu = need(line, "gpu", where)
        if gpu not in SYSTEMS_OF_GIVEN:
            raise BadRow(f"{where}: gpu {gpu}; expected {', '.join(SYSTEMS_OF_GIVEN)}")
        system, changes = SYSTEMS_OF_GIVEN[gpu]
        rows.append(Row(line["id"], line["id"], "given", system, line["source"], line["commit"], line["application"].get("name", line["id"]),
                        copy.deepcopy(line["application"]), {**base, **line["execution_beyond_base"]}, line["published_step_s"], changes,
                        [line["note"]] if line.get("note") else []))
    return rows

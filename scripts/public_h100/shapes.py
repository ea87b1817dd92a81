# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# The products of a transformer block on one of `tp` ranks, as harness/workload/transformer.cpp divides them.
import dataclasses

LAYERS = ("qkv", "attention_output", "up_gate", "down")
DEGREES = (1, 2, 4, 8)
TOKENS = 4096
# 132 SMs x 4096 FLOP/cycle/SM x 1980 MHz: the peak that assay's records of the H100 SXM name.
PEAK_TFLOPS = {"bf16": 1070.53056, "fp16": 1070.53056, "fp8_e4m3": 2141.06112}


@dataclasses.dataclass(frozen=True)
class Model:
    name: str
    hidden: int
    key_value: int  # features of the keys, and of the values
    feed_forward: int
    projections_up: int


MODELS = (Model("llama3-70b", 8192, 1024, 28672, 2), Model("gpt3-175b", 12288, 12288, 49152, 1))


def shape(model, tp, layer, tokens=TOKENS):
    """m, n, k of the forward pass."""
    n, k = {"qkv": ((model.hidden + 2 * model.key_value) // tp, model.hidden),
            "attention_output": (model.hidden, model.hidden // tp),
            "up_gate": (model.projections_up * model.feed_forward // tp, model.hidden),
            "down": (model.hidden, model.feed_forward // tp)}[layer]
    return tokens, n, k


def flop(size):
    m, n, k = size
    return 2 * m * n * k

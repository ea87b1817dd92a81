// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Every preset's part in the table of presets.
#pragma once

#include "harness/training/presets.hpp"

namespace assay::training {

Preset ddp_preset();
Preset fsdp_preset();
Preset megatron_preset();
Preset experts_preset();
Preset recommendation_preset();

/// Groups of all ranks at this stride and size; refuses, naming `key`, a size that does not divide them.
std::string groups_of(const PresetInput& input, std::string_view key, std::uint32_t stride,
                      std::uint32_t size);
/// Seconds that a rank computes for so many FLOP, at the rate that `tflops` states.
double compute_s(const PresetInput& input, double flops);
/// Elements of the embedding, and as many of the head. 0 without a vocabulary.
double vocabulary_parameters(const PresetInput& input);
/// Seconds of the output head in a rank's forward pass: 2 FLOP an element and token; the embedding is looked
/// up.
double head_s(const PresetInput& input, double tokens);
StepOperation compute(std::string name, double seconds, double times = 1);
[[noreturn]] void refuse(std::string_view key, const std::string& what);

/// Published of 8,192 to 16,384 H100 (Grattafiori et al. 2024, arXiv 2407.21783, table 4): 380 to 430.
inline constexpr PresetKey rate_key{"tflops", "TFLOP/s that a rank computes with; published, not measured",
                                    400};
inline constexpr PresetKey sequence_key{"sequence", "tokens of a sequence", 4096};
inline constexpr PresetKey vocabulary_key{"vocabulary",
                                          "rows of embedding and untied output head; 0: neither", 0, 0};
inline constexpr PresetKey batch_key{"batch", "sequences of a rank at a time", 1};

}  // namespace assay::training

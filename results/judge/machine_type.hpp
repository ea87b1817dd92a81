// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The type of machine that limits are for, held against what a context record says of a machine.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace assay::results {

struct MachineType {
  std::string gpu = {}, cpu = {}, product = {};         // globs over names; empty: any
  std::string hca = {}, rate = {};                      // of one adapter: its type, "400 Gb/sec*"
  std::optional<std::int64_t> gpus = {}, nvlinks = {};  // of the machine, and of each GPU
};

/// What is other on this machine, and what was expected; nothing where it is of this type. Every GPU must
/// match, and one port of an HCA at least. What the record does not tell is other.
std::optional<std::string> mismatch(const MachineType& type, const nlohmann::ordered_json& machine);

/// Shell patterns: *, ?, [a-z].
bool glob_matches(const std::string& pattern, const std::string& text);

}  // namespace assay::results

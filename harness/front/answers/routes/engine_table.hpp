// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The tables of a fabric and those of other routing engines, a row each.
#pragma once

#include <string>
#include <vector>

#include "harness/front/answers/routes/routes_answer.hpp"
#include "results/table/table.hpp"

namespace assay::answers {

struct TriedEngine {
  std::string engine;        // as asked, "as read" for the fabric's own tables
  std::string used = {};     // opensm falls back to another one; empty: nothing is known of it
  std::string failure = {};  // why there is no row; empty: there is one
  EngineRow row = {};
};

/// "ftree instead: an all-to-all takes 1.00 times, not 3.05": the best of those that came out as asked.
std::string engine_sentence(const std::vector<TriedEngine>& tried);
results::Table engine_table(const std::vector<TriedEngine>& tried);
/// The answer's JSON with the engines added.
std::string with_engines(const std::string& json, const std::vector<TriedEngine>& tried);

}  // namespace assay::answers

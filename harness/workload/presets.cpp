// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Published models. Where a paper gives no head size it is hidden / heads.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "harness/core/error.hpp"
#include "harness/workload/transformer.hpp"

namespace assay::workload {

namespace {

const std::vector<Transformer> published = {
    // Brown et al. 2020, arXiv 2005.14165, table 2.1; feed-forward is 4 x hidden (section 2.1).
    {.name = "gpt3-175b",
     .hidden = 12288,
     .feed_forward = 49152,
     .heads = 96,
     .kv_heads = 96,
     .head_size = 128,
     .gated = false,
     .layers = 96},
    // Smith et al. 2022, arXiv 2201.11990, section 2.3: 105 layers, hidden 20480, 128 heads.
    {.name = "turing-nlg-530b",
     .hidden = 20480,
     .feed_forward = 81920,
     .heads = 128,
     .kv_heads = 128,
     .head_size = 160,
     .gated = false,
     .layers = 105},
    // Narayanan et al. 2021, arXiv 2104.04473, table 1, last row: 1008 billion parameters.
    {.name = "megatron-1t",
     .hidden = 25600,
     .feed_forward = 102400,
     .heads = 160,
     .kv_heads = 160,
     .head_size = 160,
     .gated = false,
     .layers = 128},
    // Touvron et al. 2023, arXiv 2307.09288, section 2.2 and the released params.json.
    {.name = "llama2-70b",
     .hidden = 8192,
     .feed_forward = 28672,
     .heads = 64,
     .kv_heads = 8,
     .head_size = 128,
     .gated = true,
     .layers = 80},
    // Grattafiori et al. 2024, arXiv 2407.21783, table 3 (this and the next two).
    {.name = "llama3-8b",
     .hidden = 4096,
     .feed_forward = 14336,
     .heads = 32,
     .kv_heads = 8,
     .head_size = 128,
     .gated = true,
     .layers = 32},
    {.name = "llama3-70b",
     .hidden = 8192,
     .feed_forward = 28672,
     .heads = 64,
     .kv_heads = 8,
     .head_size = 128,
     .gated = true,
     .layers = 80},
    {.name = "llama3-405b",
     .hidden = 16384,
     .feed_forward = 53248,
     .heads = 128,
     .kv_heads = 8,
     .head_size = 128,
     .gated = true,
     .layers = 126},
};

}  // namespace

const std::vector<Transformer>& presets() { return published; }

Transformer find_model(const std::string& name_or_path) {
  std::vector<std::string> names;
  for (const Transformer& model : presets()) {
    if (model.name == name_or_path) return model;
    names.push_back(model.name);
  }
  if (name_or_path.ends_with(".toml")) return read_model(name_or_path);
  core::usage_error(fmt::format("model '{}': expected {}, or the path of a model file ending in .toml",
                                name_or_path, fmt::join(names, ", ")));
}

}  // namespace assay::workload

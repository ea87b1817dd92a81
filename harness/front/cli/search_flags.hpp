// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What every search of the training model is asked with, whichever command asks.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "harness/front/cli/model_flags.hpp"
#include "model/search/system_file.hpp"

namespace assay::cli {

struct SearchFlags : ModelFlags {
  std::string application, system, datatype = "float16", fused = "true", fused_attention = "both";
  std::vector<std::string> settings;
  std::int64_t processors = 4096, max_batch = 3072;
  unsigned threads = std::max(1U, std::thread::hardware_concurrency());

  bool tries_fused() const { return fused != "false"; }
  bool tries_unfused() const { return fused != "true"; }
  bool tries_fused_attention() const { return fused_attention != "false"; }
  bool tries_unfused_attention() const { return fused_attention != "true"; }
};

/// From 1 on, as the readers of the files count.
CLI::Validator counts();

CLI::Option* add_application(CLI::App& app, SearchFlags& flags);
CLI::Option* add_system(CLI::App& app, SearchFlags& flags);
/// --set; --fused and, after add_model(), --fused-attention; --threads.
void add_settings(CLI::App& app, SearchFlags& flags);
void add_fused(CLI::App& app, SearchFlags& flags);
void add_threads(CLI::App& app, SearchFlags& flags);
/// The names that Datatype has.
CLI::IsMember datatypes();

/// All throw a usage Error naming file and key.
model::Application read_application(const std::string& path, const SearchFlags& flags);
model::SystemFile read_system_file(const SearchFlags& flags);
model::Datatype datatype_of(const SearchFlags& flags);

}  // namespace assay::cli

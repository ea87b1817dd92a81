// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Flags of every search of the training model, whichever command asks.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "harness/front/answers/search_answer.hpp"
#include "harness/front/cli/flags/model_flags.hpp"

namespace assay::cli {

using SearchFlags = answers::SearchSubject;

/// From 1 on, as the readers of the files count.
CLI::Validator counts();

CLI::Option* add_application(CLI::App& app, SearchFlags& flags);
CLI::Option* add_system(CLI::App& app, SearchFlags& flags);
/// --set; --fused and, after add_model(), --fused-attention; --threads.
void add_settings(CLI::App& app, SearchFlags& flags);
void add_fused(CLI::App& app, SearchFlags& flags);
void add_threads(CLI::App& app, SearchFlags& flags);
/// A positional or a flag; answers::datatype_of() refuses other words.
CLI::Option* add_datatype(CLI::App& app, const std::string& name, SearchFlags& flags);

}  // namespace assay::cli

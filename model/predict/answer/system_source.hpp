// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A system, from a system file or from a file of `assay fit all`, which describes the system that it
// measured.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "model/json/read_json.hpp"
#include "model/predict/answer/prediction.hpp"

namespace assay::model {

struct SystemSource {
  nlohmann::json system;
  ReadOptions options;  // those given; of coefficients: assay's model, and first the sections of that file
};

/// Adds the file's coefficients to the options'; of a file of several sections those that apply, and the
/// others are named in `left_out`.
void add_sections(const CoefficientFile& file, ReadOptions& options);

/// Reads the system at `path`; sections of collectives are of network 0. Throws a usage Error for a file that
/// is neither, or describes no system.
SystemSource read_system_source(const std::string& path, const ReadOptions& options);
/// Reads the source likewise; a file of `assay fit all` is taken as a file only.
SystemSource read_system_source(const JsonSource& given, const ReadOptions& options);

}  // namespace assay::model

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Files of `assay fabric place`: names of servers, and orders of ranks.
#pragma once

#include <string>
#include <vector>

#include "model/fabric/rank_files.hpp"

namespace assay::cli {

/// Reads the names of servers, one a line; nothing where no file is given.
std::vector<std::string> names_in(const std::string& file);

/// `as`: csv, hostfile or slurm.
std::string order_text(const std::string& as, const std::vector<model::fabric::RankPlace>& places);

}  // namespace assay::cli

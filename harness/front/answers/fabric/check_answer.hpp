// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Cables of a site against a plan, whatever both call their switches.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace assay::answers {

struct CheckQuestion {
  std::string plan, site;               // a fabric file; a fabric file, or ibnetdiscover=, lldp=, slurm=FILE
  std::vector<std::string> ports = {};  // globs over ports of the site's list
  std::uint32_t starts = 512;
  std::uint64_t seed = 1;
};

struct CheckAnswer {
  std::string text, json;
  bool holds = false;
};

/// Throws a usage Error as the readers of both do.
CheckAnswer check_wiring(const CheckQuestion& question);

}  // namespace assay::answers

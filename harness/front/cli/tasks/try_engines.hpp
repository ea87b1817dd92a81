// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Other routing engines on a subnet that ibsim simulates: the real opensm computes their tables. Nothing
// touches the site.
#pragma once

#include <string>
#include <vector>

#include "harness/front/answers/routes/engine_table.hpp"

namespace assay::cli {

/// Empty where ibsim, its library libumad2sim and opensm are here, else what lacks, with Debian's packages.
std::string lacking_for_engines();

/// The tables of each engine judged as the question asks. Throws a usage Error where the net cannot be
/// simulated; an engine that fails is a row with the reason.
std::vector<answers::TriedEngine> try_engines(const answers::RoutesQuestion& question,
                                              const std::vector<std::string>& engines);

}  // namespace assay::cli

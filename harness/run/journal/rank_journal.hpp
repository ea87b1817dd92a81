// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The journal that a rank other than 0 keeps while it measures: its own times, metrics and facts of every
// point. Judges read from it which ranks are late; and rank 0 may not come to the end.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/core/measure/witness.hpp"
#include "harness/machine/machine.hpp"

namespace assay::run {

/// Writes `<journal>.rank<N>` as run `<run-id>.rank<N>`, so that a store separates its points from rank 0's;
/// `arguments` are the module's, the same at every rank. Nothing where they name no journal or no run. A file
/// that cannot be written is reported once and costs no measurement.
std::unique_ptr<core::Witness> rank_journal(const std::string& module, int rank,
                                            const machine::Machine& machine,
                                            const std::vector<std::string>& arguments);

}  // namespace assay::run

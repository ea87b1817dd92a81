// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Whether each host of a store is one machine, always the same and alone: else what is said of that host is
// not to be trusted. One line for each doubt.
#pragma once

#include <string>
#include <vector>

#include "results/store/store.hpp"

namespace assay::results {

/// Two runs of one host that overlap in time: two machines of one name, or runs that disturbed each other;
/// which, where the machines report serial numbers. A process without an end counts from its start only.
/// Ranks of one run, and modules of one round of a burn-in, are one.
std::vector<std::string> overlaps_of(const Store& store);

/// Runs of a host whose GPUs or adapters have other serial numbers than in its run before: a board was
/// exchanged, or another machine took the name, and the sound successor would pass for its faulty
/// predecessor. Runs of one time are left to overlaps_of(); parts without serial numbers are not compared.
std::vector<std::string> exchanged_parts_of(const Store& store);

/// Pairs of hosts that share the serial number of a GPU or adapter, so that one machine under two names
/// vouches for itself; and machines that report one serial number for two parts, which hides the part that
/// is not there. Serial numbers of zeros only mean nothing, and are skipped.
std::vector<std::string> shared_parts_of(const Store& store);

/// Machines that both stores have: a part of one serial number, or a host of one name that no serial number
/// shows to be two machines.
std::vector<std::string> machines_in_both(const Store& one, const Store& other);

}  // namespace assay::results

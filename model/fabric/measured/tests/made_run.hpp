// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A store of one run of eight ranks on one switch, with times by closed forms from coefficients that are
// known.
#pragma once

#include <string>

#include "results/store/store.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::model::fabric::measured::test {

/// Costs of the messages of the run. Ports of 400 Gbit/s.
struct KnownPorts {
  double goodput_gb_per_s = 47, hop_us = 0.6, overhead_us = 0.5, gap_us = 0.02;
  double slow_all_gather = 1;  // its time, over what it should be
};

inline constexpr const char* one_switch = "preset = 'star'\nhosts = 8\n";

/// One-way bandwidth, latency and message rate between two ranks; an incast, a bisection and all pairs of
/// eight; ring all-reduce, all-gather and reduce-scatter of eight, one of MPI, and one in groups of nodes.
void make_store(const std::string& path, const KnownPorts& ports = {});

}  // namespace assay::model::fabric::measured::test

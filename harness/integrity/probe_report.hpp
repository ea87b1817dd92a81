// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The fields that every probe of silent corruption puts into its record, by the same names whatever it
// probes: a dose is counted by them, and a wrong element is found by them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/core/measure/benchmark.hpp"
#include "harness/integrity/mismatch.hpp"

namespace assay::integrity {

/// verified_bytes and wrong_elements.
std::vector<core::Metric> probe_metrics(double verified_bytes, const MismatchLog& wrong);

/// wrong_element_1, ...: the first sixteen, each in the words of `describe`.
void add_wrong_elements(std::vector<core::Fact>& facts, const MismatchLog& wrong,
                        const std::function<std::string(const Mismatch&)>& describe);

/// "expected 0xff00, got 0xff05, xor 0x5"
std::string bits_told(const Mismatch& wrong);

}  // namespace assay::integrity

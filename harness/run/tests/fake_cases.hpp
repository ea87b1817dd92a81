// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Cases that do on purpose what real ones do when things go wrong.
#pragma once

#include <functional>
#include <vector>

#include "harness/core/measure/benchmark.hpp"
#include "harness/machine/machine.hpp"

namespace assay::run::tests {

/// memory.fake.steady|slow|fails|wrong|unsupported|crashes|hangs|exits|corruption|corruption_self_test, each
/// with an axis `n`. corruption verifies 10^6 bytes a point.
std::vector<core::Case> fake_cases(const machine::Machine&);
/// Likewise, whose iterations `pass` their seconds: on a scripted clock, for one.
std::vector<core::Case> fake_cases_passing(const std::function<void(double)>& pass);

}  // namespace assay::run::tests

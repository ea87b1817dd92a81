// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// NVML's field values: numbered readings that have no function of their own.
#pragma once

#include <cstdint>
#include <optional>

#include "harness/machine/nvml/nvml_library.hpp"

namespace assay::machine {

/// A field as a non-negative whole number; empty when driver or GPU do not report it. `scope`: of
/// what, for fields of links.
std::optional<std::uint64_t> read_field(const NvmlFunctions& call, NvmlHandle device, NvmlField which,
                                        unsigned scope = 0);

/// read_field() of a field of 64 bits; empty for one of another width, which is another field of that number.
std::optional<std::uint64_t> read_wide_field(const NvmlFunctions& call, NvmlHandle device, unsigned which);

}  // namespace assay::machine

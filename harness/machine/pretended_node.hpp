// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A pretended node, for tests: a folder that is read as / where ASSAY_SIMULATED_NODE names one. Everything
// that is measured on it says `simulated`.
#pragma once

#include <string>

namespace assay::machine {

/// The root folder of this process's node; "" on a real node.
std::string pretended_root();
inline bool is_pretended() { return !pretended_root().empty(); }

}  // namespace assay::machine

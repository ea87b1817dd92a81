// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One operation of a workload file.
#pragma once

#include "harness/core/text/toml_section.hpp"
#include "model/fabric/file/workload_file.hpp"

namespace assay::model::fabric {

/// [[stream.op]]: compute_us of all ranks or those of `on`, a collective, or a pattern. Groups are all ranks
/// of the job unless stated.
Operation read_operation(const core::TomlSection& section, RankRange ranks);

}  // namespace assay::model::fabric

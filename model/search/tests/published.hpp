// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The models and the system whose searches have published counts (docs/evidence/calculon.md).
#pragma once

#include "model/search/space.hpp"

namespace assay::model {

/// GPT-3 175B and Megatron 1T.
Application gpt_175b();
Application megatron_1t();
/// H100, 80 GiB, NVLink domain of 8; a second memory of this size at 450 GB/s, or none where it is 0.
System h100_nvl8(double mem2_gib);
Question question(const Application& application, const System& system, std::int64_t processors,
                  std::int64_t max_batch);

}  // namespace assay::model

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Whether there is space for what a copy needs, said before anything is allocated.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "offload/copy/peer_copy.hpp"

namespace assay::offload {

/// Why the memory of `copies` such copies at once, each with a GPU of its own, does not fit, with the bytes.
/// What is available is 0 where it is not known.
std::optional<std::string> no_space(const CopyWay& way, std::int64_t copies, std::int64_t free_device_bytes,
                                    std::int64_t available_host_bytes);

/// The same between two GPUs, with what is free on each.
std::optional<std::string> no_space(const PeerWay& way, std::int64_t free_from_bytes,
                                    std::int64_t free_to_bytes);

}  // namespace assay::offload

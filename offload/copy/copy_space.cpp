// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/copy/copy_space.hpp"

#include <fmt/core.h>

#include "offload/point_axes.hpp"

namespace assay::offload {

std::optional<std::string> no_space(const CopyWay& way, std::int64_t copies, std::int64_t free_device_bytes,
                                    std::int64_t available_host_bytes) {
  const std::int64_t ways = way.direction == CopyDirection::both ? 2 : 1;
  if (auto why = does_not_fit("the device memory of a copy", ways * way.bytes, free_device_bytes)) return why;
  // Beside the copies' own, what is copied is made up and compared in ordinary memory, of one at a time.
  return does_not_fit("the host memory of a copy", (copies * ways + 1) * way.bytes, available_host_bytes);
}

std::optional<std::string> no_space(const PeerWay& way, std::int64_t free_from_bytes,
                                    std::int64_t free_to_bytes) {
  const std::int64_t ways = way.both ? 2 : 1;
  if (auto why = does_not_fit(fmt::format("a copy on GPU {}", way.from), ways * way.bytes, free_from_bytes))
    return why;
  return does_not_fit(fmt::format("a copy on GPU {}", way.to), ways * way.bytes, free_to_bytes);
}

}  // namespace assay::offload

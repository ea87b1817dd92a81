// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/workload/chakra/size_hints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "model/workload/chakra/group_members.hpp"

namespace assay::model::workload {
namespace {

using training::Traffic;

constexpr std::array bytes_of_elements{2.0, 4.0, 0.5, 0.25};

}  // namespace

std::vector<std::string> size_hints(const Trace& trace, std::span<const std::uint32_t> group_sizes) {
  std::map<double, double> gathered;  // of all ranks, by one rank's share
  std::set<double> scattered;
  const std::vector<const TraceNode*> exchanges = exchanges_of(trace);
  for (std::size_t at = 0; at < exchanges.size(); ++at) {
    const TraceNode& one = *exchanges[at];
    if (one.traffic == Traffic::all_gather && group_sizes[at] > 1)
      gathered[one.bytes] = one.bytes * group_sizes[at];
    if (one.traffic == Traffic::reduce_scatter) scattered.insert(one.bytes);
  }
  const auto fits = [&](const auto& gather) { return scattered.contains(gather.second); };
  if (std::ranges::any_of(gathered, fits)) return {};
  for (const auto& [share, whole] : gathered) {
    for (const double times : bytes_of_elements)
      if (scattered.contains(whole * times))
        return {
            fmt::format("an all_gather brings {:.0f} bytes together, a reduce_scatter has {:.0f}: is a "
                        "comm_size in elements? bytes are expected",
                        whole, whole * times)};
    if (scattered.contains(share))
      return {
          fmt::format("an all_gather and a reduce_scatter have {:.0f} bytes each: comm_size of an "
                      "all_gather is one rank's share, of a reduce_scatter the whole",
                      share)};
  }
  return {};
}

}  // namespace assay::model::workload

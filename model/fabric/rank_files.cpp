// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/rank_files.hpp"

#include <set>

#include "harness/core/text/csv_text.hpp"
#include "model/fabric/refuse.hpp"

namespace assay::model::fabric {

std::string hostfile_of(std::span<const RankPlace> places) {
  std::string text;
  std::set<std::string> written;
  for (std::size_t first = 0, end = 0; first < places.size(); first = end) {
    const std::string& host = places[first].host;
    while (end < places.size() && places[end].host == host) ++end;
    if (!written.insert(host).second)
      refuse("the ranks of " + host +
             " do not follow each other, which a hostfile cannot say; use the rank " +
             "map or Slurm's arbitrary distribution");
    text += host + " slots=" + std::to_string(end - first) + "\n";
  }
  return text;
}

std::string slurm_hosts_of(std::span<const RankPlace> places) {
  std::string text;
  for (const RankPlace& place : places) text += place.host + "\n";
  return text;
}

std::string rank_map_of(std::span<const RankPlace> places) {
  std::string text = "rank,host,gpu\n";
  for (std::size_t rank = 0; rank < places.size(); ++rank)
    text += std::to_string(rank) + "," + core::csv_cell(places[rank].host) + "," +
            std::to_string(places[rank].gpu) + "\n";
  return text;
}

}  // namespace assay::model::fabric

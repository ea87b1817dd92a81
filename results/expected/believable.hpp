// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Whether logs of other tools can be believed: doubts about rates that the named hardware does not have,
// about averages that are not those of their samples, warm-up and iterations, one log under two hosts, and
// logs from before a repair.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "results/expected/published.hpp"
#include "results/peers/peer_file.hpp"

namespace assay::results::expected {

/// When hosts were repaired last, by short_host().
using Repairs = std::map<std::string, std::chrono::system_clock::time_point>;
/// CSV with the columns host and repaired ("2026-02-04T01:00:00Z"; with `zone` also without one). Throws a
/// usage Error with file and line.
Repairs read_repairs(const std::string& file, std::optional<std::chrono::minutes> zone);

/// Adds doubts to points of files, in the order of their import.
class Believability {
 public:
  Believability(Published published, Repairs repairs, std::optional<std::chrono::minutes> zone)
      : published_(std::move(published)), repairs_(std::move(repairs)), zone_(zone) {}

  void doubt(std::span<peers::PeerFile> files);

 private:
  struct Seen {
    std::string host, path;
  };
  void doubt_copies(peers::PeerFile& file, std::span<const std::string> digests);
  void doubt_points(peers::PeerBlock& block) const;
  void doubt_age(peers::PeerPoint& point) const;

  Published published_;
  Repairs repairs_;
  std::optional<std::chrono::minutes> zone_;
  std::map<std::string, Seen> seen_;  // by a digest of the numbers of a block
};

}  // namespace assay::results::expected

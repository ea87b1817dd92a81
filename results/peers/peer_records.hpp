// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Records of origin `imported` from what a file of another tool states: one run of each block and host.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "results/peers/peer_file.hpp"
#include "results/record/journal.hpp"

namespace assay::results::peers {

struct RecordSettings {
  std::optional<std::chrono::minutes> zone = {};  // of times without one
  std::string now;                                // ISO 8601 UTC: of files without a time
  std::string assay_version;
};

struct PeerRun {
  std::string run_id;           // a digest of the block and the host: of the same file the same
  std::vector<Record> records;  // the context first, the end last
};

/// Each run of the file whose host is known. Points of unknown hosts are refused: `refusals`.
std::vector<PeerRun> records_of(const PeerFile& file, const RecordSettings& settings,
                                std::vector<Refusal>& refusals);

/// "bytes=8,dtype=fp32"
std::string key_of(const Fields& axes);

}  // namespace assay::results::peers

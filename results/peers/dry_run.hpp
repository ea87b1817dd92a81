// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Points of other tools' files as they would be imported, for reading and for checking a reader.
#pragma once

#include <string>

#include "results/peers/peer_file.hpp"

namespace assay::results::peers {

/// One JSON object in one line.
std::string dry_run_json(const PeerFile& file, const PeerBlock& block, const PeerPoint& point);
/// "logs/a.txt:12: gx01 collectives.nccl.all_reduce bytes=8,dtype=fp32: time_us 41.27 us"
std::string dry_run_text(const PeerFile& file, const PeerPoint& point);

}  // namespace assay::results::peers

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A file of another tool, read: its blocks with what they state, and what was refused.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "results/peers/reader.hpp"

namespace assay::results::peers {

struct PeerBlock {
  std::string_view title;  // of the reader: "nccl-tests text"
  Findings findings;       // each point with a host where one is known, and with all doubts
  std::string digest;      // 64 hexadecimal digits of the tool, the host and the lines
  long line = 0;           // the first
};

struct PeerFile {
  PathFacts path;
  std::vector<PeerBlock> blocks;
  std::vector<Refusal> refusals;  // of the file and of its blocks
};

struct PeerChoice {
  std::string kind = "auto";  // or a reader's
  std::string host = {};      // where neither file nor path names one
};

/// Kinds of the readers, each once: "nccl-tests", "perftest".
std::vector<std::string> peer_kinds();

PeerFile read_peer_text(std::string_view text, const PathFacts& path, const PeerChoice& choice);
/// Throws a usage Error for what cannot be input, and for a file of more than 256 MiB.
PeerFile read_peer_file(const PathFacts& path, const PeerChoice& choice);

}  // namespace assay::results::peers

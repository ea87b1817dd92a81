// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A reader of one format of another tool. text/ prepares the lines: line endings, prefixes of launchers and
// colours are gone, and hosts whose lines interleave are apart. A reader says where a block of its format
// begins, and what a block states. It invents nothing: what has two readings is refused.
//
// A reader is a source readers/NAME.cpp with a function `Reader NAME_reader()`, and its name in
// results/CMakeLists.txt; parts that readers share are in tools/.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "results/peers/peer_point.hpp"

namespace assay::results::peers {

struct Line {
  std::string_view text;  // without its end and without prefixes
  long number = 0;        // 1-based, in the file
};
using Lines = std::span<const Line>;

/// Words that a path states, by the user's pattern or by their own form ("16ranks").
struct PathFacts {
  std::string path;       // as messages name it
  std::string host = {};  // empty: unknown
  std::string other_host = {};
  std::string operation = {};  // {operation}
  std::string tool = {}, date = {}, round = {};
  std::optional<std::int64_t> ranks = {};
};

/// One run of a tool: from its first line to the next run's, or to the end.
struct Block {
  Lines lines;
  const PathFacts& path;
  Lines before = {};      // of the same stream, up to the block, where commands may be
  std::string host = {};  // by the launcher's prefix; empty: none
  bool torn = false;      // the last line of the file, without a line feed, is its last

  /// Whether the line may lack its end.
  bool is_torn(const Line& line) const { return torn && line.number == lines.back().number; }
};

struct Refusal {
  long line = 0;
  std::string what;  // "column 'time': expected a number, got '1,5'"
};

struct Findings {
  std::string tool = {}, version = {};         // "nccl-tests", "2.16.9"; version may be unknown
  std::vector<std::string> command_line = {};  // where the file states it
  Fields environment = {};                     // variables of NCCL, UCX, CUDA and Slurm alone
  std::vector<std::string> gpu_names = {};     // by the number of the axis gpu, where the file states them
  std::vector<PeerPoint> points = {};
  Doubts doubts = {};  // about all points of the block
  std::vector<Refusal> refusals = {};
  long unparsed_lines = 0;  // left out, besides those that are known to say nothing
};

struct Reader {
  std::string_view kind;   // of --from: "nccl-tests"
  std::string_view title;  // "nccl-tests text"
  /// Whether a block begins at lines[at]. `begin`: where this reader's block began that is open there, as
  /// none is `lines.size()`; such a block continues where this says false.
  bool (*opens)(Lines lines, std::size_t at, std::size_t begin);
  /// The end of the block that begins at lines[at], such as a closed object's; null: the next block's begin.
  std::size_t (*end)(Lines lines, std::size_t at) = nullptr;
  void (*read)(const Block& block, Findings& findings) = nullptr;
};

/// All of them; a line opens a block of the first that says so.
const std::vector<Reader>& readers();

}  // namespace assay::results::peers

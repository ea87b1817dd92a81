// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A node's reports to the coordinator: lines of its standard output, as the launcher hands them on. Each is
// one short JSON object behind a mark, so that what launchers and shells print around it does no harm.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::campaign {

/// A node's description of itself, as it first reported it.
struct Hello {
  std::string host;  // in its records
  std::string version, revision;
  std::int64_t time_ns = 0;  // its clock, since 1970
  std::int64_t gpus = 0;
  std::int64_t rails = 0;                              // active RDMA ports
  std::map<std::string, std::string> components = {};  // versions: "cuda driver", "kernel"
};

struct StepEnd {
  std::string step;
  int exit_code = 0;
  std::string last_line = {};  // of what it printed, where it did not end with 0
};

/// How an order ended on a node. Kept there in a file, so that a resume does not measure again.
struct Outcome {
  Hello hello;
  std::vector<StepEnd> steps = {};
};

std::string to_json(const Outcome& outcome);
/// Nothing for a text that is not an outcome.
std::optional<Outcome> outcome_from(const std::string& text);

struct Heartbeat {
  std::string step;
  std::int64_t points = 0;  // measured so far
};
/// A file of the node's folder follows in pieces.
struct FileHead {
  std::string path;
  std::int64_t size = 0;
  std::string digest;  // SHA-256
};
struct FilePiece {
  std::string path;
  std::int64_t at = 0;
  std::string bytes;
};
struct End {
  bool interrupted = false;
  bool shared = false;   // the coordinator sees this node's folder: no file was sent
  std::string why = {};  // the order could not be carried out
};

/// One line of a node; members that it does not carry are empty.
struct Answer {
  std::string node;
  /// Drawn at random by the process that answers, and said with each line: another process cannot answer in
  /// its name.
  std::string voice = {};
  std::optional<Hello> hello = {};
  std::optional<Heartbeat> heartbeat = {};
  std::optional<FileHead> file = {};
  std::optional<FilePiece> piece = {};
  std::optional<Outcome> outcome = {};
  std::optional<End> end = {};
};

/// One line, with the line feed.
std::string to_line(const Answer& answer);
/// Nothing for another line, or a damaged one.
std::optional<Answer> answer_from(std::string_view line);

/// Bytes of a file in one line: launchers pass on lines of this length whole.
inline constexpr std::size_t piece_bytes = 600;

}  // namespace assay::campaign

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Journals read on a thread of their own, a block of lines at a time, while the reader of this writes the
// block before into a store.
#pragma once

#include <filesystem>
#include <memory>
#include <memory_resource>
#include <span>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "harness/core/files/byte_stream.hpp"
#include "harness/core/process/bounded_queue.hpp"
#include "results/record/journal.hpp"
#include "results/record/json/point_line.hpp"

namespace assay::results {

struct JournalLine {
  long number = 0;                                         // 1-based
  std::variant<PointRow, std::unique_ptr<Record>> record;  // the second is rare, and large
};

/// Some lines of a journal. What they hold is given back with the block, at once: each by itself would be
/// given back by another thread than took it, and threads wait for each other there.
struct JournalBlock {
  std::pmr::monotonic_buffer_resource memory;
  std::size_t journal = 0;  // which of the files
  std::string text;         // what the rows look into
  std::vector<JournalLine> lines;
  std::vector<JournalProblem> problems;  // damaged lines
  std::vector<JournalProblem> doubts;    // lines at which the clock went back
  std::vector<JournalProblem> secrets;   // where contexts hold what looks like one
};

class JournalBlocks {
 public:
  /// The paths must live as long as this; `lines`, where given, are read instead of the files.
  explicit JournalBlocks(std::span<const std::filesystem::path> paths, core::ByteSource lines = nullptr);
  ~JournalBlocks();
  JournalBlocks(const JournalBlocks&) = delete;
  JournalBlocks& operator=(const JournalBlocks&) = delete;

  /// Null at the end. Throws what reading threw.
  std::unique_ptr<JournalBlock> next() { return blocks_.take().value_or(nullptr); }

 private:
  void read_all(std::span<const std::filesystem::path> paths, const core::ByteSource& lines);

  core::BoundedQueue<std::unique_ptr<JournalBlock>> blocks_;
  std::thread thread_;
};

}  // namespace assay::results

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A journal of simulations: a run of its own, whose origin is `simulated` and whose host is the fabric.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "model/fabric/file/key_value.hpp"
#include "results/record/journal.hpp"

namespace assay::model::fabric {

struct JournalSubject {
  std::string fabric_file, workload_file;
  std::vector<KeyValue> replaced;  // of the fabric file, in every simulation
  std::vector<std::string> command_line;
};

class FabricJournal {
 public:
  /// Opens for append, and writes nothing before the first points: a refused question leaves no run. Throws
  /// std::system_error, and a usage Error for a subject that cannot be read.
  FabricJournal(const std::filesystem::path& path, const JournalSubject& subject);
  ~FabricJournal();
  FabricJournal(const FabricJournal&) = delete;
  FabricJournal& operator=(const FabricJournal&) = delete;

  /// Throws std::system_error on a full disk.
  void write(std::vector<results::PointRecord> points);
  /// The question is answered; a run without it is an interrupted one.
  void end();

 private:
  void write_end(bool interrupted);

  results::ContextRecord context_;
  results::JournalWriter writer_;
  std::int64_t points_ = 0;
  bool ended_ = false;
};

}  // namespace assay::model::fabric

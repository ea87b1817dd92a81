// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A tuner file as NCCL's example tuner plug-in (2.28 to 2.30) reads it, with everything that it would
// misread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace assay::collectives {

/// A row as the plug-in holds it once read; -1 in the last four: any.
struct TunerRow {
  std::size_t line = 0;  // of the file, from 1
  std::string collective, algorithm, protocol;
  std::uint64_t min_bytes = 0, max_bytes = 0;
  int channels = 0, nodes = 0, ranks = 0, pipe_ops = -1, registered = -1;
};

struct TunerFault {
  std::size_t line = 0;
  std::string what;
};

struct TunerFile {
  std::vector<TunerRow> rows;      // in the order that the plug-in tries them
  std::vector<TunerFault> faults;  // of reading: what a row says and what the plug-in takes it for
};

TunerFile read_tuner_csv(const std::string& text);

/// NCCL's question to its tuner: bytes of a rank's larger buffer; -1 matches only rows that say any.
struct TunerQuestion {
  std::string collective;
  std::uint64_t bytes = 0;
  int nodes = 0, ranks = 0, pipe_ops = 1, registered = 0;
};

bool matches(const TunerRow& row, const TunerQuestion& question);

/// The row that the plug-in applies: the first that matches and whose pair NCCL can run; null: none, and the
/// plug-in then leaves NCCL its own choice of algorithm, and one channel.
const TunerRow* applied_row(const std::vector<TunerRow>& rows, const TunerQuestion& question);

}  // namespace assay::collectives

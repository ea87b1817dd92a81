// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Kernels of STREAM and BabelStream: both print the rate of the best run, and leave the first run out.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "results/peers/reader.hpp"
#include "results/peers/text/printed_number.hpp"

namespace assay::results::peers {

enum class StreamMemory { unknown, host, cuda };

struct StreamRow {
  std::string function = {};     // "Copy", as printed
  std::int64_t array_bytes = 0;  // of one array
  PrintedNumber best = {};       // in units of `bytes_per_unit` B/s
  double bytes_per_unit = 1e6;
  PrintedNumber least_s = {}, most_s = {}, mean_s = {};
  std::int64_t runs = 0;  // of which the first is left out
  long line = 0;
};

/// Whether it is one of "Copy", "Mul" or "Scale", "Add", "Triad", "Dot", "Nstream", with a colon or without.
bool is_stream_kernel(std::string_view function);

/// Refuses a row whose best rate is not bytes over the shortest time. `common`: axes and conditions of all
/// rows.
void add_stream_row(const StreamRow& row, StreamMemory memory, const PeerPoint& common, Findings& findings);

/// All kernels of a run that found wrong arrays are wrong.
void mark_wrong(Findings& findings, std::string_view reason);

}  // namespace assay::results::peers

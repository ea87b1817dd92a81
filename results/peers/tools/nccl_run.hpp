// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One run of nccl-tests, as its text and its JSON state it, and the points that follow. Rates are computed
// again from size and time, and ranks from busbw over algbw: a row that disagrees is refused.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/peers/reader.hpp"
#include "results/peers/text/printed_number.hpp"

namespace assay::results::peers {

struct NcclDevice {
  std::int64_t rank = 0;
  std::string host, process, name;
};

/// Out-of-place or in-place numbers of a row.
struct NcclHalf {
  bool in_place = false;
  bool is_launch_time = false;                      // -C 1
  std::optional<PrintedNumber> time, algbw, busbw;  // us, GB/s
  std::optional<double> wrong;                      // elements; empty: not checked
  std::vector<Metric> metrics = {};                 // of single iterations
  std::vector<double> samples_us = {};              // of the slowest process, without the skipped
  std::int64_t skipped = 0;                         // iterations before the samples
};

struct NcclRow {
  std::int64_t bytes = 0;
  std::string type, redop, root;
  std::vector<NcclHalf> halves;
  long line = 0;
  std::string started = {};
  std::optional<std::int64_t> iterations = {};  // where the row states its own
};

struct NcclRun {
  std::string operation;               // of the tool: "all_reduce"; empty: unknown
  std::string command_operation = {};  // of the command shown before the run; empty: none
  std::string tool = "nccl-tests", version = {}, nccl_version = {};
  std::int64_t threads = 1, gpus = 1, warmups = 0, iterations = 0, aggregated = 1, graph = 0;
  bool validated = true, blocking = false, devices_left_out = false;
  std::vector<NcclDevice> devices = {};
  bool devices_are_processes = false;  // JSON lists the first GPU of each process only
  std::vector<NcclRow> rows = {};
  std::string mean_among_processes = {};  // by -a: "of the slowest process"; empty: not known, the mean
  Fields axes = {};                       // by the command line and the environment
  Fields conditions = {};
  std::string started = {};
};

/// Sets the operation from a command or the path where the run did not state it, with the doubt; false where
/// it is unknown then.
bool find_nccl_operation(NcclRun& run, const PathFacts& path, Findings& findings);

/// The run's rows as points, in their order. The operation is known.
void add_nccl_points(const NcclRun& run, Findings& findings);
/// A point without a number, of a run that ended by an error before all rows were there.
void add_nccl_failure(const NcclRun& run, long line, std::string_view reason, Findings& findings);

}  // namespace assay::results::peers

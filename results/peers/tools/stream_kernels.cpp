// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/peers/tools/stream_kernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "results/peers/text/columns.hpp"

namespace assay::results::peers {
namespace {

struct StreamKernel {
  std::string_view tool, host;  // "mul" is assay's "scale"; "": none
  bool cuda = false;
  int arrays = 2;
};
constexpr std::array stream_kernels{
    StreamKernel{"copy", "copy", true, 2},    StreamKernel{"mul", "scale", false, 2},
    StreamKernel{"scale", "scale", false, 2}, StreamKernel{"add", "add", false, 3},
    StreamKernel{"triad", "triad", true, 3},  StreamKernel{"dot", "", false, 2},
    StreamKernel{"nstream", "", false, 4},
};

const StreamKernel* known_kernel(std::string_view function) {
  if (function.ends_with(':')) function.remove_suffix(1);
  const std::string name = lower_case(function);
  const auto* const found = std::ranges::find(stream_kernels, std::string_view(name), &StreamKernel::tool);
  return found == stream_kernels.end() ? nullptr : found;
}

void put_case(PeerPoint& point, const StreamKernel& kernel, StreamMemory memory, const std::string& tool) {
  if (memory == StreamMemory::host && !kernel.host.empty()) {
    point.case_name = "memory.host." + std::string(kernel.host);
  } else if (memory == StreamMemory::cuda && kernel.cuda) {
    point.case_name = "memory.cuda." + std::string(kernel.tool);
    point.axes.emplace_back("cache_state", std::string("hot"));
  } else {
    point.case_name = "peers." + tool + "." + std::string(kernel.tool);
  }
}

}  // namespace

bool is_stream_kernel(std::string_view function) { return known_kernel(function) != nullptr; }

void add_stream_row(const StreamRow& row, StreamMemory memory, const PeerPoint& common, Findings& findings) {
  const StreamKernel& kernel = *known_kernel(row.function);
  constexpr std::int64_t most_bytes = std::int64_t{1} << 50;
  if (row.array_bytes <= 0 || row.array_bytes > most_bytes || !(row.least_s.value > 0) ||
      !(row.mean_s.value > 0))
    return findings.refusals.push_back(
        {row.line, "the size of the arrays or a time is not known: the row was left out"});
  const std::int64_t bytes = row.array_bytes * kernel.arrays;
  const auto moved = static_cast<double>(bytes);
  constexpr double tolerance = 0.005;
  if (!may_be_equal(quotient({moved / row.bytes_per_unit, 0}, row.least_s), row.best, tolerance))
    return findings.refusals.push_back(
        {row.line,
         fmt::format("{}: bytes over the shortest time are not the printed rate: the row was left out",
                     row.function)});
  PeerPoint point = common;
  point.axes.emplace_back("bytes", bytes);
  put_case(point, kernel, memory, findings.tool);
  point.metric = "bandwidth_gb_per_s";
  point.unit = "GB/s";
  point.value = moved / row.mean_s.value * 1e-9;
  point.statistic = "mean over iterations, the first left out";
  point.executions = row.runs - 1;
  point.metrics = {{"best_gb_per_s", "GB/s", row.best.value * row.bytes_per_unit * 1e-9},
                   {"worst_gb_per_s", "GB/s", moved / row.most_s.value * 1e-9}};
  point.line = row.line;
  findings.points.push_back(std::move(point));
}

void mark_wrong(Findings& findings, std::string_view reason) {
  for (PeerPoint& point : findings.points) {
    if (point.status != Status::ok) continue;
    point.status = Status::wrong;
    point.verification = Verification::Result::wrong;
    point.reason = std::string(reason);
  }
  add_doubt(findings.doubts, {DoubtKind::wrong_results});
}

}  // namespace assay::results::peers

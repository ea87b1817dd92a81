// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The text of likwid-bench 5. MByte are 10^6 bytes; each byte read and each byte written counts once, without
// the reads that a write causes. Its triad has four arrays; the three of STREAM's are its test "stream".
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "results/peers/text/columns.hpp"
#include "results/peers/text/printed_number.hpp"
#include "results/peers/tools/opening_marks.hpp"

namespace assay::results::peers {
namespace {

int likwid_mark(std::string_view text) {
  if (text.starts_with("Running without Marker API.")) return 1;
  return text == "LIKWID MICRO BENCHMARK" ? 2 : 0;
}

bool likwid_opens(Lines lines, std::size_t at, std::size_t begin) {
  return opens_by_marks(lines, at, begin, likwid_mark);
}

struct LikwidKernel {
  std::string_view tool, ours;
};
constexpr std::array likwid_kernels{
    LikwidKernel{"copy", "memory.host.copy"}, LikwidKernel{"load", "memory.host.read"},
    LikwidKernel{"store", "memory.host.write"}, LikwidKernel{"stream", "memory.host.triad"}};

struct LikwidRun {
  std::string test;
  std::optional<PrintedNumber> time_s, rate_mb_per_s, volume_bytes;
  std::optional<std::int64_t> bytes, threads, iterations;
  std::string clock_hz, error;
  long line = 0;
};

/// "copy" of "copy_mem_avx512", whose variant is "mem_avx512"; single precision has a case of its own.
void put_likwid_case(PeerPoint& point, const std::string& test) {
  const std::size_t cut = test.find('_');
  const std::string kernel = test.substr(0, cut),
                    variant = cut == std::string::npos ? "" : test.substr(cut + 1);
  const auto* const known = std::ranges::find(likwid_kernels, std::string_view(kernel), &LikwidKernel::tool);
  if (known == likwid_kernels.end() || variant.starts_with("sp")) {
    point.case_name = "peers.likwid_bench." + snake_case(test);
    return;
  }
  point.case_name = std::string(known->ours);
  point.axes.emplace_back("variant", variant.empty() ? std::string("scalar") : variant);
}

void take_likwid_line(std::string_view text, const Line& line, LikwidRun& run) {
  const auto value = [&](std::string_view name) {
    return text.starts_with(name) ? after(text, name, " ") : std::string_view();
  };
  if (const auto test = value("Test:"); !test.empty()) run.test = std::string(test);
  if (text.starts_with("Using ") && text.ends_with(" threads"))
    run.threads = whole_number(after(text, "Using ", " "));
  if (const auto time = value("Time:"); !time.empty()) run.time_s = printed_number(time);
  if (const auto bytes = value("Size (Byte):"); !bytes.empty()) run.bytes = whole_number(bytes);
  if (const auto volume = value("Data volume (Byte):"); !volume.empty())
    run.volume_bytes = printed_number(volume);
  if (const auto clock = value("CPU Clock:"); !clock.empty()) run.clock_hz = std::string(clock);
  if (const auto count = value("Iterations per thread:"); !count.empty())
    run.iterations = whole_number(count);
  if (text.starts_with("ERROR")) run.error = std::string(text);
  if (const auto rate = value("MByte/s:"); !rate.empty()) {
    run.rate_mb_per_s = printed_number(rate);
    run.line = line.number;
  }
}

PeerPoint likwid_point(const LikwidRun& run, const Block& block) {
  PeerPoint point;
  point.line = run.line > 0 ? run.line : block.lines.front().number;
  if (run.bytes) point.axes.emplace_back("bytes", *run.bytes);
  if (run.threads) point.axes.emplace_back("threads", *run.threads);
  put_likwid_case(point, run.test);
  point.metric = "bandwidth_gb_per_s";
  point.unit = "GB/s";
  point.statistic = "mean over iterations";
  point.executions = run.iterations;
  if (!run.clock_hz.empty()) point.conditions.emplace_back("cpu_clock_hz", run.clock_hz);
  return point;
}

void read_likwid(const Block& block, Findings& findings) {
  findings.tool = "likwid-bench";
  LikwidRun run;
  for (const Line& line : block.lines)
    if (!block.is_torn(line)) take_likwid_line(trimmed(line.text), line, run);
  if (run.test.empty()) return;
  PeerPoint point = likwid_point(run, block);
  constexpr double to_gb = 1e-3, rounding_of_tool = 1e-5;
  if (!run.rate_mb_per_s || !run.error.empty()) {
    point.status = Status::failed;
    point.reason = run.error.empty() ? "no line 'MByte/s:'" : run.error;
    if (run.error.empty()) add_doubt(findings.doubts, {DoubtKind::cut, "no line of the rate"});
  } else if (!run.time_s || !run.volume_bytes || !run.bytes || !(run.time_s->value > 0) ||
             !may_be_equal(quotient({run.volume_bytes->value * 1e-6, 0}, *run.time_s), *run.rate_mb_per_s,
                           rounding_of_tool)) {
    return findings.refusals.push_back(
        {run.line, "data volume over time is not the printed MByte/s: the run was left out"});
  } else {
    point.value = run.rate_mb_per_s->value * to_gb;
  }
  findings.points.push_back(std::move(point));
}

}  // namespace

Reader likwid_bench_reader() {
  return {.kind = "likwid-bench", .title = "likwid-bench text", .opens = likwid_opens, .read = read_likwid};
}

}  // namespace assay::results::peers

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The text and the CSV of BabelStream, which was GPU-STREAM before 3.0. The rate of a point is bytes over the
// mean time, not the printed best.
#include <algorithm>
#include <array>
#include <cmath>

#include "results/peers/condition_names.hpp"
#include "results/peers/text/columns.hpp"
#include "results/peers/tools/opening_marks.hpp"
#include "results/peers/tools/stream_kernels.hpp"

namespace assay::results::peers {
namespace {

int babel_mark(std::string_view text) {
  if (trimmed(text) == "BabelStream" || trimmed(text) == "GPU-STREAM") return 1;
  if (text.starts_with("Using CUDA device") || text.starts_with("Using HIP device") ||
      text.starts_with("Using OpenCL device"))
    return 2;
  if (text.starts_with("phase,n_elements,")) return 3;
  return text.starts_with("function,num_times,n_elements,sizeof,") ? 4 : 0;
}

bool babel_opens(Lines lines, std::size_t at, std::size_t begin) {
  return opens_by_marks(lines, at, begin, babel_mark);
}

/// B/s of the unit in a heading; 0 for another.
double rate_unit(std::string_view name) {
  struct Unit {
    std::string_view name;
    double bytes;
  };
  constexpr std::array units{Unit{"MBytes/sec", 1e6},         Unit{"MiBytes/sec", 1 << 20},
                             Unit{"max_mbytes_per_sec", 1e6}, Unit{"max_mibytes_per_sec", 1 << 20},
                             Unit{"max_MB_per_sec", 1e6},     Unit{"max_MiB_per_sec", 1 << 20},
                             Unit{"max_GB_per_sec", 1e9},     Unit{"max_GiB_per_sec", 1 << 30},
                             Unit{"GBytes/sec", 1e9},         Unit{"GiBytes/sec", 1 << 30}};
  const auto* const found = std::ranges::find(units, name, &Unit::name);
  return found == units.end() ? 0 : found->bytes;
}

std::vector<std::string_view> comma_columns(std::string_view text) {
  std::vector<std::string_view> columns;
  constexpr std::size_t most = 64;
  for (std::size_t at = 0; at <= text.size() && columns.size() < most;) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    columns.push_back(trimmed(text.substr(at, end - at)));
    at = end + 1;
  }
  return columns;
}

/// 1073741824 of "1024.0 MiB (=1.0 GiB)", "268.4 MB (=0.3 GB)".
std::int64_t size_in(std::string_view text) {
  const auto words = columns_of(text, 2);
  if (words.size() < 2) return 0;
  const auto number = printed_number(words[0]);
  const std::string_view unit = words[1];
  const double bytes = unit == "MiB"   ? 1 << 20
                       : unit == "MB"  ? 1e6
                       : unit == "KiB" ? 1 << 10
                       : unit == "KB"  ? 1e3
                                       : 0;
  constexpr double most = 1e15;
  return number && number->value >= 0 && number->value * bytes < most ? std::llround(number->value * bytes)
                                                                      : 0;
}

class BabelStream {
 public:
  BabelStream(const Block& block, Findings& findings) : block_(block), findings_(findings) {}

  void read() {
    findings_.tool = "babelstream";
    memory_ = memory_in_path();
    for (const Line& line : block_.lines) {
      const bool torn = block_.is_torn(line);
      if (torn)
        add_doubt(findings_.doubts, {DoubtKind::cut, "the last line has no end"});
      else if (const std::string_view text = trimmed(line.text); !text.empty())
        read_line(line, text);
    }
    if (memory_ == StreamMemory::cuda && !findings_.points.empty())
      add_doubt(findings_.doubts, {DoubtKind::gpu_assumed, "0"});
    if (!failure_.empty()) mark_wrong(findings_, failure_);
    if (findings_.points.empty() && findings_.refusals.empty()) add_failure();
  }

 private:
  /// Memory by the name of the file: CSV of OpenMP prints neither device nor implementation.
  StreamMemory memory_in_path() const {
    const std::string_view path =
        std::string_view(block_.path.path).substr(block_.path.path.find_last_of('/') + 1);
    if (path.find("cuda") != std::string_view::npos) return StreamMemory::cuda;
    return path.find("omp") != std::string_view::npos ? StreamMemory::host : StreamMemory::unknown;
  }

  void read_line(const Line& line, std::string_view text) {
    if (text.starts_with("Version:")) {
      findings_.version = std::string(after(text, ":"));
    } else if (text.starts_with("Implementation:")) {
      const std::string_view name = after(text, ":");
      memory_ = name == "CUDA"     ? StreamMemory::cuda
                : name == "OpenMP" ? StreamMemory::host
                                   : StreamMemory::unknown;
    } else if (text.starts_with("Using CUDA device")) {
      memory_ = StreamMemory::cuda;
      common_.conditions.emplace_back(condition::gpu_name, std::string(after(text, "device")));
    } else if (text.starts_with("Running kernels ")) {
      runs_ = whole_number(after(text, "kernels ", " ")).value_or(0);
    } else if (text.starts_with("Array size:")) {
      array_bytes_ = size_in(after(text, ":"));
    } else if (text.find("Validation failed") != std::string_view::npos ||
               text.find("FAILED validation") != std::string_view::npos) {
      failure_ = std::string(text);
    } else if (text.starts_with("Function ") || text.starts_with("function,") || text.starts_with("phase,")) {
      read_heading(line, text);
    } else if (csv_ ? !read_csv(line, comma_columns(text)) : !read_text(line, columns_of(text))) {
      leave_out(text);
    }
  }

  void leave_out(std::string_view text) {
    constexpr std::array<std::string_view, 13> known{
        "BabelStream", "GPU-STREAM", "Precision:", "Total size:", "Driver:", "Memory:",  "Reduction",
        "Init",        "Read",       "Using",      "Order",       "Running", "Number of"};
    const bool is_known =
        std::ranges::any_of(known, [&](std::string_view begin) { return text.starts_with(begin); });
    if (!is_known) ++findings_.unparsed_lines;
  }

  void read_heading(const Line& line, std::string_view text) {
    csv_ = text.find(',') != std::string_view::npos;
    columns_ = csv_ ? comma_columns(text) : columns_of(text);
    unit_ = 0;
    for (const std::string_view column : columns_) unit_ = std::max(unit_, rate_unit(column));
    const bool complete = !csv_ || columns_.back() == "avg_runtime";
    if (columns_.front() == "phase") return;
    if (unit_ == 0 || !complete)
      findings_.refusals.push_back(
          {line.number, "unknown columns: expected a rate by unit, and shortest, longest and mean time"});
    if (!complete) unit_ = 0;
  }

  /// "Copy 200587.659 0.01021 0.01310 0.01088"
  bool read_text(const Line& line, const std::vector<std::string_view>& words) {
    if (unit_ == 0 || words.size() != 5 || !is_stream_kernel(words[0])) return false;
    return add(line, words[0], {words[1], words[2], words[3], words[4]}, array_bytes_, runs_);
  }

  /// "Copy,100,33554432,8,2.83743e+06,0.00018921,0.000194,0.00019044"
  bool read_csv(const Line& line, const std::vector<std::string_view>& words) {
    if (unit_ == 0 || words.size() != 8 || !is_stream_kernel(words[0])) return columns_.front() == "phase";
    const auto runs = whole_number(words[1]), elements = whole_number(words[2]),
               size = whole_number(words[3]);
    constexpr std::int64_t most_elements = std::int64_t{1} << 44;
    if (!runs || !elements || !size || *elements < 0 || *elements > most_elements || *size < 1 || *size > 64)
      return false;
    return add(line, words[0], {words[4], words[5], words[6], words[7]}, *elements * *size, *runs);
  }

  bool add(const Line& line, std::string_view function, const std::array<std::string_view, 4>& words,
           std::int64_t array_bytes, std::int64_t runs) {
    std::array<PrintedNumber, 4> numbers;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const auto number = printed_number(words.at(i));
      if (!number) return false;
      numbers.at(i) = *number;
    }
    StreamRow row{.function = std::string(function),
                  .array_bytes = array_bytes,
                  .best = numbers[0],
                  .bytes_per_unit = unit_};
    row.least_s = numbers[1], row.most_s = numbers[2], row.mean_s = numbers[3];
    row.runs = runs;
    row.line = line.number;
    PeerPoint common = common_;
    if (memory_ == StreamMemory::cuda) common.axes.emplace_back("gpu", std::int64_t{0});
    add_stream_row(row, memory_, common, findings_);
    return true;
  }

  void add_failure() {
    PeerPoint point;
    point.case_name = "peers.babelstream.run";
    point.metric = "bandwidth_gb_per_s";
    point.unit = "GB/s";
    point.line = block_.lines.front().number;
    point.status = failure_.empty() ? Status::failed : Status::wrong;
    point.reason = failure_.empty() ? "no row follows the heading" : failure_;
    findings_.points.push_back(std::move(point));
  }

  const Block& block_;
  Findings& findings_;
  PeerPoint common_;
  StreamMemory memory_ = StreamMemory::unknown;
  std::vector<std::string_view> columns_;
  std::int64_t runs_ = 0, array_bytes_ = 0;
  double unit_ = 0;
  bool csv_ = false;
  std::string failure_;
};

void read_babelstream(const Block& block, Findings& findings) { BabelStream(block, findings).read(); }

}  // namespace

Reader babelstream_reader() {
  return {.kind = "babelstream", .title = "BabelStream", .opens = babel_opens, .read = read_babelstream};
}

}  // namespace assay::results::peers

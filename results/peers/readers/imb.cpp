// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The text of Intel MPI Benchmarks (2018 and later): t_max is of the slowest rank, MB are 10^6 bytes.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "results/peers/reader.hpp"
#include "results/peers/text/calendar_text.hpp"
#include "results/peers/text/columns.hpp"
#include "results/peers/text/printed_number.hpp"
#include "results/peers/tools/mpi_operations.hpp"

namespace assay::results::peers {
namespace {

/// At the head, or at the first benchmark of an excerpt.
bool imb_opens(Lines lines, std::size_t at, std::size_t begin) {
  const std::string_view text = lines[at].text;
  if (begin >= lines.size() && text.starts_with("# Benchmarking ")) return true;
  return text.starts_with('#') && text.find("MPI Benchmarks") != std::string_view::npos &&
         text.find("Intel") != std::string_view::npos && text.find(" part") != std::string_view::npos;
}

struct ImbPair {
  std::string_view imb, ours;
  int sent = 1;  // times the size in the rate
  bool half_round_trip = false;
};
constexpr std::array imb_pairs{ImbPair{"PingPong", "ping_pong", 1, true}, ImbPair{"PingPing", "ping_ping", 1},
                               ImbPair{"Sendrecv", "sendrecv", 2}, ImbPair{"Exchange", "exchange", 4}};

struct ImbRow {
  std::optional<std::int64_t> bytes, repetitions;
  std::optional<PrintedNumber> time, least, most, mean, mb_per_s;
  std::optional<double> defects;
};

class Imb {
 public:
  Imb(const Block& block, Findings& findings) : block_(block), findings_(findings) {}

  void read() {
    findings_.tool = "imb";
    for (const Line& line : block_.lines) {
      const bool torn = block_.is_torn(line);
      if (const std::string_view text = trimmed(line.text); !text.empty() && !torn) read_line(line, text);
    }
    if (!complete_)
      add_doubt(findings_.doubts, {DoubtKind::cut, "no line 'All processes entering MPI_Finalize'"});
    if (findings_.points.empty() && findings_.refusals.empty()) {
      PeerPoint point = outline(block_.lines.front().number);
      point.status = Status::failed;
      point.reason = "no row is in the file";
      findings_.points.push_back(std::move(point));
    }
  }

 private:
  void read_line(const Line& line, std::string_view text) {
    if (text.starts_with("#bytes") || text.starts_with("#repetitions") || text.starts_with("Group ")) {
      columns_ = columns_of(text);
    } else if (text.starts_with('#')) {
      read_comment(text);
    } else if (!columns_.empty() && read_failure(line, text)) {
      return;
    } else if (columns_.empty() || !read_row(line, columns_of(text))) {
      if (text.find_first_not_of('-') != std::string_view::npos) ++findings_.unparsed_lines;
    }
  }

  void read_comment(std::string_view text) {
    const std::string_view said = trimmed(text.substr(1));
    if (said.find("MPI Benchmarks ") != std::string_view::npos)
      findings_.version = std::string(after(said, "Benchmarks ", ","));
    if (said.starts_with("Date")) {
      started_ = started_of_ctime(after(said, ":"));
      if (is_local_time(started_)) add_doubt(findings_.doubts, {DoubtKind::time_zone_unknown});
    }
    if (said.starts_with("MPI_Datatype for reductions"))
      reduced_ = dtype_of_mpi(after(said, ":"));
    else if (said.starts_with("MPI_Datatype"))
      moved_ = dtype_of_mpi(after(said, ":"));
    if (said.starts_with("Benchmarking")) {
      benchmark_ = std::string(after(said, "Benchmarking"));
      columns_.clear();
      ranks_.reset();
    }
    if (said.starts_with("#processes =")) ranks_ = whole_number(after(said, "=", " "));
    if (said.find("groups of") != std::string_view::npos)
      ranks_ = whole_number(after(said, "groups of", " "));
    if (said.starts_with("All processes entering MPI_Finalize")) complete_ = true;
  }

  PeerPoint outline(long line) const {
    PeerPoint point;
    point.line = line;
    point.started = started_;
    point.ranks = ranks_;
    point.metric = "time_us";
    point.unit = "us";
    point.case_name = "peers.imb." + lower_words(benchmark_.empty() ? "run" : benchmark_);
    return point;
  }

  static std::string lower_words(std::string_view words) {
    std::string name;
    for (const char letter : words) {
      const bool capital = letter >= 'A' && letter <= 'Z';
      const bool plain = (letter >= 'a' && letter <= 'z') || is_digit(letter) || letter == '_';
      if (capital || plain) name += static_cast<char>(capital ? letter + 32 : letter);
    }
    return name;
  }

  const ImbPair* pair() const {
    const auto* const found = std::ranges::find(imb_pairs, benchmark_, &ImbPair::imb);
    return found == imb_pairs.end() ? nullptr : found;
  }

  void put_case(PeerPoint& point, std::optional<std::int64_t> bytes) const {
    if (const MpiOperation* operation = imb_operation(benchmark_); operation && bytes) {
      put_mpi_collective(point, *operation, "imb", *bytes);
      if (const std::string& dtype = operation->reduces ? reduced_ : moved_; !dtype.empty())
        point.axes.emplace_back("dtype", dtype);
      return;
    }
    if (const ImbPair* known = pair()) {
      point.case_name = "peers.imb." + std::string(known->ours);
      if (known->half_round_trip) point.metric = "latency_us";
    }
    if (bytes) point.axes.emplace_back("bytes", *bytes);
  }

  /// "4194304 out-of-mem.; needed X=   1.250 GB; use flag ..."
  bool read_failure(const Line& line, std::string_view text) {
    const auto words = columns_of(text, 3);
    const std::size_t at =
        std::min({text.find("out-of-mem."), text.find("time-out."), text.find("int-overflow")});
    if (at == std::string_view::npos || words.empty()) return false;
    const std::size_t bytes_column =
        static_cast<std::size_t>(std::ranges::find(columns_, "#bytes") - columns_.begin());
    PeerPoint point = outline(line.number);
    put_case(point, bytes_column < words.size() ? whole_number(words[bytes_column]) : std::nullopt);
    point.status = text.substr(at).starts_with("time-out") ? Status::timeout : Status::unsupported;
    point.reason = std::string(text.substr(at));
    findings_.points.push_back(std::move(point));
    return true;
  }

  bool read_row(const Line& line, const std::vector<std::string_view>& words) {
    if (words.size() != columns_.size()) return false;
    ImbRow row;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const auto number = printed_number(words[i]);
      if (!number) return false;
      put(row, columns_[i], words[i], *number);
    }
    add(row, line.number);
    return true;
  }

  static void put(ImbRow& row, std::string_view column, std::string_view word, PrintedNumber number) {
    if (column == "#bytes") row.bytes = whole_number(word);
    if (column == "#repetitions") row.repetitions = whole_number(word);
    if (column == "t[usec]") row.time = number;
    if (column == "t_min[usec]") row.least = number;
    if (column == "t_max[usec]") row.most = number;
    if (column == "t_avg[usec]") row.mean = number;
    if (column == "Mbytes/sec") row.mb_per_s = number;
    if (column == "defects") row.defects = number.value;
  }

  /// "" where size, time and rate agree.
  std::string fault_of(const ImbRow& row) const {
    const auto& time = row.most ? row.most : row.time;
    const ImbPair* known = pair();
    if (!known || !time || !row.mb_per_s || !row.bytes || *row.bytes == 0 || !(time->value > 0)) return "";
    const PrintedNumber rate = quotient({static_cast<double>(*row.bytes * known->sent), 0}, *time);
    constexpr double tolerance = 0.005;
    return may_be_equal(rate, *row.mb_per_s, tolerance)
               ? ""
               : fmt::format("size {} over time is not the printed rate: the row was left out", *row.bytes);
  }

  void add(const ImbRow& row, long line) {
    const bool collective = imb_operation(benchmark_) != nullptr;
    if (collective && row.bytes == 0) return;  // nothing is moved, and some return at once
    if (const std::string fault = fault_of(row); !fault.empty())
      return findings_.refusals.push_back({line, fault});
    PeerPoint point = outline(line);
    put_case(point, row.bytes);
    point.executions = row.repetitions;
    if (row.least && row.most && row.mean) {
      put_rank_means(point, row.mean->value, row.least->value, row.most->value);
    } else if (row.time) {
      point.value = row.time->value;
      point.statistic =
          pair() && pair()->half_round_trip ? "mean of half round trips" : "mean over iterations";
    } else {
      return findings_.refusals.push_back({line, "no column t[usec], or t_min, t_max and t_avg"});
    }
    if (row.mb_per_s && row.mb_per_s->value > 0)
      point.metrics.push_back({"bandwidth_gb_per_s", "GB/s", row.mb_per_s->value * 1e-3});
    if (row.defects && *row.defects > 0) {
      point.status = Status::wrong;
      point.verification = Verification::Result::wrong;
      point.reason = "defects";
      add_doubt(findings_.doubts, {DoubtKind::wrong_results});
    } else if (row.defects) {
      point.verification = Verification::Result::right;
    }
    findings_.points.push_back(std::move(point));
  }

  const Block& block_;
  Findings& findings_;
  std::vector<std::string_view> columns_;
  std::optional<std::int64_t> ranks_;
  std::string benchmark_, started_, moved_, reduced_;
  bool complete_ = false;
};

void read_imb(const Block& block, Findings& findings) { Imb(block, findings).read(); }

}  // namespace

Reader imb_reader() { return {.kind = "imb", .title = "IMB text", .opens = imb_opens, .read = read_imb}; }

}  // namespace assay::results::peers

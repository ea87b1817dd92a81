// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Transfers in the text of TransferBench up to 1.52, between bars or, with OUTPUT_TO_CSV=1, commas. GB are
// 10^9 bytes. All transfers of a test run at once; the program compares what they wrote.
#include <fmt/format.h>

#include "results/peers/text/columns.hpp"
#include "results/peers/text/printed_number.hpp"

namespace assay::results::peers {
namespace {

bool transferbench_opens(Lines lines, std::size_t at, std::size_t) {
  const std::string_view text = trimmed(lines[at].text);
  return text.starts_with("TransferBench v") || text.starts_with("EnvVar,Value,Description,(TransferBench v");
}

/// "48.281" of "  48.281 GB/s"; nothing where another unit is there.
std::optional<PrintedNumber> with_unit(std::string_view cell, std::string_view unit) {
  const auto words = columns_of(cell, 3);
  return words.size() == 2 && words[1] == unit ? printed_number(words[0]) : std::nullopt;
}

std::vector<std::string_view> cells_of(std::string_view text) {
  const char mark = text.find('|') == std::string_view::npos ? ',' : '|';
  std::vector<std::string_view> cells;
  for (std::size_t at = 0; cells.size() < 8;) {
    const std::size_t end = text.find(mark, at);
    cells.push_back(trimmed(text.substr(at, end - at)));
    if (end == std::string_view::npos) break;
    at = end + 1;
  }
  return cells;
}

class TransferBench {
 public:
  TransferBench(const Block& block, Findings& findings) : block_(block), findings_(findings) {}

  void read() {
    findings_.tool = "transferbench";
    bool mismatch = false;
    for (const Line& line : block_.lines) {
      const std::string_view text = trimmed(line.text);
      if (findings_.version.empty())
        findings_.version = std::string(after(after(text, "TransferBench v"), "", ")"));
      if (block_.is_torn(line)) {
        add_doubt(findings_.doubts, {DoubtKind::cut});
        continue;
      }
      if (text.starts_with("Test ") && text.ends_with(':'))
        test_ = whole_number(after(text, "Test ", ":")).value_or(test_);
      if (text.starts_with("Transfer ")) add(line, text);
      if (text.starts_with("[ERROR]")) fail(line, text);
      mismatch = mismatch || (text.starts_with("[ERROR]") && text.find("ismatch") != std::string_view::npos);
    }
    for (PeerPoint& point : findings_.points)
      if (point.status == Status::ok && !mismatch) point.verification = Verification::Result::right;
  }

 private:
  void add(const Line& line, std::string_view text) {
    const auto cells = cells_of(text);
    const auto words = columns_of(cells[0], 3);
    if (cells.size() != 5 || words.size() != 2) return count_unparsed();
    const auto number = whole_number(words[1]);
    const auto rate = with_unit(cells[1], "GB/s"), time = with_unit(cells[2], "ms"),
               bytes = with_unit(cells[3], "bytes");
    const auto ends = columns_of(cells[4], 6);
    if (!number || !rate || !time || !bytes || ends.size() != 5 || ends[1] != "->" || ends[3] != "->")
      return count_unparsed();
    constexpr double rounding_of_tool = 1e-5;
    if (!(time->value > 0) ||
        !may_be_equal(quotient({bytes->value * 1e-6, 0}, *time), *rate, rounding_of_tool))
      return findings_.refusals.push_back(
          {line.number, "bytes over time are not the printed GB/s: the transfer was left out"});
    PeerPoint point;
    point.line = line.number;
    point.case_name = "peers.transferbench.transfer";
    point.axes = {{"test", test_},
                  {"transfer", *number},
                  {"bytes", static_cast<std::int64_t>(bytes->value)},
                  {"source", std::string(ends[0])},
                  {"executor", std::string(ends[2])},
                  {"destination", std::string(ends[4])}};
    point.metric = "bandwidth_gb_per_s";
    point.unit = "GB/s";
    point.value = rate->value;
    point.statistic = "mean over iterations";
    findings_.points.push_back(std::move(point));
  }

  void fail(const Line& line, std::string_view text) {
    PeerPoint point;
    point.line = line.number;
    point.case_name = "peers.transferbench.transfer";
    point.axes = {{"test", test_}};
    point.status = text.find("ismatch") == std::string_view::npos ? Status::failed : Status::wrong;
    if (point.status == Status::wrong) {
      point.verification = Verification::Result::wrong;
      add_doubt(findings_.doubts, {DoubtKind::wrong_results});
    }
    point.reason = std::string(text);
    point.metric = "bandwidth_gb_per_s";
    point.unit = "GB/s";
    findings_.points.push_back(std::move(point));
  }

  void count_unparsed() { ++findings_.unparsed_lines; }

  const Block& block_;
  Findings& findings_;
  std::int64_t test_ = 0;
};

void read_transferbench(const Block& block, Findings& findings) { TransferBench(block, findings).read(); }

}  // namespace

Reader transferbench_reader() {
  return {.kind = "transferbench",
          .title = "TransferBench text",
          .opens = transferbench_opens,
          .read = read_transferbench};
}

}  // namespace assay::results::peers

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The text of perftest (ib_write_bw, ib_read_lat, ...), which client and server print alike.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "results/peers/condition_names.hpp"
#include "results/peers/text/columns.hpp"
#include "results/peers/tools/opening_marks.hpp"
#include "results/peers/tools/perftest_run.hpp"
#include "results/peers/tools/perftest_table.hpp"

namespace assay::results::peers {
namespace {

int perftest_mark(std::string_view line) {
  const std::string_view text = trimmed(line);
  if (text.find("* Waiting for client to connect") != std::string_view::npos) return 1;
  PerftestRun run;
  return text.ends_with("Test") && read_perftest_title(text, run) ? 2 : 0;
}

/// Headings of tables from lines[at] up to the first row, among as many lines as two heads have.
long headings_before_a_row(Lines lines, std::size_t at) {
  constexpr std::size_t longest_heads = 100;
  long headings = 0;
  for (const std::size_t end = std::min(lines.size(), at + longest_heads); at < end; ++at) {
    const std::string_view text = trimmed(lines[at].text);
    if (text.starts_with("#bytes")) ++headings;
    if (!text.empty() && is_digit(text.front())) break;
  }
  return headings;
}

/// Whether the title at lines[at] is that of the other end of the run that is open, whose lines this end's
/// interrupt: neither end has its table yet.
bool is_other_end(Lines lines, std::size_t at, std::size_t begin) {
  return begin < lines.size() && perftest_mark(lines[at].text) == 2 &&
         headings_before_a_row(lines.subspan(0, at), begin) == 0 && headings_before_a_row(lines, at) == 2;
}

bool perftest_opens(Lines lines, std::size_t at, std::size_t begin) {
  return opens_by_marks(lines, at, begin, perftest_mark) && !is_other_end(lines, at, begin);
}

/// The value of "key : value", up to a tab, or to the blanks that a terminal makes of tabs: two of them may
/// share a line, and a key may end in a tab.
std::string value_of(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos) return "";
  std::string_view rest = trimmed(text.substr(at + key.size()));
  if (!rest.starts_with(':')) return "";
  rest = trimmed(rest.substr(1));
  return std::string(trimmed(rest.substr(0, std::min(rest.find('\t'), rest.find("  ")))));
}

/// 220 of "220[B]".
std::optional<std::int64_t> bytes_in(std::string_view text) {
  return whole_number(text.substr(0, text.find('[')));
}

bool is_perftest_failure(std::string_view text) {
  constexpr std::array<std::string_view, 8> begins{"Completion with error",
                                                   "Failed status",
                                                   "Couldn't ",
                                                   "Unable to ",
                                                   "Failed to ",
                                                   "scnt=",
                                                   "Failed ",
                                                   "Can't "};
  return std::ranges::any_of(begins, [&](std::string_view begin) { return text.starts_with(begin); });
}

class PerftestText {
 public:
  PerftestText(const Block& block, Findings& findings) : block_(block), findings_(findings) {}

  void read() {
    findings_.tool = "perftest";
    for (const Line& line : block_.lines)
      if (!block_.is_torn(line)) read_line(line, trimmed(line.text));
    finish();
  }

 private:
  void read_line(const Line& line, std::string_view text) {
    if (text.empty()) return;
    if (text.find_first_not_of('-') == std::string_view::npos) {
      closed_ = closed_ || rows_ > 0;
    } else if (text.starts_with("#bytes")) {
      table_ = perftest_table_of(text);
      if (!table_.fault.empty()) findings_.refusals.push_back({line.number, table_.fault});
    } else if (is_perftest_failure(text)) {
      failure_ += (failure_.empty() ? "" : "; ") + std::string(text);
      if (failure_line_ == 0) failure_line_ = line.number;
    } else if (text.starts_with("Error: BW result is below")) {
      add_doubt(findings_.doubts, {DoubtKind::errors_reported, std::string(text)});
    } else if (!table_.columns.empty()) {
      if (!read_row(line, text) && !read_sample(text)) leave_out(line.number, text);
    } else if (!read_head(text)) {
      ++findings_.unparsed_lines;
    }
  }

  void leave_out(long line, std::string_view text) {
    const auto words = columns_of(text);
    if (words.size() == table_.columns.size() && std::ranges::any_of(words, has_comma_between_digits))
      findings_.refusals.push_back(
          {line, "a row with commas in its numbers: expected decimal points, and no groups"});
    else
      ++findings_.unparsed_lines;
  }

  /// Whether the line is of the head.
  bool read_head(std::string_view text) {
    if (read_perftest_title(text, run_)) return true;
    put(run_.device, value_of(text, "Device"));
    put(run_.transport, value_of(text, "Connection type"));
    put(run_.rdma_cm, value_of(text, "rdma_cm QPs"));
    put(run_.qps, value_of(text, "Number of qps"));
    put(run_.tx_depth, value_of(text, "TX depth"));
    put(run_.posted_together, value_of(text, "Post List"));
    put(run_.inline_bytes, value_of(text, "Max inline data"));
    constexpr std::array<std::array<const char*, 2>, 9> kept{
        {{"Mtu", condition::mtu},
         {"Link type", "link_type"},
         {"GID index", "gid_index"},
         {"RX depth", "rx_depth"},
         {"CQ Moderation", condition::cq_moderation},
         {"CQE Poll Batch", "cqe_poll_batch"},
         {"Outstand reads", "outstanding_reads"},
         {"PCIe relax order", condition::pcie_relaxed_order},
         {"Dual-port", condition::dual_port}}};
    for (const auto& [key, name] : kept)
      if (const std::string value = value_of(text, key); !value.empty()) keep(name, value);
    for (const auto& [key, name] :
         {std::pair{"local address:", "local_address"}, {"remote address:", "remote_address"}})
      if (const std::string_view value = after(text, key, " RKey");
          !value.empty() && !find(run_.conditions, name))
        run_.conditions.emplace_back(name, std::string(value.substr(0, value.find(" OUT"))));
    return text.find(':') != std::string_view::npos || text.starts_with('*');
  }

  static void put(std::string& field, std::string value) {
    if (!value.empty()) field = std::move(value);
  }
  static void put(std::optional<std::int64_t>& field, const std::string& value) {
    if (const auto number = bytes_in(value)) field = number;
  }
  void keep(const char* name, const std::string& value) {
    const auto number = bytes_in(value);
    run_.conditions.emplace_back(name, number ? Scalar(*number) : Scalar(value));
  }

  bool read_row(const Line& line, std::string_view text) {
    const auto words = columns_of(text);
    if (words.size() != table_.columns.size() || !table_.fault.empty()) return false;
    std::vector<PrintedNumber> numbers;
    for (const std::string_view word : words) {
      const auto number = printed_number(word);
      if (!number) return false;
      numbers.push_back(*number);
    }
    const auto bytes = whole_number(words[0]);
    const auto iterations = whole_number(words[static_cast<std::size_t>(
        std::ranges::find(table_.columns, "#iterations") - table_.columns.begin())]);
    if (!bytes || !iterations) return false;
    ++rows_;
    run_.latency ? add_latency(*bytes, *iterations, numbers, line.number)
                 : add_rate(*bytes, *iterations, numbers, line.number);
    return true;
  }

  std::optional<PrintedNumber> in_column(std::string_view name,
                                         const std::vector<PrintedNumber>& numbers) const {
    const auto column = std::ranges::find(table_.columns, name);
    return column == table_.columns.end()
               ? std::nullopt
               : std::optional(numbers[static_cast<std::size_t>(column - table_.columns.begin())]);
  }

  void add_rate(std::int64_t bytes, std::int64_t iterations, const std::vector<PrintedNumber>& numbers,
                long line) {
    const auto peak = in_column("BW peak[", numbers), average = in_column("BW average[", numbers),
               messages = in_column("MsgRate[Mpps]", numbers);
    if (!average || !messages) return findings_.refusals.push_back({line, "no column BW average or MsgRate"});
    add_perftest_rate(
        run_,
        {bytes, iterations, peak.value_or(PrintedNumber{}), *average, *messages, table_.bytes_per_unit, line},
        findings_);
  }

  void add_latency(std::int64_t bytes, std::int64_t iterations, const std::vector<PrintedNumber>& numbers,
                   long line) {
    if (cycles_)
      return findings_.refusals.push_back({line, "cycles of the processor, whatever the heading says (-C)"});
    const auto value = [&](std::string_view name) {
      const auto number = in_column(name, numbers);
      return number ? std::optional(number->value) : std::nullopt;
    };
    PerftestLatency row{bytes,
                        iterations,
                        value("t_typical[usec]"),
                        value("t_avg[usec]"),
                        value("t_min[usec]"),
                        value("t_max[usec]"),
                        value("99% percentile[usec]"),
                        value("p999")};
    row.line = line;
    const bool all = static_cast<std::int64_t>(samples_.size()) == iterations - 1;
    if (all && !std::ranges::is_sorted(samples_)) row.samples_us = samples_;
    samples_.clear();
    add_perftest_latency(run_, row, findings_);
  }

  /// "12, 1.72" of -U; the line "#, usec" or "#, cycles" comes before them.
  bool read_sample(std::string_view text) {
    if (text.starts_with("#, ")) {
      cycles_ = text == "#, cycles";
      samples_.clear();
      return true;
    }
    const std::size_t comma = text.find(", ");
    if (comma == std::string_view::npos || !whole_number(text.substr(0, comma)))
      return text.starts_with("WARNING: BW peak");
    const auto sample = printed_number(trimmed(text.substr(comma + 1)));
    if (sample) samples_.push_back(sample->value);
    return sample.has_value();
  }

  void finish() {
    if (run_.verb.empty())
      return findings_.refusals.push_back(
          {block_.lines.front().number, "a server of perftest that no client reached"});
    if (!closed_) add_doubt(findings_.doubts, {DoubtKind::cut, "no rule closes the table"});
    if (failure_.empty() && rows_ == 0 && findings_.refusals.empty()) {
      failure_ = "no row follows the heading";
      failure_line_ = block_.lines.front().number;
    }
    if (failure_.empty()) return;
    PeerPoint point = perftest_outline(run_, std::nullopt, failure_line_);
    point.status = Status::failed;
    point.reason = failure_;
    findings_.points.push_back(std::move(point));
  }

  const Block& block_;
  Findings& findings_;
  PerftestRun run_;
  PerftestTable table_;
  std::vector<double> samples_;
  long rows_ = 0, failure_line_ = 0;
  bool closed_ = false, cycles_ = false;
  std::string failure_;
};

void read_perftest_text(const Block& block, Findings& findings) { PerftestText(block, findings).read(); }

}  // namespace

Reader perftest_text_reader() {
  return {.kind = "perftest", .title = "perftest text", .opens = perftest_opens, .read = read_perftest_text};
}

}  // namespace assay::results::peers

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The text of HPL, of NVIDIA's HPL and HPL-MxP, and the summary of HPCG. Rates of progress lines, per GPU,
// and of a factorization without refinement are no results.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "results/peers/text/calendar_text.hpp"
#include "results/peers/text/columns.hpp"
#include "results/peers/text/printed_number.hpp"
#include "results/peers/tools/opening_marks.hpp"

namespace assay::results::peers {
namespace {

int hpl_mark(std::string_view text) {
  if (text.starts_with("HPLinpack ") || text.starts_with("HPL-NVIDIA ")) return 1;
  return text.starts_with("T/V ") ? 2 : 0;
}

/// The table's heading comes once a solve: it opens a block only where none is open.
bool hpl_opens(Lines lines, std::size_t at, std::size_t begin) {
  const int mark = hpl_mark(lines[at].text);
  return mark == 1 ? opens_by_marks(lines, at, begin, hpl_mark) : mark == 2 && begin >= lines.size();
}

class Hpl {
 public:
  Hpl(const Block& block, Findings& findings) : block_(block), findings_(findings) {}

  void read() {
    findings_.tool = "hpl";
    for (const Line& line : block_.lines) {
      const bool torn = block_.is_torn(line);
      if (!torn) read_line(line, trimmed(line.text));
    }
    if (!complete_) add_doubt(findings_.doubts, {DoubtKind::cut, "no line 'End of Tests.'"});
    const bool is_empty = findings_.points.empty() && findings_.refusals.empty();
    if (failure_.empty() && is_empty) failure_ = "no solve is in the table";
    if (!failure_.empty()) add_failure();
  }

 private:
  void read_line(const Line& line, std::string_view text) {
    if (text.starts_with("HPLinpack ") || text.starts_with("HPL-NVIDIA ")) {
      if (findings_.version.empty()) findings_.version = std::string(columns_of(text, 2).back());
    } else if (text.starts_with("End of Tests")) {
      complete_ = true;
    } else if (text.find("HPL ERROR") != std::string_view::npos) {
      failure_ = std::string(text);
    } else if (text.starts_with("||") && (text.ends_with("PASSED") || text.ends_with("FAILED"))) {
      check(text.ends_with("PASSED"));
    } else if (const std::size_t at = text.find(" start time");
               text.starts_with("HPL_") && at != std::string_view::npos) {
      put_start(started_of_ctime(text.substr(at + std::string_view(" start time").size())));
    } else if (text.starts_with('W')) {
      read_row(line, columns_of(text));
    }
  }

  /// "WR11C2R4      102400   192     4     8             534.12             1.3402e+03 (   1.6753e+02)"
  void read_row(const Line& line, const std::vector<std::string_view>& words) {
    if (words.size() < 7 || (words.size() > 7 && !words[7].starts_with('('))) return;
    const auto n = whole_number(words[1]), nb = whole_number(words[2]), p = whole_number(words[3]),
               q = whole_number(words[4]);
    const auto seconds = printed_number(words[5]), gflops = printed_number(words[6]);
    if (!n || !nb || !p || !q || !seconds || !gflops) return;
    const auto size = static_cast<double>(*n);
    const double work = 2.0 / 3 * size * size * size + 1.5 * size * size;
    constexpr double tolerance = 0.005;
    if (!may_be_equal(quotient({work * 1e-9, 0}, *seconds), *gflops, tolerance))
      return findings_.refusals.push_back(
          {line.number, fmt::format("N {} over the time is not the printed rate", *n)});
    PeerPoint point = outline(line.number);
    point.axes = {{"n", *n}, {"nb", *nb}, {"p", *p}, {"q", *q}, {"variant", std::string(words[0])}};
    point.value = gflops->value * 1e-3;
    point.executions = 1;
    point.statistic = "one solve";
    point.metrics.push_back({"solve_s", "s", seconds->value});
    findings_.points.push_back(std::move(point));
    unchecked_ = true;
  }

  static PeerPoint outline(long line) {
    PeerPoint point;
    point.case_name = "peers.hpl.solve";
    point.metric = "tflops";
    point.unit = "TFLOP/s";
    point.line = line;
    return point;
  }

  void check(bool passed) {
    if (!unchecked_ || findings_.points.empty()) return;
    PeerPoint& point = findings_.points.back();
    unchecked_ = unchecked_ && passed;  // several residuals of older versions: one that failed counts
    point.verification = passed ? Verification::Result::right : Verification::Result::wrong;
    if (passed) return;
    point.status = Status::wrong;
    point.reason = "the residual FAILED";
    add_doubt(findings_.doubts, {DoubtKind::wrong_results});
  }

  void put_start(const std::string& started) {
    if (findings_.points.empty() || started.empty()) return;
    findings_.points.back().started = started;
    if (is_local_time(started)) add_doubt(findings_.doubts, {DoubtKind::time_zone_unknown});
  }

  void add_failure() {
    PeerPoint point = outline(block_.lines.front().number);
    point.status = Status::failed;
    point.reason = failure_;
    findings_.points.push_back(std::move(point));
  }

  const Block& block_;
  Findings& findings_;
  bool complete_ = false, unchecked_ = false;
  std::string failure_;
};

void read_hpl(const Block& block, Findings& findings) { Hpl(block, findings).read(); }

}  // namespace

Reader hpl_reader() { return {.kind = "hpl", .title = "HPL text", .opens = hpl_opens, .read = read_hpl}; }

}  // namespace assay::results::peers

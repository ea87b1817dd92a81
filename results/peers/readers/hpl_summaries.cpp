// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Results in one line: of HPL-MxP after refinement, and of HPCG. Neither is compared with HPL.
#include <algorithm>

#include "results/peers/text/columns.hpp"
#include "results/peers/text/printed_number.hpp"
#include "results/peers/tools/opening_marks.hpp"

namespace assay::results::peers {
namespace {

bool is_mxp(std::string_view text) { return text.starts_with("HPL-MxP") || text.starts_with("HPL-AI"); }
bool is_hpcg(std::string_view text) {
  return text.starts_with("HPCG-Benchmark") || text.starts_with("version=HPCG") || text == "Begin Summary";
}

int summary_mark(std::string_view text) { return is_mxp(text) || is_hpcg(text) ? 1 : 0; }

/// Its head has several such lines.
bool summary_opens(Lines lines, std::size_t at, std::size_t begin) {
  if (summary_mark(lines[at].text) == 0) return false;
  if (begin >= lines.size()) return true;
  return std::ranges::any_of(lines.subspan(begin, at - begin), [](const Line& line) {
    return line.text.find("GFLOPS =") != std::string_view::npos || line.text.starts_with("Final Summary::");
  });
}

void add_summary(Findings& findings, bool hpcg, std::optional<double> gflops, bool right, long line) {
  PeerPoint point;
  point.case_name = hpcg ? "peers.hpcg.solve" : "peers.hpl_mxp.solve";
  point.metric = "tflops";
  point.unit = "TFLOP/s";
  point.line = line;
  point.statistic = "one solve";
  if (gflops) {
    point.value = *gflops * 1e-3;
    point.executions = 1;
    point.verification = right ? Verification::Result::right : Verification::Result::not_checked;
  } else {
    point.status = right ? Status::failed : Status::wrong;
    point.reason = right ? "no result is printed" : "the tool calls its result invalid";
    if (!right) add_doubt(findings.doubts, {DoubtKind::wrong_results});
  }
  findings.points.push_back(std::move(point));
}

void read_summary(const Block& block, Findings& findings) {
  const bool hpcg = !is_mxp(block.lines.front().text);
  findings.tool = hpcg ? "hpcg" : "hpl-mxp";
  bool passed = false;
  for (const Line& line : block.lines) {
    const std::string_view text = trimmed(line.text);
    passed = passed || text.ends_with("PASSED");
    if (hpcg && text.find("HPCG result is INVALID") != std::string_view::npos)
      return add_summary(findings, true, std::nullopt, false, line.number);
    const std::string_view mark = hpcg ? "HPCG result is VALID with a GFLOP/s rating of=" : "GFLOPS =";
    if (text.find(mark) == std::string_view::npos || text.starts_with("LU GFLOPS")) continue;
    if (const auto gflops = printed_number(after(text, mark, ",")))
      return add_summary(findings, hpcg, gflops->value, hpcg || passed, line.number);
  }
  add_doubt(findings.doubts, {DoubtKind::cut, "no result follows"});
  add_summary(findings, hpcg, std::nullopt, true, block.lines.front().number);
}

}  // namespace

Reader hpl_summaries_reader() {
  return {.kind = "hpl", .title = "HPL-MxP or HPCG text", .opens = summary_opens, .read = read_summary};
}

}  // namespace assay::results::peers

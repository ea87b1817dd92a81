// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The text of STREAM 5.10. MB are 10^6 bytes; the rate of a point is bytes over the mean time.
#include <algorithm>

#include "results/peers/text/columns.hpp"
#include "results/peers/tools/stream_kernels.hpp"

namespace assay::results::peers {
namespace {

bool stream_opens(Lines lines, std::size_t at, std::size_t) {
  return trimmed(lines[at].text).starts_with("STREAM version");
}

void read_stream_row(const Line& line, const std::vector<std::string_view>& words, StreamRow row,
                     const PeerPoint& common, Findings& findings) {
  const auto best = printed_number(words[1]), mean = printed_number(words[2]),
             least = printed_number(words[3]), most = printed_number(words[4]);
  if (!best || !mean || !least || !most) {
    ++findings.unparsed_lines;
    return;
  }
  row.function = std::string(words[0]);
  row.best = *best, row.mean_s = *mean, row.least_s = *least, row.most_s = *most;
  row.line = line.number;
  add_stream_row(row, StreamMemory::host, common, findings);
}

void read_stream(const Block& block, Findings& findings) {
  findings.tool = "stream";
  StreamRow row;
  PeerPoint common;
  std::int64_t elements = 0, element_bytes = 8;
  bool table = false, validated = false, failed = false;
  for (const Line& line : block.lines) {
    const std::string_view text = trimmed(line.text);
    if (block.is_torn(line)) continue;
    if (text.starts_with("STREAM version")) findings.version = std::string(after(text, "Revision:", " "));
    if (text.starts_with("This system uses "))
      element_bytes = whole_number(after(text, "uses ", " ")).value_or(8);
    if (text.starts_with("Array size =")) elements = whole_number(after(text, "=", " ")).value_or(0);
    if (text.starts_with("Each kernel will be executed "))
      row.runs = whole_number(after(text, "executed ", " ")).value_or(0);
    if (text.starts_with("Number of Threads counted =") && common.axes.empty())
      if (const auto threads = whole_number(after(text, "="))) common.axes.emplace_back("threads", *threads);
    if (text.starts_with("Function ") && text.find("Best Rate MB/s") != std::string_view::npos) table = true;
    if (text.starts_with("Solution Validates")) validated = true;
    if (text.find("Failed Validation") != std::string_view::npos) failed = true;
    const auto words = columns_of(text, 6);
    constexpr std::int64_t most_elements = std::int64_t{1} << 44;
    if (!table || words.size() != 5 || !is_stream_kernel(words[0]) || elements > most_elements) continue;
    row.array_bytes = elements * std::clamp<std::int64_t>(element_bytes, 1, 64);
    read_stream_row(line, words, row, common, findings);
  }
  if (failed) mark_wrong(findings, "Failed Validation");
  if (validated && !failed)
    for (PeerPoint& point : findings.points) point.verification = Verification::Result::right;
  if (!validated && !failed) add_doubt(findings.doubts, {DoubtKind::cut, "no line of the validation"});
}

}  // namespace

Reader stream_reader() {
  return {.kind = "stream", .title = "STREAM text", .opens = stream_opens, .read = read_stream};
}

}  // namespace assay::results::peers

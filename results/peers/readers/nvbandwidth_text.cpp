// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The text of nvbandwidth: matrices by test.
#include <algorithm>
#include <array>
#include <optional>

#include "harness/core/units.hpp"
#include "results/peers/text/columns.hpp"
#include "results/peers/text/printed_number.hpp"
#include "results/peers/tools/nvbandwidth_test.hpp"

namespace assay::results::peers {
namespace {

bool nvbandwidth_opens(Lines lines, std::size_t at, std::size_t) {
  return trimmed(lines[at].text).starts_with("nvbandwidth Version:");
}

class NvbandwidthText {
 public:
  NvbandwidthText(const Block& block, Findings& findings) : block_(block), findings_(findings) {}

  void read() {
    findings_.tool = "nvbandwidth";
    for (const Line& line : block_.lines) {
      const bool torn = block_.is_torn(line);
      if (const std::string_view text = trimmed(line.text); !text.empty() && !torn) read_line(line, text);
    }
    finish();
  }

 private:
  void read_line(const Line& line, std::string_view text) {
    if (text.starts_with("Running ")) {
      end_test();
      std::string_view name = after(text, "Running ");
      if (name.ends_with('.')) name.remove_suffix(1);
      test_.emplace(NvbandwidthTest{.name = std::string(name)});
      test_->line = line.number;
    } else if (text.starts_with("Waived:")) {
      end_test();
      ++waived_;
    } else if (text.starts_with("NOTE:")) {
      end_test();
      complete_ = true;
    } else if (test_ ? !read_result(line, text) : !read_head(text)) {
      ++findings_.unparsed_lines;
    }
  }

  bool read_head(std::string_view text) {
    if (complete_) return text.starts_with("Performance can vary");
    if (text.starts_with("nvbandwidth Version:")) {
      findings_.version = without_v(after(text, "Version:"));
    } else if (text.starts_with("Device ")) {
      findings_.gpu_names.emplace_back(after(text, ": ", " ("));
    } else if (text.starts_with("Process ")) {
      const std::string host(after(text, "(", ")"));
      if (std::ranges::find(outline_.hosts, host) == outline_.hosts.end()) outline_.hosts.push_back(host);
      if (outline_.host.empty()) outline_.host = host;
    } else if (text.starts_with("Driver Version:") || text.starts_with("CUDA ") ||
               text.starts_with("Built from ")) {
      if (text.starts_with("Driver"))
        outline_.conditions.emplace_back("driver", std::string(after(text, ":")));
      versions_ = true;
    } else if (versions_ && findings_.gpu_names.empty() && columns_of(text).size() == 1 &&
               text.find(':') == std::string_view::npos) {
      outline_.host = std::string(text);
    } else {
      return text.starts_with("MPI version");
    }
    return true;
  }

  bool read_result(const Line& line, std::string_view text) {
    const auto words = columns_of(text, 4096);
    if (text.starts_with("SUM ") && words.size() == 3) {
      test_->sum = std::string(words[2]);
      return true;
    }
    if (text.starts_with("&&&& PERF ")) return true;
    if (words.front() == "MIN" || words.front() == "MAX" || words.front() == "AVG" ||
        words.front() == "AVERAGE")
      return true;
    if (text.find("(row)") != std::string_view::npos || text.find("(column)") != std::string_view::npos ||
        text.ends_with("(GB/s)") || text.ends_with("(ns)")) {
      test_->rows.clear(), test_->row_lines.clear();  // the last matrix of a bidirectional test is its total
      columns_ = 0;
      return true;
    }
    if (is_error(text)) {
      test_->failure = std::string(text);
      return true;
    }
    return read_columns(words) || read_row(line, words);
  }

  static bool is_error(std::string_view text) {
    return text.find("ERROR") != std::string_view::npos || text.find("Error") != std::string_view::npos;
  }

  /// "0 1 2": the numbers of the columns.
  bool read_columns(const std::vector<std::string_view>& words) {
    if (columns_ > 0) return false;
    for (std::size_t i = 0; i < words.size(); ++i)
      if (whole_number(words[i]) != static_cast<std::int64_t>(i)) return false;
    columns_ = words.size();
    return true;
  }

  bool read_row(const Line& line, const std::vector<std::string_view>& words) {
    const auto expected = static_cast<std::int64_t>(test_->rows.size());
    if (columns_ == 0 || words.size() != columns_ + 1 || whole_number(words[0]) != expected) return false;
    std::vector<std::string> cells;
    for (const std::string_view word : std::span(words).subspan(1)) {
      if (word != "N/A" && !printed_number(word)) return false;
      cells.emplace_back(word);
    }
    test_->rows.push_back(std::move(cells));
    test_->row_lines.push_back(line.number);
    return true;
  }

  void end_test() {
    if (test_) add_nvbandwidth_test(*test_, outline_, findings_);
    test_.reset();
    columns_ = 0;
  }

  /// The test that a cut file ends in may lack rows, but those that are there are complete.
  void finish() {
    if (test_ && (!test_->rows.empty() || findings_.points.empty() || !test_->failure.empty())) end_test();
    if (!complete_) add_doubt(findings_.doubts, {DoubtKind::cut, "the closing NOTE is not there"});
    if (waived_ > 0)
      add_doubt(findings_.doubts, {DoubtKind::waived, core::counted(waived_, "test") + " without a name"});
  }

  const Block& block_;
  Findings& findings_;
  PeerPoint outline_;
  std::optional<NvbandwidthTest> test_;
  std::size_t columns_ = 0;
  long waived_ = 0;
  bool versions_ = false, complete_ = false;
};

void read_nvbandwidth_text(const Block& block, Findings& findings) {
  NvbandwidthText(block, findings).read();
}

}  // namespace

Reader nvbandwidth_text_reader() {
  return {.kind = "nvbandwidth",
          .title = "nvbandwidth text",
          .opens = nvbandwidth_opens,
          .read = read_nvbandwidth_text};
}

}  // namespace assay::results::peers

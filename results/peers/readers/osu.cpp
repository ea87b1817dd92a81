// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The text of OSU micro-benchmarks. MB are 10^6 bytes; a collective's average is over iterations and ranks.
#include <algorithm>
#include <array>

#include "results/peers/condition_names.hpp"
#include "results/peers/reader.hpp"
#include "results/peers/text/columns.hpp"
#include "results/peers/text/printed_number.hpp"
#include "results/peers/tools/mpi_operations.hpp"

namespace assay::results::peers {
namespace {

bool osu_opens(Lines lines, std::size_t at, std::size_t) {
  const std::string_view text = trimmed(lines[at].text);
  return text.starts_with("# OSU MPI") && text.find(" Test v") != std::string_view::npos;
}

enum class OsuColumn {
  size,
  average,
  least,
  most,
  iterations,
  validation,
  bandwidth,
  messages,
  percentile,
  overall,
  other
};

struct OsuLabel {
  std::string_view words;
  OsuColumn column;
};
/// Longer labels first where one begins with another.
constexpr std::array osu_labels{
    OsuLabel{"Size", OsuColumn::size},
    OsuLabel{"Avg Latency(us)", OsuColumn::average},
    OsuLabel{"Avg Lat(us)", OsuColumn::average},
    OsuLabel{"Min Latency(us)", OsuColumn::least},
    OsuLabel{"Min Lat(us)", OsuColumn::least},
    OsuLabel{"Max Latency(us)", OsuColumn::most},
    OsuLabel{"Max Lat(us)", OsuColumn::most},
    OsuLabel{"Latency (us)", OsuColumn::average},
    OsuLabel{"Latency(us)", OsuColumn::average},
    OsuLabel{"Iterations", OsuColumn::iterations},
    OsuLabel{"Validation", OsuColumn::validation},
    OsuLabel{"Bandwidth (MB/s)", OsuColumn::bandwidth},
    OsuLabel{"MB/s", OsuColumn::bandwidth},
    OsuLabel{"Messages/s", OsuColumn::messages},
    OsuLabel{"Overall(us)", OsuColumn::overall},
    OsuLabel{"Compute(us)", OsuColumn::other},
    OsuLabel{"Coll. Init(us)", OsuColumn::other},
    OsuLabel{"MPI_Test(us)", OsuColumn::other},
    OsuLabel{"MPI_Wait(us)", OsuColumn::other},
    OsuLabel{"Pure Comm.(us)", OsuColumn::other},
    OsuLabel{"Min Comm.(us)", OsuColumn::other},
    OsuLabel{"Max Comm.(us)", OsuColumn::other},
    OsuLabel{"Overlap(%)", OsuColumn::other},
};

struct OsuTable {
  std::vector<OsuColumn> columns;
  std::vector<std::string> percentiles;  // "p50_rank_mean_us"
  bool known = false;
};

/// "P50 Tail Lat(us)", "P99 Tail BW(MB/s)": takes it off the heading.
bool take_percentile(std::string_view& heading, OsuTable& table) {
  const std::size_t end = std::min(heading.find(')'), heading.size());
  const std::string_view label = heading.substr(0, end + 1);
  if (!heading.starts_with('P') || label.find(" Tail ") == std::string_view::npos) return false;
  const auto percent = whole_number(label.substr(1, label.find(' ') - 1));
  table.columns.push_back(OsuColumn::percentile);
  table.percentiles.push_back(percent && label.find("Lat") != std::string_view::npos
                                  ? "p" + std::to_string(*percent) + "_rank_mean_us"
                                  : "");
  heading.remove_prefix(std::min(end + 1, heading.size()));
  return true;
}

/// The heading without its "#".
OsuTable osu_table(std::string_view heading) {
  OsuTable table;
  while (!(heading = trimmed(heading)).empty()) {
    if (take_percentile(heading, table)) continue;
    const auto* const label =
        std::ranges::find_if(osu_labels, [&](const OsuLabel& one) { return heading.starts_with(one.words); });
    if (label == osu_labels.end()) return {};
    table.columns.push_back(label->column);
    heading.remove_prefix(label->words.size());
  }
  table.known = !table.columns.empty();
  return table;
}

std::string name_of(std::string_view title) {
  std::string name = snake_case(title);
  if (name.ends_with('_')) name.pop_back();
  return name;
}

struct OsuRow {
  std::optional<std::int64_t> size, iterations;
  std::optional<double> average_us, least_us, most_us, mb_per_s, messages_per_s;
  std::string validation;
  std::vector<Metric> percentiles;
};

class Osu {
 public:
  Osu(const Block& block, Findings& findings) : block_(block), findings_(findings) {}

  void read() {
    findings_.tool = "osu";
    for (const Line& line : block_.lines) {
      const bool torn = block_.is_torn(line);
      if (torn)
        add_doubt(findings_.doubts, {DoubtKind::cut, "the last line has no end"});
      else if (const std::string_view text = trimmed(line.text); !text.empty())
        read_line(line, text);
    }
    if (operation_ && !block_.path.ranks && !findings_.points.empty())
      add_doubt(findings_.doubts, {DoubtKind::ranks_unknown});
    if (findings_.points.empty() && findings_.refusals.empty()) add_failure();
  }

 private:
  void read_line(const Line& line, std::string_view text) {
    if (text.starts_with("# OSU MPI")) return read_title(text.substr(std::string_view("# OSU MPI").size()));
    if (text.starts_with("# Datatype:")) {
      const std::string_view type = after(text, "Datatype:");
      dtype_ = dtype_of_mpi(type.substr(0, type.find('.')));
      return;
    }
    if (text.starts_with('#')) return read_comment(line, text);
    if (table_.known && read_row(line, text)) return;
    if (text.find("VALIDATION ERROR") == std::string_view::npos) ++findings_.unparsed_lines;
  }

  /// "-CUDA Allreduce Latency Test v7.4"
  void read_title(std::string_view text) {
    if (text.starts_with('-')) memory_ = name_of(text.substr(0, text.find(' ')).substr(1));
    text = trimmed(text.substr(std::min(text.find(' '), text.size())));
    const std::size_t end = text.find(" Test v");
    findings_.version = std::string(after(text, " Test v", " "));
    title_ = std::string(text.substr(0, end));
    std::string name = title_;
    if (name.ends_with(" Latency")) name.resize(name.size() - std::string_view(" Latency").size());
    operation_ = osu_operation(name);
    if (operation_) dtype_ = operation_->reduces ? "fp32" : "int8";
  }

  void read_comment(const Line& line, std::string_view text) {
    const std::string_view said = trimmed(text.substr(1));
    if (said.find("Memory on DEVICE") != std::string_view::npos) memory_ = "device";
    if (!said.starts_with("Size") && said.find("(us)") == std::string_view::npos &&
        said.find("MB/s") == std::string_view::npos)
      return;
    table_ = osu_table(said);
    if (!table_.known)
      findings_.refusals.push_back(
          {line.number, "unknown columns: '" + std::string(said.substr(0, 60)) + "'"});
  }

  bool read_row(const Line& line, std::string_view text) {
    const auto words = columns_of(text);
    if (words.size() != table_.columns.size()) return false;
    OsuRow row;
    std::size_t percentile = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string name =
          table_.columns[i] == OsuColumn::percentile ? table_.percentiles[percentile++] : "";
      if (!put(row, table_.columns[i], words[i], name)) return false;
    }
    add(row, line.number);
    return true;
  }

  static bool put(OsuRow& row, OsuColumn column, std::string_view word, const std::string& percentile) {
    if (column == OsuColumn::validation) {
      row.validation = std::string(word);
      return word == "Pass" || word == "Fail" || word == "-";
    }
    if (column == OsuColumn::size || column == OsuColumn::iterations) {
      const auto whole = whole_number(word);
      (column == OsuColumn::size ? row.size : row.iterations) = whole;
      return whole.has_value();
    }
    const auto number = printed_number(word);
    if (!number) return false;
    if (column == OsuColumn::average || column == OsuColumn::overall) row.average_us = number->value;
    if (column == OsuColumn::least) row.least_us = number->value;
    if (column == OsuColumn::most) row.most_us = number->value;
    if (column == OsuColumn::bandwidth) row.mb_per_s = number->value;
    if (column == OsuColumn::messages) row.messages_per_s = number->value;
    if (!percentile.empty()) row.percentiles.push_back({percentile, "us", number->value});
    return true;
  }

  PeerPoint outline(long line) const {
    PeerPoint point;
    point.case_name = "peers.osu." + name_of(title_);
    point.line = line;
    const bool rate = title_.find("Bandwidth") != std::string::npos;
    const bool pair = title_ == "Latency" || title_ == "Multi-threaded Latency" || title_ == "Multi Latency";
    point.metric = rate ? "bandwidth_gb_per_s" : pair ? "latency_us" : "time_us";
    point.unit = rate ? "GB/s" : "us";
    if (operation_)
      point.ranks = block_.path.ranks;
    else if (pair || title_ == "Bandwidth" || title_ == "Bi-Directional Bandwidth")
      point.ranks = 2;
    return point;
  }

  void add(const OsuRow& row, long line) {
    PeerPoint point = outline(line);
    if (operation_ && row.size) {
      put_mpi_collective(point, *operation_, "osu", *row.size);
      if (!memory_.empty()) point.case_name = "peers.osu." + std::string(operation_->ours);
      point.axes.emplace_back("dtype", dtype_);
      if (point.ranks)
        add_doubt(findings_.doubts, {DoubtKind::ranks_from_path, std::to_string(*point.ranks)});
    } else if (row.size) {
      point.axes.emplace_back("bytes", *row.size);
    }
    if (!memory_.empty()) point.axes.emplace_back("memory", memory_);
    put_value(point, row);
    point.executions = row.iterations;
    point.metrics.insert(point.metrics.end(), row.percentiles.begin(), row.percentiles.end());
    if (row.validation == "Pass") point.verification = Verification::Result::right;
    if (row.validation == "Fail") {
      point.verification = Verification::Result::wrong;
      point.status = Status::wrong;
      point.reason = "Validation: Fail";
      add_doubt(findings_.doubts, {DoubtKind::wrong_results});
    }
    findings_.points.push_back(std::move(point));
  }

  void put_value(PeerPoint& point, const OsuRow& row) {
    if (row.mb_per_s) {
      point.value = *row.mb_per_s * 1e-3;
      point.statistic = "mean over the run";
      if (row.messages_per_s)
        point.metrics.push_back({"message_rate_m_per_s", "M/s", *row.messages_per_s * 1e-6});
    } else if (row.average_us && row.least_us && row.most_us) {
      put_rank_means(point, *row.average_us, *row.least_us, *row.most_us);
    } else if (row.average_us) {
      point.value = row.average_us;
      const bool half = point.metric == "latency_us";
      point.statistic = half ? "mean of half round trips" : "mean over iterations and ranks";
      if (half) return;
      point.conditions.emplace_back(condition::averaged_over, std::string("ranks"));
      add_doubt(findings_.doubts, {DoubtKind::average_over_ranks});
    } else {
      point.status = Status::failed;
      point.reason = "no column of a time or a rate";
    }
  }

  void add_failure() {
    PeerPoint point = outline(block_.lines.front().number);
    point.status = Status::failed;
    point.reason = "no row follows the heading";
    findings_.points.push_back(std::move(point));
  }

  const Block& block_;
  Findings& findings_;
  const MpiOperation* operation_ = nullptr;
  OsuTable table_;
  std::string title_, dtype_, memory_;
};

void read_osu(const Block& block, Findings& findings) { Osu(block, findings).read(); }

}  // namespace

Reader osu_reader() { return {.kind = "osu", .title = "OSU text", .opens = osu_opens, .read = read_osu}; }

}  // namespace assay::results::peers

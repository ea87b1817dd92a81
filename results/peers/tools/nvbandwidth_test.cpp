// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/peers/tools/nvbandwidth_test.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "results/peers/text/printed_number.hpp"

namespace assay::results::peers {
namespace {

constexpr std::int64_t default_bytes = std::int64_t{512} << 20;  // of -b; what was given is not printed
constexpr std::int64_t default_samples = 3;                      // of -i

class NvbandwidthPoints {
 public:
  NvbandwidthPoints(const NvbandwidthTest& test, const PeerPoint& outline, Findings& findings)
      : test_(test), name_(test.name), outline_(outline), findings_(findings) {}

  void add() {
    if (test_.waived) add_doubt(findings_.doubts, {DoubtKind::waived, test_.name});
    if (test_.waived || test_.rows.empty()) return add_without_numbers();
    if (const std::string fault = fault_of_sum(); !fault.empty())
      return findings_.refusals.push_back({test_.line, fault});
    for (std::size_t row = 0; row < test_.rows.size(); ++row)
      for (std::size_t column = 0; column < test_.rows[row].size(); ++column) add_cell(row, column);
    if (!test_.failure.empty()) add_without_numbers();
  }

 private:
  bool has(std::string_view word) const { return name_.find(word) != std::string_view::npos; }
  bool is_latency() const { return has("latency"); }
  bool is_matrix() const { return test_.rows.size() > 1 || name_.starts_with("device_to_device"); }

  PeerPoint outline() const {
    PeerPoint point = outline_;
    point.metric = is_latency() ? "latency_ns" : "bandwidth_gb_per_s";
    point.unit = is_latency() ? "ns" : "GB/s";
    point.case_name = "peers.nvbandwidth." + test_.name;
    point.line = test_.line;
    return point;
  }

  void add_without_numbers() {
    PeerPoint point = outline();
    put_case(point, 0, 0);
    constexpr std::array<std::string_view, 5> of_a_cell{"gpu", "from", "to", "row", "column"};
    std::erase_if(point.axes, [&](const core::Fact& axis) {
      return std::ranges::find(of_a_cell, axis.first) != of_a_cell.end();
    });
    point.status = test_.waived ? Status::unsupported : Status::failed;
    point.reason = test_.waived            ? "waived by the tool"
                   : test_.failure.empty() ? "no result follows"
                                           : test_.failure;
    findings_.points.push_back(std::move(point));
  }

  /// Pairs of GPUs, and the host with a GPU, have cases of assay; others are compared among themselves.
  void put_case(PeerPoint& point, std::int64_t row, std::int64_t column) const {
    const std::string by = name_.ends_with("_sm") ? "sm" : "engine";
    const bool down = name_.starts_with("host_to_device_memcpy_"),
               up = name_.starts_with("device_to_host_memcpy_");
    const bool both = name_.starts_with("device_to_device_bidirectional_memcpy_");
    const bool read = has("_memcpy_read_"), write = has("_memcpy_write_");
    if (down || up) {
      point.case_name = "offload.cuda.copy";
      point.axes = {{"gpu", column},
                    {"bytes", default_bytes},
                    {"direction", std::string(down ? "h2d" : "d2h")},
                    {"by", by},
                    {"memory", std::string("pinned")}};
    } else if ((both || name_.starts_with("device_to_device_memcpy_")) && read != write) {
      point.case_name = "offload.cuda.peer_copy";
      point.axes = {{"from", read ? column : row},
                    {"to", read ? row : column},
                    {"bytes", default_bytes},
                    {"by", by},
                    {"on", std::string(read ? "target" : "source")},
                    {"ways", std::string(both ? "both" : "one")}};
    } else {
      if (is_matrix())
        point.axes = {{"row", row}, {"column", column}};
      else
        point.axes = {{"gpu", column}};
      if (!is_latency()) point.axes.emplace_back("bytes", default_bytes);
    }
  }

  void add_cell(std::size_t row, std::size_t column) {
    const std::string& cell = test_.rows[row][column];
    const bool diagonal = is_matrix() && row == column;
    if (cell == "N/A" && diagonal) return;
    PeerPoint point = outline();
    put_case(point, static_cast<std::int64_t>(row), static_cast<std::int64_t>(column));
    if (row < test_.row_lines.size()) point.line = test_.row_lines[row];
    point.statistic = "median of " + std::to_string(default_samples);
    point.executions = default_samples;
    point.conditions.emplace_back("assumed",
                                  "512 MiB a copy and 3 samples, the tool's defaults: it prints neither");
    const auto number = printed_number(cell);
    if (cell == "N/A") {
      point.status = Status::unsupported;
      point.reason = "N/A";
    } else if (!number || !(number->value > 0)) {
      point.status = Status::failed;
      point.reason = fmt::format("'{}' in place of a rate", cell.substr(0, 40));
    } else {
      point.value = number->value;
      point.verification = Verification::Result::right;
    }
    findings_.points.push_back(std::move(point));
  }

  /// A latency's sum means nothing, and is one nonetheless.
  std::string fault_of_sum() const {
    const auto printed = printed_number(test_.sum);
    if (!printed) return "";
    PrintedNumber own{};
    for (const auto& row : test_.rows)
      for (const std::string& cell : row)
        if (const auto number = printed_number(cell))
          own.value += number->value, own.half_digit += number->half_digit;
    constexpr double tolerance = 1e-5;
    if (may_be_equal(own, *printed, tolerance)) return "";
    return fmt::format("{}: the cells add up to {:.6g}, not to the printed sum {}: the test was left out",
                       test_.name, own.value, test_.sum);
  }

  const NvbandwidthTest& test_;
  std::string_view name_;
  const PeerPoint& outline_;
  Findings& findings_;
};

}  // namespace

void add_nvbandwidth_test(const NvbandwidthTest& test, const PeerPoint& outline, Findings& findings) {
  NvbandwidthPoints(test, outline, findings).add();
}

}  // namespace assay::results::peers

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/export/nccl_tuner_points.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "harness/core/in_order.hpp"
#include "harness/core/names.hpp"
#include "results/store/repetitions.hpp"

namespace assay::results {
namespace {

using NcclRecords = std::vector<std::pair<NcclPoint, StoredPoint>>;

constexpr std::array algorithms{"tree",      "ring", "collnet_direct", "collnet_chain", "nvls",
                                "nvls_tree", "pat"};
constexpr std::array protocols{"ll", "ll128", "simple"};
constexpr std::array not_of_a_setting{"bytes", "algorithm", "protocol", "registered"};

std::string lower_case(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

template <class Words>
bool has(const Words& words, const std::string& word) {
  return std::ranges::find(words, word) != words.end();
}

/// The choice that a record says it ran; a word that the plug-in lacks counts as unknown.
NcclChoice ran_of(const PointRecord& record) {
  return {lower_case(field_text(record.conditions, {core::names::nccl_algorithm})),
          lower_case(field_text(record.conditions, {core::names::nccl_protocol})),
          field_integer(record.conditions, {core::names::nccl_channels}).value_or(0)};
}

NcclScope scope_of(const StoredPoint& point, const PointRecord& record) {
  return {point.benchmark(), field_integer(record.conditions, {core::names::nodes}).value_or(0),
          field_integer(record.conditions, {core::names::ranks}).value_or(0),
          field_integer(point.axes, {"registered"}).value_or(0)};
}

/// Empty: the record may decide a row.
std::string why_left_out(const StoredPoint& point, const PointRecord& record) {
  if (point.status != Status::ok) return "not ok";
  if (tuner_word(point.benchmark()).empty()) return "of an operation that NCCL asks its tuner nothing about";
  if (!field_text(record.conditions, {core::names::not_a_performance_measurement}).empty())
    return "stamped not_a_performance_measurement";
  const std::string algorithm = field_text(point.axes, {"algorithm"}),
                    protocol = field_text(point.axes, {"protocol"});
  if (!has(algorithms, algorithm) || !has(protocols, protocol))
    return "with the algorithm or the protocol left to NCCL";
  const NcclChoice ran = ran_of(record);
  if (!has(algorithms, ran.algorithm) || !has(protocols, ran.protocol) || ran.channels < 1)
    return "without a record of the algorithm, protocol and channels that ran";
  if (ran.algorithm != algorithm || ran.protocol != protocol) return "that ran something else than asked";
  const NcclScope scope = scope_of(point, record);
  if (scope.nodes < 1 || scope.ranks < 2) return "without a number of nodes, or of one rank";
  if (field_integer(point.axes, {"bytes"}).value_or(0) < 1 || !(point.time_s > 0))
    return "without a size or a time";
  return "";
}

std::string setting_of(const Fields& axes) {
  std::string text;
  for (const auto& [name, value] : axes)
    if (!has(not_of_a_setting, name)) text += (text.empty() ? "" : " ") + name + "=" + scalar_text(value);
  return text;
}

/// Repetitions that ran the same are one point.
std::vector<NcclPoint> joined(const NcclRecords& records) {
  core::InOrder<std::tuple<std::string, std::string, NcclScope, NcclChoice>, NcclRecords> groups;
  for (const auto& record : records)
    groups[{record.second.case_name, record.second.key, record.first.scope, record.first.choice}].push_back(
        record);
  std::vector<NcclPoint> points;
  for (const auto& [key, group] : groups) {
    std::vector<StoredPoint> repetitions;
    for (const auto& [point, stored] : group) repetitions.push_back(stored);
    const StoredPoint all = combine_repetitions(std::move(repetitions)).front();
    NcclPoint& point = points.emplace_back(group.front().first);
    point.time_s = all.time_s, point.lower_s = all.lower_s, point.upper_s = all.upper_s;
  }
  return points;
}

/// The setting that most records of each operation and communicator have; the first one, where several do.
std::map<NcclScope, std::string> commonest_settings(const NcclRecords& records) {
  std::map<NcclScope, std::map<std::string, std::int64_t>> counts;
  for (const auto& [point, stored] : records) ++counts[point.scope][point.setting];
  std::map<NcclScope, std::string> commonest;
  for (const auto& [scope, settings] : counts)
    commonest[scope] =
        std::ranges::max_element(settings, {}, [](const auto& setting) { return setting.second; })->first;
  return commonest;
}

}  // namespace

std::string tuner_word(const std::string& operation) {
  constexpr std::array asked{"broadcast", "reduce", "all_gather", "reduce_scatter", "all_reduce"};
  if (!has(asked, operation)) return "";
  std::string word = operation;
  std::erase(word, '_');
  return word;
}

NcclPoints nccl_points(const RunPoints& run) {
  NcclPoints all;
  NcclRecords records;
  for (const StoredPoint& stored : run.rows("collectives.nccl.*")) {
    ++all.records;
    const PointRecord& record = run.record(stored.id);
    if (const std::string why = why_left_out(stored, record); !why.empty()) {
      ++all.left_out[why];
      continue;
    }
    records.push_back({{.scope = scope_of(stored, record),
                        .bytes = *field_integer(stored.axes, {"bytes"}),
                        .setting = setting_of(stored.axes),
                        .choice = ran_of(record),
                        .nccl_version = field_text(record.conditions, {core::names::nccl_version})},
                       stored});
  }
  const auto settings = commonest_settings(records);
  const auto of_another = std::erase_if(
      records, [&](const auto& record) { return settings.at(record.first.scope) != record.first.setting; });
  if (of_another > 0)
    all.left_out["of a less common setting (other axes) of their operation"] =
        static_cast<std::int64_t>(of_another);
  all.used = static_cast<std::int64_t>(records.size());
  all.usable = joined(records);
  return all;
}

}  // namespace assay::results

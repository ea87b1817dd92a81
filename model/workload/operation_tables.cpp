// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/workload/operation_tables.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

#include "harness/training/rank_groups.hpp"
#include "harness/training/step_file.hpp"

namespace assay::model::workload {
namespace {

using Kind = results::Column::Kind;
using training::StepOperation;
using training::Traffic;

struct SameOperations {
  const StepOperation* one = nullptr;
  double times = 0, compute_s = 0;  // of all
  bool next_to_compute = false;
};

std::vector<SameOperations> same_operations(const training::TrainingStep& step) {
  std::vector<SameOperations> all;
  std::map<std::tuple<std::string, Traffic, std::string, double>, std::size_t> places;
  const std::vector<bool> next_to_compute = training::runs_next_to_compute(step);
  for (std::size_t stream = 0; stream < step.streams.size(); ++stream)
    for (const StepOperation& one : step.streams[stream].operations) {
      const std::string groups =
          one.traffic == Traffic::none ? "" : one.groups;  // compute of all ranks together
      const auto [place, is_new] = places.try_emplace({one.name, one.traffic, groups, one.bytes}, all.size());
      if (is_new) all.push_back({.one = &one});
      SameOperations& same = all[place->second];
      same.times += one.times;
      same.compute_s += one.times * one.compute_s;
      same.next_to_compute =
          same.next_to_compute || (one.traffic != Traffic::none && next_to_compute[stream]);
    }
  return all;
}

}  // namespace

results::Table operation_table(const training::TrainingStep& step) {
  results::Table table{.title = "Operations of a step",
                       .columns = {{"operation", "", Kind::text},
                                   {"kind", "", Kind::word},
                                   {"among", "", Kind::word},
                                   {"groups", "", Kind::count},
                                   {"of ranks", "", Kind::count},
                                   {"bytes", "", Kind::bytes},
                                   {"compute", "us", Kind::number},
                                   {"times", "", Kind::count},
                                   {"may overlap", "", Kind::word}}};
  for (const SameOperations& same : same_operations(step)) {
    const StepOperation& one = *same.one;
    std::vector<results::Cell> row{one.name, std::string(training::traffic_words.of(one.traffic))};
    if (one.traffic == Traffic::none) {
      row.insert(row.end(), {std::monostate(), std::monostate(), std::monostate(), std::monostate(),
                             results::Number{1e6 * same.compute_s / same.times}});
    } else {
      const auto groups = training::rank_groups(training::group_texts(one.groups), step.ranks);
      row.insert(row.end(),
                 {one.among.empty() ? results::Cell() : results::Cell(one.among),
                  static_cast<std::int64_t>(groups.size()), static_cast<std::int64_t>(groups.front().size()),
                  std::llround(one.bytes), std::monostate()});
    }
    row.emplace_back(std::llround(same.times));
    row.emplace_back(one.traffic == Traffic::none ? results::Cell()
                                                  : results::Cell(same.next_to_compute ? "yes" : "no"));
    table.rows.push_back(std::move(row));
  }
  return table;
}

results::Table size_table(const training::TrainingStep& step) {
  struct Bin {
    double times = 0, bytes = 0;
  };
  std::map<std::pair<int, Traffic>, Bin> bins;
  double all = 0;
  for (const training::StepStream& stream : step.streams)
    for (const StepOperation& one : stream.operations) {
      if (one.traffic == Traffic::none) continue;
      Bin& bin = bins[{std::max(0, std::ilogb(one.bytes)), one.traffic}];
      bin.times += one.times;
      bin.bytes += one.times * one.bytes;
      all += one.times * one.bytes;
    }
  results::Table table{.title = "Sizes",
                       .columns = {{"from", "", Kind::bytes},
                                   {"kind", "", Kind::word},
                                   {"times", "", Kind::count},
                                   {"bytes of all", "%", Kind::number}}};
  for (const auto& [key, bin] : bins)
    table.rows.push_back({std::int64_t{1} << key.first, std::string(training::traffic_words.of(key.second)),
                          std::llround(bin.times), results::Number{100 * bin.bytes / all}});
  return table;
}

}  // namespace assay::model::workload

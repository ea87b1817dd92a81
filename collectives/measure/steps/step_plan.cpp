// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/measure/steps/step_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "collectives/measure/bandwidth.hpp"
#include "harness/core/units.hpp"
#include "harness/training/rank_groups.hpp"
#include "harness/training/step_file.hpp"

namespace assay::collectives {
namespace {

using training::StepOperation;
using training::Traffic;

Operation operation_of(Traffic traffic) {
  switch (traffic) {
    case Traffic::all_gather:
      return Operation::all_gather;
    case Traffic::reduce_scatter:
      return Operation::reduce_scatter;
    case Traffic::all_to_all:
      return Operation::all_to_all;
    case Traffic::all_to_all_v:
      return Operation::all_to_all_v;
    case Traffic::broadcast:
      return Operation::broadcast;
    case Traffic::reduce:
      return Operation::reduce;
    case Traffic::pipeline:
    case Traffic::shift:
      return Operation::send_receive;
    case Traffic::all_reduce:
    case Traffic::none:
      break;
  }
  return Operation::all_reduce;
}

std::shared_ptr<const CountsMatrix> counts_of(const training::BytesMatrix& matrix, std::int64_t element) {
  std::vector<std::vector<std::int64_t>> rows;
  for (const std::vector<std::uint64_t>& row : matrix) {
    rows.emplace_back();
    for (const std::uint64_t bytes : row)
      rows.back().push_back((static_cast<std::int64_t>(bytes) + element - 1) / element);
  }
  return std::make_shared<const CountsMatrix>(std::move(rows));
}

/// Makes the parts of an operation, one of each group.
class PartMaker {
 public:
  PartMaker(const training::TrainingStep& step, const std::vector<int>& node_of, DataType type,
            StepBlocks blocks)
      : step_(step), node_of_(node_of), element_(bytes_of(type)), blocks_(blocks) {}

  /// Operations of one key have equal parts.
  using Key = std::tuple<Traffic, std::string, double, std::shared_ptr<const training::BytesMatrix>>;
  static Key key_of(const StepOperation& one) { return {one.traffic, one.groups, one.bytes, one.matrix}; }

  std::vector<RankGroup> groups(const StepOperation& one) const {
    std::vector<RankGroup> groups;
    for (const training::RankGroup& group :
         training::rank_groups(training::group_texts(one.groups), step_.ranks))
      groups.emplace_back(group.begin(), group.end());
    return groups;
  }

  StepPart part(const StepOperation& one, RankGroup members) const {
    Problem problem{.operation = operation_of(one.traffic), .ranks = static_cast<int>(members.size())};
    if (one.matrix)
      problem.counts = counts_of(*one.matrix, element_);
    else
      problem.count = count_of(one, problem);
    for (const int rank : members)
      if (!node_of_.empty()) problem.node_of.push_back(node_of_[static_cast<std::size_t>(rank)]);
    check(problem);
    return {.members = std::move(members), .problem = std::move(problem)};
  }

 private:
  std::int64_t count_of(const StepOperation& one, const Problem& problem) const {
    const std::int64_t count = (std::llround(one.bytes) + element_ - 1) / element_;
    const bool has_blocks =
        problem.operation == Operation::all_gather || problem.operation == Operation::reduce_scatter;
    if (blocks_ == StepBlocks::as_stated || !has_blocks) return count;
    return (count + problem.ranks - 1) / problem.ranks * problem.ranks;
  }

  const training::TrainingStep& step_;
  const std::vector<int>& node_of_;
  std::int64_t element_;
  StepBlocks blocks_;
};

class StepPlanner {
 public:
  StepPlanner(const training::TrainingStep& step, int rank, const PartMaker& maker)
      : step_(step), rank_(rank), maker_(maker) {}

  StepPlan plan() {
    plan_.compute_path_s = training::compute_path_s(step_);
    std::map<std::string, std::size_t> places;
    for (const training::StepStream& stream : step_.streams) {
      std::vector<std::size_t>& after = plan_.after.emplace_back();
      for (const std::string& name : stream.after) after.push_back(places.at(name));
      places[stream.name] = plan_.after.size() - 1;
    }
    for (const training::Issued& issued : training::issue_order(step_)) {
      const StepOperation& one = step_.streams[issued.stream].operations[issued.operation];
      StepAction action{.stream = issued.stream, .compute_s = computes(one) ? one.compute_s : 0};
      if (one.traffic != Traffic::none) {
        action.part = part_of(one);
        plan_.has_pipeline = plan_.has_pipeline || one.traffic == Traffic::pipeline;
        if (action.part >= 0) ++plan_.parts[static_cast<std::size_t>(action.part)].times;
      }
      plan_.actions.push_back(action);
    }
    return std::move(plan_);
  }

 private:
  /// An operation is issued many times, and its ranks are read once.
  bool computes(const StepOperation& one) {
    if (one.traffic != Traffic::none || one.groups.empty()) return true;
    const auto [known, is_new] = computes_.try_emplace(one.groups, false);
    if (is_new) {
      const training::RankGroup ranks = training::listed_ranks(one.groups, step_.ranks);
      known->second = std::ranges::find(ranks, static_cast<std::uint32_t>(rank_)) != ranks.end();
    }
    return known->second;
  }

  int part_of(const StepOperation& one) {
    const auto [known, is_new] = numbers_.try_emplace(PartMaker::key_of(one), -1);
    if (!is_new) return known->second;
    for (RankGroup& group : maker_.groups(one))
      if (std::ranges::find(group, rank_) != group.end()) {
        known->second = static_cast<int>(plan_.parts.size());
        plan_.parts.push_back(maker_.part(one, std::move(group)));
      }
    return known->second;
  }

  const training::TrainingStep& step_;
  int rank_;
  PartMaker maker_;
  std::map<PartMaker::Key, int> numbers_;
  std::map<std::string, bool> computes_;  // by the ranks that do
  StepPlan plan_;
};

}  // namespace

StepPlan step_plan(const training::TrainingStep& step, int rank, const std::vector<int>& node_of,
                   DataType type, StepBlocks blocks) {
  return StepPlanner(step, rank, PartMaker(step, node_of, type, blocks)).plan();
}

std::vector<StepPart> parts_of_all_ranks(const training::TrainingStep& step, const std::vector<int>& node_of,
                                         DataType type, StepBlocks blocks) {
  const PartMaker maker(step, node_of, type, blocks);
  std::set<PartMaker::Key> seen;
  std::vector<StepPart> parts;
  for (const training::Issued& issued : training::issue_order(step)) {
    const StepOperation& one = step.streams[issued.stream].operations[issued.operation];
    if (one.traffic == Traffic::none || !seen.insert(PartMaker::key_of(one)).second) continue;
    for (RankGroup& group : maker.groups(one)) parts.push_back(maker.part(one, std::move(group)));
  }
  return parts;
}

double counted_bytes(const StepPlan& plan, DataType type) {
  double bytes = 0;
  for (const StepPart& part : plan.parts) bytes += part.times * counted_bytes(part.problem, bytes_of(type));
  return bytes;
}

double bus_bytes(const Problem& problem, DataType type) {
  if (const auto factor = busbw_factor(problem.operation, problem.ranks))
    return *factor * counted_bytes(problem, bytes_of(type));
  std::int64_t most = 0;
  for (int rank = 0; problem.counts && rank < problem.ranks; ++rank)
    most = std::max(most, problem.counts->sent_by(rank) - problem.counts->at(rank, rank));
  return static_cast<double>(most * bytes_of(type));
}

std::string sizes_text(const StepPlan& plan, DataType type) {
  std::map<std::pair<int, Operation>, double> bins;
  for (const StepPart& part : plan.parts)
    bins[{std::max(0, std::ilogb(counted_bytes(part.problem, bytes_of(type)))), part.problem.operation}] +=
        part.times;
  std::string text;
  for (const auto& [bin, times] : bins)
    text += fmt::format("{}{}: {:.0f} {}", text.empty() ? "" : ", ",
                        core::format_bytes(std::int64_t{1} << bin.first), times, to_text(bin.second));
  return text;
}

double buffer_bytes(const StepPlan& plan, int rank, DataType type) {
  double bytes = 0;
  for (const StepPart& part : plan.parts) {
    const auto place = std::ranges::find(part.members, rank) - part.members.begin();
    const Shape shape = shape_of(part.problem, static_cast<int>(place));
    bytes += static_cast<double>((shape.input + shape.output) * bytes_of(type));
  }
  return bytes;
}

std::optional<std::string> too_many_buffers(const StepPlan& plan, DataType type) {
  constexpr double most_bytes = 2.0 * core::gib;
  const double bytes = buffer_bytes(plan, 0, type);
  if (bytes <= most_bytes) return std::nullopt;
  return fmt::format("buffers of a rank take {:.1f} GB: expected at most 2 GiB", 1e-9 * bytes);
}

}  // namespace assay::collectives

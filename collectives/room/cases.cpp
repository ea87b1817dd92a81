// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/room/cases.hpp"

#include <fmt/format.h>

#include <map>

#include "collectives/mpi/mpi_operation.hpp"
#include "collectives/mpi/mpi_transport.hpp"
#include "collectives/room/bandwidth.hpp"
#include "collectives/room/collective_trial.hpp"
#include "collectives/transport/socket_mesh.hpp"
#include "collectives/transport/thread_transport.hpp"
#include "harness/core/error.hpp"
#include "harness/team/rendezvous.hpp"

namespace assay::collectives {
namespace {

using core::Axis;
using core::Domain;
using core::Point;
using core::Value;

// Shorter than the 20 s that a team waits for a rank's answer: so it is told who was late.
constexpr double transfer_limit_s = 15;

// Many operations back to back in one sample, as IMB times them, and long beside the order that starts it.
constexpr double sample_s = 10e-3;
constexpr const char* no_mpi =
    "no rank was started by MPI: run mpirun -n N assay-collectives, with a build that has MPI";

enum class BackEnd { assay, mpi };

struct CaseMaker {
  int ranks = 1;
  std::vector<int> node_of;
  std::shared_ptr<const CountsMatrix> matrix;
  team::Team* team = nullptr;  // none: the cases are only declared

  core::Case make(BackEnd back_end, Operation operation) const;
  Problem problem(Operation operation, const Point& point) const {
    return problem_of(point, operation, ranks, node_of, matrix);
  }
};

Axis words(const std::string& name, const std::string& meaning, const std::vector<Value>& values,
           std::vector<std::string> choices) {
  return {name, meaning, Domain::words, values, std::move(choices)};
}

Axis algorithm_axis(Operation operation) {
  Axis axis = words("algorithm", "of our own, over send, receive and wait", {}, {});
  for (const Algorithm& row : algorithms())
    if (row.operation == operation) {
      axis.values.emplace_back(std::string(row.name));
      axis.choices.emplace_back(row.name);
    }
  return axis;
}

template <class T>
std::vector<std::string> names_of(const std::vector<T>& all) {
  std::vector<std::string> names;
  for (const T one : all) names.emplace_back(to_text(one));
  return names;
}

std::vector<Axis> axes_of(BackEnd back_end, Operation operation) {
  std::vector<Axis> axes;
  if (back_end == BackEnd::assay) axes.push_back(algorithm_axis(operation));
  if (operation == Operation::barrier) return axes;
  const std::vector<Value> sizes{std::int64_t{8}, std::int64_t{1} << 10, std::int64_t{1} << 16,
                                 std::int64_t{1} << 20};
  if (operation != Operation::all_to_all_v)
    axes.push_back({"bytes", "of the larger buffer of a rank: all blocks together", Domain::sizes, sizes});
  axes.push_back(words("dtype", "data type", {std::string("float32")}, names_of(data_types())));
  if (reduces(operation))
    axes.push_back(words("operator", "of the reduction", {std::string("sum")}, names_of(operators())));
  const bool only_in_place = back_end == BackEnd::mpi && operation == Operation::broadcast;
  axes.push_back({"in_place",
                  "1: input and output share a buffer",
                  Domain::integers,
                  {std::int64_t{only_in_place ? 1 : 0}}});
  if (has_root(operation)) axes.push_back({"root", "rank", Domain::integers, {std::int64_t{0}}});
  return axes;
}

Content content_of(const Point& point) {
  Content content{.seed = 1};
  if (point.has("dtype")) content.type = data_type_from(point.text("dtype"));
  if (point.has("operator")) content.reduction = operator_from(point.text("operator"));
  return content;
}

/// As team_from_environment decides.
bool started_by_mpi() {
  const team::Environment environment = team::environment_of_this_process();
  if (team::torchrun_rendezvous(environment)) return false;
  return environment("OMPI_COMM_WORLD_SIZE") != nullptr || environment("PMIX_RANK") != nullptr;
}

std::optional<std::string> why_not(BackEnd back_end, const CaseMaker& maker, Operation operation,
                                   const Point& point) {
  if (operation == Operation::all_to_all_v && !maker.matrix)
    return "no traffic matrix: give --traffic-matrix FILE";
  const Problem problem = maker.problem(operation, point);
  if (back_end == BackEnd::mpi && !started_by_mpi()) return no_mpi;
  const std::string reason = back_end == BackEnd::mpi
                                 ? why_not_mpi(problem)
                                 : algorithm(operation, point.text("algorithm")).illegal(problem);
  return reason.empty() ? std::nullopt : std::optional(reason);
}

/// MPI's point to point where MPI started the ranks, else sockets.
CollectiveTrial::Parts connect(team::Team& team, const MpiDataCalls* mpi) {
  if (mpi != nullptr) return {make_mpi_transport(*mpi, transfer_limit_s), "mpi", nullptr};
  if (team.size() == 1) return {std::move(make_thread_transports(1).front()), "none", nullptr};
  return {make_socket_mesh(team, transfer_limit_s), "sockets", nullptr};
}

std::unique_ptr<core::Trial> prepare(BackEnd back_end, const CaseMaker& maker, Operation operation,
                                     const Point& point) {
  const Problem problem = maker.problem(operation, point);
  const Content content = content_of(point);
  const MpiDataCalls* mpi = mpi_data_calls();
  if (back_end == BackEnd::mpi && mpi == nullptr)
    throw core::Unsupported(
        core::ErrorKind::mpi,
        "no rank was started by MPI: run mpirun -n N assay-collectives, with a build that has MPI");
  CollectiveTrial::Parts parts = connect(*maker.team, mpi);
  parts.runner = back_end == BackEnd::mpi ? make_mpi_runner(*mpi, problem, content, maker.team->rank())
                                          : make_assay_runner(algorithm(operation, point.text("algorithm")),
                                                              problem, content, *parts.transport);
  return std::make_unique<CollectiveTrial>(*maker.team, problem, content, std::move(parts));
}

core::Work work_of(const CaseMaker& maker, Operation operation, const Point& point) {
  if (operation == Operation::all_to_all_v && !maker.matrix) return {};
  const Problem problem = maker.problem(operation, point);
  return {.bytes = counted_bytes(problem, bytes_of(content_of(point).type)),
          .bytes_counted = operation == Operation::all_to_all_v
                               ? "what the rank that sends most sends, once"
                               : "the larger buffer of a rank, once (S of algbw)"};
}

core::Case CaseMaker::make(BackEnd back_end, Operation operation) const {
  const std::string name(to_text(operation));
  core::Case made;
  made.name = (back_end == BackEnd::mpi ? "collectives.mpi." : "collectives.assay.") + name;
  made.measures = back_end == BackEnd::mpi ? name + " by MPI itself, on host memory"
                                           : name + " by algorithms of our own, on host memory";
  made.headline = core::Headline::time_us;
  made.min_sample_seconds = sample_s;
  made.axes = axes_of(back_end, operation);
  made.work = [maker = *this, operation](const Point& point) { return work_of(maker, operation, point); };
  made.unsupported = [maker = *this, back_end, operation](const Point& point) {
    return why_not(back_end, maker, operation, point);
  };
  made.prepare = [maker = *this, back_end, operation](const Point& point) {
    return prepare(back_end, maker, operation, point);
  };
  return made;
}

std::vector<core::Case> all_cases(const CaseMaker& maker) {
  std::vector<core::Case> all;
  for (const BackEnd back_end : {BackEnd::assay, BackEnd::mpi})
    for (const Operation operation : operations()) all.push_back(maker.make(back_end, operation));
  return all;
}

std::vector<int> nodes_in_turn(int ranks, int ranks_per_node) {
  std::vector<int> node_of;
  for (int rank = 0; rank < ranks && ranks_per_node > 0; ++rank) node_of.push_back(rank / ranks_per_node);
  return node_of;
}

std::vector<int> nodes_by_host(const team::Team& team) {
  std::map<std::string, int> nodes;
  std::vector<int> node_of;
  for (int rank = 0; rank < team.size(); ++rank)
    node_of.push_back(nodes.try_emplace(team.host_of(rank), static_cast<int>(nodes.size())).first->second);
  return node_of;
}

}  // namespace

Problem problem_of(const Point& point, Operation operation, int ranks, const std::vector<int>& node_of,
                   std::shared_ptr<const CountsMatrix> matrix) {
  Problem problem{.operation = operation, .ranks = ranks, .node_of = node_of};
  if (operation == Operation::all_to_all_v) problem.counts = std::move(matrix);
  if (point.has("bytes")) {
    const std::int64_t bytes = point.integer("bytes"), element = bytes_of(content_of(point).type);
    if (bytes < 0 || bytes % element != 0)
      core::usage_error(fmt::format("bytes={}: expected a multiple of {}, the size of {}", bytes, element,
                                    to_text(content_of(point).type)));
    problem.count = bytes / element;
  }
  if (point.has("root")) problem.root = static_cast<int>(point.integer("root"));
  if (point.has("in_place")) {
    const std::int64_t in_place = point.integer("in_place");
    if (in_place != 0 && in_place != 1)
      core::usage_error(fmt::format("in_place={}: expected 0 or 1", in_place));
    problem.in_place = in_place == 1;
  }
  check(problem);
  return problem;
}

std::vector<core::Case> declared_cases(const RoomSettings& settings, int ranks) {
  return all_cases({.ranks = ranks,
                    .node_of = nodes_in_turn(ranks, settings.ranks_per_node),
                    .matrix = matrix_of(settings)});
}

std::vector<core::Case> cases(const RoomSettings& settings, team::Team& team) {
  return all_cases({.ranks = team.size(),
                    .node_of = settings.ranks_per_node > 0
                                   ? nodes_in_turn(team.size(), settings.ranks_per_node)
                                   : nodes_by_host(team),
                    .matrix = matrix_of(settings),
                    .team = &team});
}

}  // namespace assay::collectives

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/measure/cases.hpp"

#include <map>
#include <utility>

#include "collectives/measure/axes.hpp"
#include "collectives/measure/bandwidth.hpp"
#include "collectives/measure/collective_trial.hpp"
#include "collectives/measure/point_problems.hpp"
#include "collectives/mpi/mpi_operation.hpp"
#include "collectives/mpi/mpi_transport.hpp"
#include "collectives/nccl/nccl_back_end.hpp"
#include "collectives/nccl/nccl_limits.hpp"
#include "collectives/transport/group_transport.hpp"
#include "collectives/transport/socket_mesh.hpp"
#include "collectives/transport/thread_transport.hpp"
#include "collectives/watch/noting_transport.hpp"
#include "collectives/watch/watch_post.hpp"
#include "harness/core/error.hpp"
#include "harness/team/agree.hpp"
#include "harness/team/member_connections.hpp"
#include "harness/team/rendezvous.hpp"

namespace assay::collectives {
namespace {

using core::Point;

// Many operations back to back in one sample, as IMB times them, and long beside the order that starts it.
constexpr double sample_s = 10e-3;
constexpr const char* no_mpi =
    "no rank was started by MPI: run mpirun -n N assay-collectives, with a build that has MPI";

struct CaseMaker {
  Surroundings around;
  double hang_limit_s = 15;
  bool ranks_share_gpu = false;
  team::Team* team = nullptr;  // none: the cases are only declared
  std::shared_ptr<WatchPost> post = {};
  HangWatch* watch = nullptr;  // at rank 0

  core::Case make(BackEnd back_end, Operation operation) const;
};

/// As team_from_environment decides.
bool started_by_mpi() {
  const team::Environment environment = team::environment_of_this_process();
  if (team::torchrun_rendezvous(environment)) return false;
  return environment("OMPI_COMM_WORLD_SIZE") != nullptr || environment("PMIX_RANK") != nullptr;
}

const Algorithm& algorithm_of(const Point& point, Operation operation) {
  return algorithm(operation, point.text("algorithm"));
}

std::string why_not_solved(BackEnd back_end, const Problem& problem, const Point& point) {
  switch (back_end) {
    case BackEnd::mpi:
      return why_not_mpi(problem);
    case BackEnd::nccl:
      return why_not_nccl(problem, content_of(point), nccl_way_of(point));
    case BackEnd::assay_device:
      return why_not_scheduled(algorithm_of(point, problem.operation), problem, nccl_way_of(point));
    case BackEnd::assay:
      break;
  }
  return algorithm_of(point, problem.operation).illegal(problem);
}

std::optional<std::string> why_not_timed(const NcclWay& way, Between between) {
  if (between == Between::nothing || way.launch == Launch::blocking) return std::nullopt;
  return "between=barrier: nothing comes between iterations that run together, launch=blocking";
}

std::optional<std::string> why_not(BackEnd back_end, const Surroundings& around, Operation operation,
                                   const Point& point) {
  if (operation == Operation::all_to_all_v && !around.matrix)
    return "no traffic matrix: give --traffic-matrix FILE";
  const std::vector<RankGroup> groups = groups_of(point, around);
  if (auto reason = why_not_grouped(point, groups)) return reason;
  std::string reason;
  for (const RankGroup& group : groups) {
    const Problem problem = problem_of(point, operation, group, around);
    // The other groups' problems may still be bad input.
    if (reason.empty()) reason = why_not_solved(back_end, problem, point);
  }
  if (back_end == BackEnd::mpi && !started_by_mpi()) return no_mpi;
  if (!reason.empty()) return reason;
  if (!on_device(back_end)) return std::nullopt;
  if (auto untimed = why_not_timed(nccl_way_of(point), between_of(point))) return untimed;
  return why_no_nccl();
}

/// Every rank tells the others where its post is: the watch at rank 0 asks there.
void open_post(const CaseMaker& maker) {
  std::vector<PostPlace> places;
  const std::string& secret = maker.team->trust().secret;
  const PostPlace own = maker.post->begin_point(secret);
  for (const std::string& text : maker.team->gather(to_text(own), team::reply_limit_s)) {
    places.push_back(post_place_from(text));
    places.back().secret = secret;
  }
  if (maker.watch != nullptr) maker.watch->set_places(std::move(places));
}

/// MPI's point to point where MPI started the ranks, else sockets.
void connect(CollectiveTrial::Setup& setup, const CaseMaker& maker, const MpiDataCalls* mpi) {
  const std::atomic<bool>& given_up = maker.post->given_up();
  const bool alone = maker.team->size() == 1;
  setup.transport_name = mpi != nullptr ? "mpi" : alone ? "none" : "sockets";
  auto transport = mpi != nullptr ? make_mpi_transport(*mpi, maker.hang_limit_s, given_up)
                   : alone        ? std::move(make_thread_transports(1).front())
                                  : make_socket_mesh(*maker.team, maker.hang_limit_s, given_up);
  setup.transport = std::make_unique<NotingTransport>(std::move(transport), maker.post->ring());
  setup.post = maker.post;
}

/// What runs a point's operations: MPI or NCCL, where either is asked for.
struct Libraries {
  const MpiDataCalls* mpi = nullptr;
  std::unique_ptr<NcclWorld> nccl = {};
};

/// Every rank opens every group's communicator, in the same order.
std::unique_ptr<Runner> make_runner(const Libraries& libraries, BackEnd back_end, const Point& point,
                                    const CollectiveTrial::Setup& setup, std::size_t group,
                                    Transport* among_group) {
  const RankGroup& members = setup.groups[group];
  const Problem& problem = setup.problems[group];
  const Content content = content_of(point);
  if (on_device(back_end)) return libraries.nccl->make_runner(members, problem, content);
  const int communicator = back_end == BackEnd::mpi && setup.groups.size() > 1
                               ? open_mpi_group(*libraries.mpi, static_cast<int>(group), members)
                               : all_of_mpi;
  if (among_group == nullptr) return nullptr;
  if (back_end == BackEnd::mpi)
    return make_mpi_runner(*libraries.mpi, problem, content, among_group->rank(), communicator);
  return make_assay_runner(algorithm_of(point, problem.operation), problem, content, *among_group);
}

/// One group's part of this rank; of no runner and transport where the rank is not in the group.
GroupPart::Made make_part(const Libraries& libraries, BackEnd back_end, const Point& point,
                          const CollectiveTrial::Setup& setup, std::size_t group) {
  const RankGroup& members = setup.groups[group];
  GroupPart::Made made{.group = static_cast<int>(group),
                       .problem = setup.problems[group],
                       .transport = nullptr,
                       .runner = nullptr};
  if (std::ranges::find(members, setup.transport->rank()) != members.end())
    made.transport = std::make_unique<GroupTransport>(*setup.transport, members);
  made.runner = make_runner(libraries, back_end, point, setup, group, made.transport.get());
  return made;
}

std::unique_ptr<NcclWorld> join_nccl(CollectiveTrial::Setup& setup, const CaseMaker& maker, BackEnd back_end,
                                     Operation operation, const Point& point) {
  const NcclWay way = nccl_way_of(point);
  auto world = open_nccl(*maker.team,
                         {.way = way,
                          .operation = operation,
                          .algorithm = has_algorithms(back_end) ? &algorithm_of(point, operation) : nullptr,
                          .ranks_share_gpu = maker.ranks_share_gpu,
                          .hang_limit_s = maker.hang_limit_s,
                          .given_up = &maker.post->given_up()});
  setup.transport_name = "nccl";
  setup.time_counts = time_counts(way.launch);
  setup.conditions = world->facts();
  return world;
}

std::unique_ptr<core::Trial> prepare(BackEnd back_end, const CaseMaker& maker, Operation operation,
                                     const Point& point) {
  CollectiveTrial::Setup setup{.turns = turns_of(point), .between = between_of(point)};
  setup.groups = groups_of(point, maker.around);
  for (const RankGroup& group : setup.groups)
    setup.problems.push_back(problem_of(point, operation, group, maker.around));
  Libraries libraries{.mpi = mpi_data_calls()};
  if (back_end == BackEnd::mpi && libraries.mpi == nullptr)
    throw core::Unsupported(core::ErrorKind::mpi, no_mpi);
  open_post(maker);
  connect(setup, maker, libraries.mpi);
  if (on_device(back_end)) libraries.nccl = join_nccl(setup, maker, back_end, operation, point);
  for (std::size_t group = 0; group < setup.groups.size(); ++group) {
    GroupPart::Made made = make_part(libraries, back_end, point, setup, group);
    if (made.runner) setup.parts.push_back(std::move(made));
  }
  return std::make_unique<CollectiveTrial>(*maker.team, content_of(point), std::move(setup));
}

core::Work work_of(const Surroundings& around, Operation operation, const Point& point) {
  if (operation == Operation::all_to_all_v && !around.matrix) return {};
  const Problem problem = problem_of(point, operation, groups_of(point, around).front(), around);
  return {.bytes = counted_bytes(problem, bytes_of(content_of(point).type)),
          .bytes_counted = operation == Operation::all_to_all_v
                               ? "what the rank that sends most sends, once"
                               : "the larger buffer of a rank, once (S of algbw)"};
}

std::string_view name_of(BackEnd back_end) {
  switch (back_end) {
    case BackEnd::mpi:
      return "mpi";
    case BackEnd::nccl:
      return "nccl";
    case BackEnd::assay_device:
      return "assay_device";
    case BackEnd::assay:
      break;
  }
  return "assay";
}

std::string measured_by(BackEnd back_end) {
  switch (back_end) {
    case BackEnd::mpi:
      return " by MPI itself, on host memory";
    case BackEnd::nccl:
      return " by NCCL, on device memory";
    case BackEnd::assay_device:
      return " by algorithms of our own over NCCL's sends and receives, on device memory";
    case BackEnd::assay:
      break;
  }
  return " by algorithms of our own, on host memory";
}

core::Case CaseMaker::make(BackEnd back_end, Operation operation) const {
  const std::string name(to_text(operation));
  core::Case made;
  made.name = "collectives." + std::string(name_of(back_end)) + "." + name;
  made.measures = name + measured_by(back_end);
  made.headline = core::Headline::time_us;
  made.min_sample_seconds = sample_s;
  made.axes = axes_of(back_end, operation);
  made.work = [maker = *this, operation](const Point& point) {
    return work_of(maker.around, operation, point);
  };
  made.unsupported = [maker = *this, back_end, operation](const Point& point) {
    return why_not(back_end, maker.around, operation, point);
  };
  made.prepare = [maker = *this, back_end, operation](const Point& point) {
    return prepare(back_end, maker, operation, point);
  };
  return made;
}

std::vector<core::Case> all_cases(const CaseMaker& maker) {
  std::vector<core::Case> all;
  for (const BackEnd back_end : {BackEnd::assay, BackEnd::mpi, BackEnd::nccl, BackEnd::assay_device})
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

std::vector<core::Case> declared_cases(const ModuleSettings& settings, int ranks) {
  return all_cases({.around = {.ranks = ranks,
                               .node_of = nodes_in_turn(ranks, settings.ranks_per_node),
                               .matrix = matrix_of(settings)}});
}

std::vector<core::Case> cases(const ModuleSettings& settings, team::Team& team, HangWatch* watch) {
  return all_cases(
      {.around = {.ranks = team.size(),
                  .node_of = settings.ranks_per_node > 0 ? nodes_in_turn(team.size(), settings.ranks_per_node)
                                                         : nodes_by_host(team),
                  .matrix = matrix_of(settings)},
       .hang_limit_s = settings.hang_limit_s,
       .ranks_share_gpu = settings.ranks_share_gpu,
       .team = &team,
       .post = std::make_shared<WatchPost>(team.rank(), team::interface_among_members(team)),
       .watch = watch});
}

}  // namespace assay::collectives

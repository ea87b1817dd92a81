// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/measure/cases.hpp"

#include <algorithm>
#include <array>
#include <iostream>
#include <map>
#include <optional>
#include <utility>

#include "collectives/measure/axes.hpp"
#include "collectives/measure/bandwidth.hpp"
#include "collectives/measure/collective_settings.hpp"
#include "collectives/measure/collective_trial.hpp"
#include "collectives/measure/connected_ranks.hpp"
#include "collectives/measure/steps/step_case.hpp"
#include "collectives/mpi/mpi_operation.hpp"
#include "collectives/mpi/mpi_transport.hpp"
#include "collectives/nccl/nccl_back_end.hpp"
#include "collectives/nvlink_domain/domain_cases.hpp"
#include "collectives/overlap/nccl_overlap_cases.hpp"
#include "collectives/overlap/overlap_cases.hpp"
#include "collectives/pair/pair_cases.hpp"
#include "collectives/training/training_case.hpp"
#include "collectives/transport/group_transport.hpp"
#include "collectives/transport/transport.hpp"
#include "collectives/watch/watch_post.hpp"
#include "harness/core/error.hpp"
#include "harness/core/measure/case_of.hpp"
#include "harness/team/join/member_connections.hpp"

namespace assay::collectives {
namespace {

using core::Point;

// Many operations back to back in one sample, as IMB times them, and long compared with the order that starts
// it.
constexpr double sample_s = 10e-3;

/// The libraries that run a point's operations: MPI or NCCL, where either is asked for.
struct Libraries {
  const MpiDataCalls* mpi = nullptr;
  std::unique_ptr<NcclWorld> nccl = {};
};

/// Every rank opens every group's communicator, in the same order.
std::unique_ptr<Runner> make_runner(const Libraries& libraries, const CollectiveSettings& settings,
                                    std::size_t group, Transport* among_group) {
  const BackEnd back_end = settings.asked.back_end;
  const RankGroup& members = settings.groups[group];
  const Problem& problem = settings.problems[group];
  if (on_device(back_end)) return libraries.nccl->make_runner(members, problem, settings.content);
  const int communicator = back_end == BackEnd::mpi && settings.groups.size() > 1
                               ? open_mpi_group(*libraries.mpi, static_cast<int>(group), members)
                               : all_of_mpi;
  if (among_group == nullptr) return nullptr;
  if (back_end == BackEnd::mpi)
    return std::make_unique<MpiOperation>(*libraries.mpi, problem, settings.content.type,
                                          settings.content.reduction, among_group->rank(), communicator);
  return make_assay_runner(*settings.algorithm, problem, settings.content, *among_group);
}

/// One group's part of this rank; of no runner and transport where the rank is not in the group.
GroupPart::Made make_part(const Libraries& libraries, const CollectiveSettings& settings,
                          Transport& all_ranks, std::size_t group) {
  const RankGroup& members = settings.groups[group];
  GroupPart::Made made{.group = static_cast<int>(group),
                       .problem = settings.problems[group],
                       .transport = nullptr,
                       .runner = nullptr};
  if (std::ranges::find(members, all_ranks.rank()) != members.end())
    made.transport = std::make_unique<GroupTransport>(all_ranks, members);
  made.runner = make_runner(libraries, settings, group, made.transport.get());
  return made;
}

std::unique_ptr<NcclWorld> join_nccl(CollectiveTrial::Setup& setup, const CollectiveSettings& settings) {
  const CaseMaker& maker = settings.asked.maker;
  NcclWorldOptions options = nccl_options(maker);
  options.way = settings.way;
  options.operation = settings.asked.operation;
  options.algorithm = settings.algorithm;
  auto world = open_nccl(*maker.team, options);
  setup.transport_name = "nccl";
  setup.time_counts = time_counts(settings.way.launch);
  setup.conditions = world->facts();
  return world;
}

CollectiveTrial::Setup setup_of(const CollectiveSettings& settings) {
  const CaseMaker& maker = settings.asked.maker;
  CollectiveTrial::Setup setup{.groups = settings.groups,
                               .problems = settings.problems,
                               .turns = settings.turns,
                               .between = settings.between};
  Libraries libraries{.mpi = mpi_data_calls()};
  if (settings.asked.back_end == BackEnd::mpi && libraries.mpi == nullptr)
    throw core::Unsupported(core::ErrorKind::mpi, no_mpi);
  ConnectedRanks connected = connect_ranks(maker, libraries.mpi);
  setup.post = std::move(connected.post);
  setup.transport = std::move(connected.transport);
  setup.transport_name = std::move(connected.transport_name);
  if (on_device(settings.asked.back_end))
    libraries.nccl = join_nccl(setup, settings);
  else
    maker.kept_nccl->reset();  // its threads would be in the way
  for (std::size_t group = 0; group < setup.groups.size(); ++group) {
    GroupPart::Made made = make_part(libraries, settings, *setup.transport, group);
    if (made.runner) setup.parts.push_back(std::move(made));
  }
  return setup;
}

struct BackEndWords {
  std::string_view name, measured_by;
};

constexpr std::array<BackEndWords, 4> back_ends{
    {{"assay", " by assay's algorithms, on host memory"},
     {"mpi", " by MPI itself, on host memory"},
     {"nccl", " by NCCL, on device memory"},
     {"assay_device",
      " by assay's algorithms over NCCL's sends and receives, on device memory"}}};  // by BackEnd

const BackEndWords& words_of(BackEnd back_end) { return back_ends[static_cast<std::size_t>(back_end)]; }

class CollectiveCase : public CollectiveTrial {
 public:
  using Site = core::OwnClock;
  using Settings = CollectiveSettings;
  static constexpr core::Headline headline = core::Headline::time_us;
  static constexpr double min_sample_seconds = sample_s;

  static std::string name(const AskedCase& asked) {
    return "collectives." + std::string(words_of(asked.back_end).name) + "." +
           std::string(to_text(asked.operation));
  }
  static std::string measures(const AskedCase& asked) {
    return std::string(to_text(asked.operation)) + std::string(words_of(asked.back_end).measured_by);
  }
  static std::vector<core::Axis> axes(const AskedCase& asked) {
    return axes_of(asked.back_end, asked.operation);
  }
  static Settings settings(const Point& point, const AskedCase& asked) { return settings_of(point, asked); }
  static core::Work work(const Settings& settings) {
    if (settings.problems.empty()) return {};
    return {.bytes = counted_bytes(settings.problems.front(), bytes_of(settings.content.type)),
            .bytes_counted = settings.asked.operation == Operation::all_to_all_v
                                 ? "what the rank that sends most sends, once"
                                 : "the larger buffer of a rank, once (S of algbw)"};
  }
  static std::optional<std::string> impossible(const Settings& settings) { return settings.impossible; }
  static std::optional<std::string> not_built(const Settings& settings) {
    const BackEnd back_end = settings.asked.back_end;
    return on_device(back_end) ? nccl_not_built() : back_end == BackEnd::mpi ? mpi_not_built() : std::nullopt;
  }
  static std::optional<std::string> unsupported(const Settings& settings) { return why_not(settings); }

  CollectiveCase(const Settings& settings, Site&)
      : CollectiveTrial(*settings.asked.maker.team, settings.content, setup_of(settings)) {}
};

std::vector<core::Case> all_cases(const CaseMaker& maker) {
  std::vector<core::Case> all;
  for (const BackEnd back_end : {BackEnd::assay, BackEnd::mpi, BackEnd::nccl, BackEnd::assay_device})
    for (const Operation operation : operations())
      all.push_back(core::case_of<CollectiveCase>(AskedCase{maker, back_end, operation}));
  for (core::Case& one : overlap_cases(maker)) all.push_back(std::move(one));
  for (core::Case& one : nccl_overlap_cases(maker)) all.push_back(std::move(one));
  for (core::Case& one : pair_cases(maker)) all.push_back(std::move(one));
  for (core::Case& one : domain_cases(maker)) all.push_back(std::move(one));
  for (core::Case& one : step_cases(maker)) all.push_back(std::move(one));
  all.push_back(training_case(maker));
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
                               .matrix = matrix_of(settings),
                               .step = step_of(settings)}});
}

std::vector<core::Case> cases(const ModuleSettings& settings, team::Team& team, HangWatch* watch) {
  const auto step = step_of(settings);
  if (step && team.rank() == 0)
    for (const std::string& key : step->unused) std::cerr << "assay-collectives: " << key << "\n";
  return all_cases(
      {.around = {.ranks = team.size(),
                  .node_of = settings.ranks_per_node > 0 ? nodes_in_turn(team.size(), settings.ranks_per_node)
                                                         : nodes_by_host(team),
                  .matrix = matrix_of(settings),
                  .step = step},
       .hang_limit_s = settings.hang_limit_s,
       .ranks_share_gpu = settings.ranks_share_gpu,
       .team = &team,
       .post = std::make_shared<WatchPost>(team.rank(), team::interface_among_members(team)),
       .watch = watch,
       .kept_nccl = std::make_shared<KeptSlot>()});
}

}  // namespace assay::collectives

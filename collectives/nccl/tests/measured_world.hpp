// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Whole points by NCCL's back end, from the team to what a record tells, on ranks that are threads.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "collectives/measure/collective_trial.hpp"
#include "collectives/nccl/nccl_world.hpp"
#include "collectives/nccl/tests/fake_ranks.hpp"
#include "collectives/transport/group_transport.hpp"
#include "collectives/transport/transport.hpp"
#include "harness/core/error.hpp"
#include "harness/core/measure/measure.hpp"

namespace assay::collectives {

class Reported final : public RanSource {
 public:
  explicit Reported(RanCollective ran) : ran_(std::move(ran)) {}
  std::optional<RanCollective> latest() override { return ran_; }

 private:
  RanCollective ran_;
};

struct How {
  NcclWay way = {};
  const Algorithm* algorithm = nullptr;
  Problem problem = {.operation = Operation::all_reduce, .ranks = 3, .count = 30};
  std::vector<RankGroup> groups = {{0, 1, 2}};
  std::shared_ptr<RanSource> ran = {};
  int devices = 8;
  bool share = false;
  bool complete = true;  // the library
  bool makes_windows = true;
  bool spoils = false;    // rank 1's GPU, what it gives back
  int failing_rank = -1;  // whose GPU cannot be opened
  bool hangs = false;     // every GPU
  double hang_limit_s = 15;
  std::vector<NcclWay> ways_before = {};  // of points that run first, to completion
};

struct Seen {
  core::Timing timing;
  core::Verification verification;
  std::map<std::string, std::string> facts;
  std::string failure;
  bool unsupported = false;
};

inline std::map<std::string, std::string> as_texts(const std::vector<core::Fact>& facts) {
  std::map<std::string, std::string> texts;
  for (const auto& [name, value] : facts)
    if (const auto* text = std::get_if<std::string>(&value))
      texts[name] = *text;
    else if (const auto* number = std::get_if<std::int64_t>(&value))
      texts[name] = std::to_string(*number);
  return texts;
}

inline NcclParts parts_of(const How& how, const nccl::Calls& calls, int rank) {
  NcclParts parts{.calls = &calls, .library = "the fake", .visible_devices = how.devices};
  parts.describe = [](int device) {
    return RankGpu{.host = {},
                   .pci_address = "0000:0" + std::to_string(device) + ":00.0",
                   .device = device,
                   .name = "no GPU at all"};
  };
  parts.open = [&how, rank](int) -> std::shared_ptr<Accelerator> {
    if (rank == how.failing_rank) throw core::Error(core::ErrorKind::cuda, "out of memory");
    std::shared_ptr<FakeAccelerator> gpu = std::make_shared<FakeAccelerator>();
    if (how.spoils && rank == 1) gpu = std::make_shared<SpoilingAccelerator>();
    gpu->hangs = how.hangs;
    return gpu;
  };
  parts.set = [](const std::vector<Variable>& variables) {
    for (const auto& [name, value] : variables) fake().note(name + "=" + value);
    return std::make_shared<int>();
  };
  parts.set_for_good = parts.set;
  parts.ran = how.ran;
  parts.why_unreported = "no profiler plug-in";
  return parts;
}

inline void measure(const How& how, const nccl::Calls& calls, team::Team& team,
                    std::unique_ptr<Transport> transport, KeptSlot& kept, Seen& seen) {
  CollectiveTrial::Setup setup;
  setup.transport = std::move(transport);
  setup.groups = how.groups;
  setup.problems.assign(how.groups.size(), how.problem);
  const auto world = make_nccl_world(team,
                                     {.way = how.way,
                                      .operation = how.problem.operation,
                                      .algorithm = how.algorithm,
                                      .ranks_share_gpu = how.share,
                                      .hang_limit_s = how.hang_limit_s,
                                      .kept = &kept},
                                     parts_of(how, calls, team.rank()));
  setup.conditions = world->facts();
  setup.time_counts = time_counts(how.way.launch);
  for (std::size_t group = 0; group < how.groups.size(); ++group) {
    auto runner = world->make_runner(how.groups[group], how.problem, {});
    if (!runner) continue;
    auto within = std::make_unique<GroupTransport>(*setup.transport, how.groups[group]);
    setup.parts.push_back({static_cast<int>(group), how.problem, std::move(within), std::move(runner)});
  }
  CollectiveTrial trial(team, {}, std::move(setup));
  trial.enqueue(2);
  trial.sampling_begins();
  seen.timing = trial.enqueue(20);
  seen.verification = trial.check();
  trial.metrics({});
  seen.facts = as_texts(trial.facts());
}

/// Measures with ranks that are all on one host and returns what each sees.
inline std::vector<Seen> measured(const How& how) {
  reset_fake();
  if (!how.makes_windows) fake().failing["make a window"] = ncclSuccess;
  const nccl::Calls calls = fake_calls(how.complete);
  int ranks = 0;
  for (const RankGroup& group : how.groups) ranks = std::max(ranks, *std::ranges::max_element(group) + 1);
  auto teams = team::make_thread_teams(ranks);
  std::vector<std::vector<std::unique_ptr<Transport>>> transports;  // by point
  for (std::size_t point = 0; point <= how.ways_before.size(); ++point)
    transports.push_back(make_thread_transports(ranks));
  std::vector<Seen> seen(teams.size());
  on_threads(ranks, [&](int rank) {
    const auto index = static_cast<std::size_t>(rank);
    OneHostTeam team(std::move(teams[index]));
    KeptSlot kept;
    try {
      for (std::size_t point = 0; point <= how.ways_before.size(); ++point) {
        How one = how;
        if (point < how.ways_before.size()) one.way = how.ways_before[point];
        measure(one, calls, team, std::move(transports[point][index]), kept, seen[index]);
      }
    } catch (const core::Error& error) {
      seen[index].failure = error.what();
      seen[index].unsupported = dynamic_cast<const core::Unsupported*>(&error) != nullptr;
    }
  });
  return seen;
}

inline void expect_right(const std::vector<Seen>& seen) {
  for (const Seen& rank : seen) {
    EXPECT_EQ(rank.failure, "");
    EXPECT_EQ(rank.verification.result, core::Verification::Result::right) << rank.verification.why;
  }
}

}  // namespace assay::collectives

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Passes by NCCL and cuBLASLt on two ranks that are threads: a fake NCCL and a simulated cuBLASLt on the
// streams of a simulated GPU.
#include "collectives/overlap/nccl_pass.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "collectives/measure/cases.hpp"
#include "collectives/nccl/nccl_world.hpp"
#include "collectives/nccl/tests/fake_ranks.hpp"
#include "collectives/overlap/device_layers.hpp"
#include "collectives/overlap/overlap_trial.hpp"
#include "collectives/transport/transport.hpp"
#include "harness/core/error.hpp"
#include "harness/core/measure/measure.hpp"
#include "harness/cuda/tests/simulated/simulated_gpu.hpp"

namespace assay::collectives {
namespace {

using Result = core::Verification::Result;
using testing::HasSubstr;

constexpr int ranks = 2;

NcclParts simulated_parts(const nccl::Calls& calls) {
  NcclParts parts{.calls = &calls, .library = "the fake", .visible_devices = ranks};
  parts.describe = [](int device) {
    return RankGpu{.host = {},
                   .pci_address = "0000:0" + std::to_string(device) + ":00.0",
                   .device = device,
                   .name = "a simulated GPU"};
  };
  parts.open = [](int device) { return std::shared_ptr(make_cuda_accelerator(device)); };
  parts.set = [](const std::vector<Variable>&) { return std::make_shared<int>(); };
  parts.set_for_good = [](const std::vector<Variable>&) {};
  parts.why_unreported = "no profiler plug-in";
  return parts;
}

struct SeenOfRank {
  core::Verification verification;
  std::map<std::string, double> metrics;
  std::map<std::string, std::string> facts;
  std::string failure;
};

struct Planned {
  PassPlan plan = {};
  DataType exchanged = DataType::bf16;
  bool spoils = false, fails = false;  // NCCL
};

NcclPassSetup setup_of(const Planned& planned, team::Team& team, std::unique_ptr<Transport> transport,
                       const nccl::Calls& calls) {
  const bool backward = planned.plan.is_backward();
  const auto operation = backward ? Operation::all_reduce : Operation::all_gather;
  NcclPassSetup setup{.plan = planned.plan,
                      .shape = {.width = 16, .tokens = 32, .backward = backward},
                      .content = {.type = planned.exchanged, .seed = 1}};
  setup.connected = {.post = std::make_shared<WatchPost>(team.rank()),
                     .transport = std::move(transport),
                     .transport_name = "threads"};
  setup.open_world = [&team, &calls, operation] {
    return make_nccl_world(team, {.operation = operation}, simulated_parts(calls));
  };
  for (std::size_t which = 0; which < planned.plan.exchanges(); ++which)
    setup.problems.push_back({.operation = operation, .ranks = ranks, .count = 256});
  return setup;
}

void run_rank(const Planned& planned, team::Team& team, std::unique_ptr<Transport> transport,
              const nccl::Calls& calls, SeenOfRank& seen) {
  NcclPassSetup setup = setup_of(planned, team, std::move(transport), calls);
  const std::vector<Problem> problems = setup.problems;
  OverlapTrial trial(
      team, {.plan = planned.plan, .problems = problems, .pass = make_nccl_pass(team, std::move(setup))});
  trial.enqueue(1);
  trial.sampling_begins();
  trial.enqueue(3);
  seen.verification = trial.check();
  for (const core::Metric& metric : trial.metrics({})) seen.metrics[metric.name] = metric.value;
  for (const auto& [name, value] : trial.facts())
    if (const auto* text = std::get_if<std::string>(&value)) seen.facts[name] = *text;
}

std::vector<SeenOfRank> passes_of(const Planned& planned) {
  reset_fake();
  fake().spoils = planned.spoils;
  if (planned.fails) fake().failing["all_gather"] = ncclSystemError;
  cuda::simulated::gpu().devices = ranks;
  const nccl::Calls calls = fake_calls();
  auto teams = team::make_thread_teams(ranks);
  auto transports = make_thread_transports(ranks);
  std::vector<SeenOfRank> seen(ranks);
  on_threads(ranks, [&](int rank) {
    const auto index = static_cast<std::size_t>(rank);
    OneHostTeam team(std::move(teams[index]));
    try {
      run_rank(planned, team, std::move(transports[index]), calls, seen[index]);
    } catch (const core::Error& error) {
      seen[index].failure = error.what();
    }
  });
  return seen;
}

const PassPlan backward{.layers = 3, .bucket_layers = {2, 1}};
const PassPlan forward{.layers = 3, .depth = 1};

TEST(NcclPass, FindsItsExchangesAndProductsRight) {
  for (const PassPlan& plan : {backward, forward})
    for (const DataType exchanged : {DataType::bf16, DataType::fp32})
      for (const SeenOfRank& rank : passes_of({.plan = plan, .exchanged = exchanged})) {
        EXPECT_EQ(rank.failure, "");
        EXPECT_EQ(rank.verification.result, Result::right) << rank.verification.why;
        EXPECT_THAT(rank.facts.at("library"), HasSubstr("cuBLASLt"));
        EXPECT_EQ(rank.facts.at("transport"), "nccl");
      }
}

TEST(NcclPass, ExchangesAloneAndTogetherOverOneCommunicator) {
  passes_of({.plan = backward});
  // A pass runs its two exchanges alone and together; four passes, two ranks.
  EXPECT_EQ(fake().count("all_reduce"), 2 * 2 * 4 * ranks);
  EXPECT_EQ(fake().count("comm_split"), ranks);
}

TEST(NcclPass, HasItsFiguresAtTheLeader) {
  const auto seen = passes_of({.plan = forward});
  for (const char* name : {"compute_only_us", "communication_only_us", "compute_beside_us", "ideal_us"})
    EXPECT_GT(seen[0].metrics.at(name), 0) << name;
  EXPECT_THAT(seen[0].facts.at("time_counts"), HasSubstr("by events on its GPU"));
  EXPECT_TRUE(seen[1].metrics.empty());
}

TEST(NcclPass, NoticesASpoiltExchange) {
  for (const SeenOfRank& rank : passes_of({.plan = backward, .spoils = true})) {
    EXPECT_EQ(rank.verification.result, Result::wrong);
    EXPECT_THAT(rank.verification.why, HasSubstr("exchange 0: element 0"));
  }
}

TEST(NcclPass, ThatNcclFailsEndsInItsWords) {
  for (const SeenOfRank& rank : passes_of({.plan = forward, .fails = true}))
    EXPECT_THAT(rank.failure, HasSubstr("the fake's own words"));
}

core::Case nccl_overlap_case(const std::string& name, int of_ranks = 4) {
  const auto all = declared_cases({.ranks_per_node = 2}, of_ranks);
  return *std::ranges::find(all, "collectives.nccl_overlap." + name, &core::Case::name);
}

core::Point gpu_pass() {
  return {
      {"layers", std::int64_t{8}},    {"width", std::int64_t{1024}},           {"tokens", std::int64_t{64}},
      {"dtype", std::string("bf16")}, {"bucket_bytes", std::int64_t{4 << 20}}, {"depth", std::int64_t{1}}};
}

TEST(NcclOverlapCases, CountWhatARankExchanges) {
  EXPECT_EQ(nccl_overlap_case("bucketed_all_reduce").work(gpu_pass()).bytes, 8 * 1024 * 1024 * 2);
  EXPECT_EQ(
      nccl_overlap_case("prefetched_all_gather").work(gpu_pass().set("dtype", std::string("fp32"))).bytes,
      8 * 1024 * 1024 * 4);
}

TEST(NcclOverlapCases, SayWhyNotAndNameAnAxisBeyondItsRange) {
  EXPECT_EQ(nccl_overlap_case("bucketed_all_reduce", 1).unsupported(gpu_pass()).value_or(""),
            "one rank exchanges nothing: --ranks 2 or more");
  const auto tokens = gpu_pass().set("tokens", std::int64_t{65537});
  EXPECT_THAT([&] { nccl_overlap_case("prefetched_all_gather").work(tokens); },
              testing::ThrowsMessage<core::Error>(HasSubstr("tokens=65537: expected 1 to 65536")));
}

}  // namespace
}  // namespace assay::collectives

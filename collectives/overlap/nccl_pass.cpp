// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/overlap/nccl_pass.hpp"

#include <fmt/format.h>

#include <numeric>
#include <utility>

#include "collectives/measure/bandwidth.hpp"
#include "collectives/measure/group_part.hpp"
#include "collectives/nccl/queued_runner.hpp"
#include "collectives/overlap/device_layers.hpp"
#include "collectives/overlap/device_pass.hpp"
#include "harness/core/names.hpp"
#include "harness/core/seconds_since.hpp"
#include "harness/cuda/handles.hpp"
#include "harness/cuda/telemetry/telemetry.hpp"
#include "harness/team/agree.hpp"

namespace assay::collectives {
namespace {

struct QueuedExchange {
  Operands operands;
  std::unique_ptr<QueuedRunner> runner;
};

class NcclPass final : public TimedPass {
 public:
  NcclPass(team::Team& team, NcclPassSetup setup)
      : setup_(std::move(setup)), barrier_(barrier_over(*setup_.connected.transport)) {
    make_exchanges(team);
    team::agree(team, [&] {
      telemetry_ = cuda::open_telemetry(address_of_gpu());
      compute_stream_ = cuda::make_stream();
      layers_ = std::make_unique<DeviceLayers>(setup_.shape, setup_.plan.layers);
      pass_ = std::make_unique<DevicePass>(setup_.plan, work());
      return std::string();
    });
  }

  PassTimes run() override { return pass_->run(); }

  void refill() override {
    for (QueuedExchange& one : exchanges_) {
      one.operands.refill();
      one.runner->load(one.operands.input(), one.operands.output());
    }
    layers_->spoil();
    telemetry_->begin();
  }

  std::optional<std::string> wrong() override {
    telemetry_->end();
    for (std::size_t which = 0; which < exchanges_.size(); ++which) {
      exchanges_[which].runner->fetch(exchanges_[which].operands.output());
      if (const auto wrong = exchanges_[which].operands.first_wrong())
        return fmt::format("exchange {}: {}", which, *wrong);
    }
    return layers_->wrong();
  }

  std::vector<core::Fact> facts() const override {
    std::vector<core::Fact> facts{{"transport", "nccl"}};
    facts.insert(facts.end(), world_facts_.begin(), world_facts_.end());
    for (core::Fact& fact : exchanges_.front().runner->facts()) facts.push_back(std::move(fact));
    for (core::Fact& fact : layers_->facts()) facts.push_back(std::move(fact));
    for (core::Fact& fact : telemetry_->facts()) facts.push_back(std::move(fact));
    return facts;
  }

  std::vector<core::Fact> leaders_facts() const override {
    return {{"time_counts",
             "per iteration the slowest rank, by events on its GPU, launches within; a barrier before each"}};
  }

 private:
  void make_exchanges(team::Team& team) {
    const std::unique_ptr<NcclWorld> world = setup_.open_world();
    world_facts_ = world->facts();
    RankGroup everybody(static_cast<std::size_t>(team.size()));
    std::iota(everybody.begin(), everybody.end(), 0);
    for (const Problem& problem : setup_.problems) {
      exchanges_.push_back({Operands(problem, setup_.content, team.rank()),
                            world->make_queued_runner(everybody, problem, setup_.content)});
      bytes_ += static_cast<std::int64_t>(counted_bytes(problem, bytes_of(setup_.content.type)));
    }
  }

  std::string address_of_gpu() const {
    for (const auto& [name, value] : world_facts_)
      if (name == core::names::gpu_pci_address) return std::get<std::string>(value);
    return {};
  }

  /// All runners queue on one stream.
  DevicePassWork work() {
    return {.compute_stream = compute_stream_.get(),
            .exchange_stream = exchanges_.front().runner->stream(),
            .compute = [this](int layer) { layers_->enqueue(layer, compute_stream_.get()); },
            .exchange = [this](std::size_t which) { exchanges_[which].runner->enqueue(); },
            .wait_for_exchanges = [this] { wait_for_exchanges(); },
            .barrier = [this] { run_barrier(barrier_, ring()); }};
  }

  FlightRing& ring() { return setup_.connected.post->ring(); }

  void wait_for_exchanges() {
    ring().begins(setup_.problems.front().operation, bytes_, core::steady_seconds());
    exchanges_.front().runner->wait();
    ring().done();
  }

  NcclPassSetup setup_;
  Executor barrier_;
  std::vector<core::Fact> world_facts_;
  std::unique_ptr<cuda::Telemetry> telemetry_;
  std::int64_t bytes_ = 0;  // of all exchanges
  cuda::Stream compute_stream_;
  std::unique_ptr<DeviceLayers> layers_;
  std::unique_ptr<DevicePass> pass_;
  std::vector<QueuedExchange> exchanges_;  // destroyed first: what else waits for them ends
};

}  // namespace

std::optional<std::string> why_no_nccl_pass() {
  if (auto why = why_no_nccl()) return why;
  return why_no_device_layers();
}

std::unique_ptr<TimedPass> make_nccl_pass(team::Team& team, NcclPassSetup setup) {
  return std::make_unique<NcclPass>(team, std::move(setup));
}

}  // namespace assay::collectives

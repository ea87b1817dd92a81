// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/pipeline/pipeline.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <cstring>

#include "harness/core/process/stop_request.hpp"
#include "offload/arena_of.hpp"
#include "offload/pipeline/block_numbers.hpp"
#include "offload/pipeline/stages.hpp"

namespace assay::offload {
namespace {

std::vector<int> all_but_last(std::vector<int> cpus) {
  cpus.pop_back();
  return cpus;
}

/// Times that the copying thread measured while the other one computed all along.
struct CopyRounds {
  std::atomic<int> rounds{0};
  double both_s = 0, fetch_s = 0, write_s = 0;  // sums over the rounds

  void add(double began_s, const BlockTraffic& traffic) {
    const double fetched_s = traffic.ended_s(Direction::in), written_s = traffic.ended_s(Direction::out);
    fetch_s += fetched_s - began_s;
    write_s += written_s - began_s;
    both_s += std::max(fetched_s, written_s) - began_s;
    rounds.fetch_add(1, std::memory_order_release);
  }
};

struct RaisedAtLast {
  std::atomic<bool>& flag;
  ~RaisedAtLast() { flag.store(true, std::memory_order_release); }
};

}  // namespace

BlockMemory::BlockMemory(const BlockLayout& laid_out, workload::Dtype dtype, int far_node, int near_node)
    : BlockAddresses{laid_out},
      far_(arena_of(laid_out.far_bytes(), far_node)),
      near_(arena_of(laid_out.near_bytes(), near_node)) {
  far = far_.data();
  near = near_.data();
  std::memset(near_.data(), 0xff, near_.size());
  fill_with_numbers(near_.data(), layout.block.shared_bytes, dtype, 0);
  for (int slot = 0; slot < layout.shape.resident; ++slot)
    fill_with_numbers(fetched(Slots::quiet, slot), layout.block.fetched_bytes, dtype, 0);
  for (int i = 0; i < layout.shape.blocks; ++i)
    fill_with_numbers(far_fetched(i), layout.block.fetched_bytes, dtype, i + 1);
  spoil_far_written();
}

void BlockMemory::spoil_far_written() {
  for (int i = 0; i < layout.shape.blocks; ++i)
    std::memset(far_written(i), 0xff, static_cast<std::size_t>(layout.block.written_bytes));
}

Pipeline::Pipeline(const PipelineSettings& settings)
    : settings_(settings),
      cpus_(host::choose_cpus(settings.compute_threads + 1, settings.near_node)),
      crew_({cpus_.front(), cpus_.back()}),
      site_(all_but_last(cpus_)),
      memory_(settings.layout(), settings.dtype, settings.far_node, settings.near_node) {
  for (const BlockProduct& product : settings.block.products)
    products_.push_back(
        workload::host_library(settings.dtype).prepare(product.problem, settings.compute_threads));
}

void Pipeline::compute_block(const BlockPlaces& places) {
  for (std::size_t i = 0; i < products_.size(); ++i) {
    const BlockProduct& product = settings_.block.products[i];
    products_[i]->multiply(
        {places.address(product.a), places.address(product.b), places.address(product.result)});
  }
}

double Pipeline::run_from(const Progress& through, Slots slots) {
  const PipelineShape& shape = settings_.shape;
  Stages stages(through);
  std::atomic<bool> stop{false};
  BlockTraffic traffic(shape, stages, stop,
                       [this](Direction direction, int block) { return memory_.transfer(direction, block); });
  const auto compute = [&] {
    SpinningWait wait;
    for (Progress seen = stages.seen(); seen.computed < shape.blocks; seen = stages.seen()) {
      if (!may_compute(shape, seen)) {
        core::end_wait_if_stopped("a block of the pipeline");
        wait.turn();
        continue;
      }
      compute_block(memory_.places(slots, seen.computed));
      stages.computed();
    }
  };
  return crew_.run([&](int rank) {
    if (rank == 1) return copy_until_over(traffic, settings_.cap_gb_per_s);
    try {
      compute();
    } catch (...) {
      stop = true;  // or the copying thread would wait for blocks that are never computed
      throw;
    }
  });
}

void Pipeline::run_beside(StepParts& parts) {
  const PipelineShape& shape = settings_.shape;
  std::atomic<bool> stop{false};
  CopyRounds copied;
  const auto compute = [&] {
    int blocks = 0;
    const double began_s = core::steady_seconds();
    for (; blocks < shape.blocks || copied.rounds.load(std::memory_order_acquire) == 0; ++blocks) {
      core::end_wait_if_stopped("a round of copies during the products");
      compute_block(memory_.places(Slots::quiet, blocks));
    }
    parts.compute_beside_s = (core::steady_seconds() - began_s) * shape.blocks / blocks;
  };
  const auto copy = [&] {
    while (!stop.load(std::memory_order_acquire)) {
      Stages stages({.fetched = 0, .computed = shape.blocks, .written = 0});
      BlockTraffic traffic(shape, stages, stop, [this](Direction direction, int block) {
        return memory_.transfer(direction, block);
      });
      const double began_s = core::steady_seconds();
      copy_until_over(traffic, settings_.cap_gb_per_s);
      if (traffic.complete()) copied.add(began_s, traffic);
    }
  };
  crew_.run([&](int rank) {
    if (rank == 1) return copy();
    const RaisedAtLast stopping{stop};
    compute();
  });
  const int rounds = copied.rounds;
  parts.both_beside_s = copied.both_s / rounds;
  parts.fetch_beside_s = copied.fetch_s / rounds;
  parts.write_beside_s = copied.write_s / rounds;
}

StepParts Pipeline::run_all() {
  const int all = settings_.shape.blocks;
  StepParts parts;
  parts.compute_s = run_from({.fetched = all, .computed = 0, .written = all}, Slots::quiet);
  parts.fetch_s = run_from({.fetched = 0, .computed = all, .written = all}, Slots::moving);
  parts.write_s = run_from({.fetched = all, .computed = all, .written = 0}, Slots::moving);
  parts.both_s = run_from({.fetched = 0, .computed = all, .written = 0}, Slots::moving);
  run_beside(parts);
  memory_.spoil_far_written();
  parts.step_s = run_from({}, Slots::moving);
  return parts;
}

core::Verification Pipeline::verify() {
  using Result = core::Verification::Result;
  for (int block = 0; block < settings_.shape.blocks; ++block) {
    std::byte* expected = memory_.written(Slots::quiet, block);
    compute_block({memory_.shared(), memory_.far_fetched(block), expected});
    const auto bytes = static_cast<std::size_t>(settings_.block.written_bytes);
    if (std::memcmp(expected, memory_.far_written(block), bytes) != 0)
      return {Result::wrong,
              fmt::format("block {}: what was written back is not what was fetched gives", block)};
  }
  return {Result::right, fmt::format("what {} blocks wrote back, bit for bit", settings_.shape.blocks)};
}

}  // namespace assay::offload

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/overlap/host_pass.hpp"

#include <fmt/format.h>

#include <chrono>
#include <thread>
#include <utility>

#include "collectives/measure/bandwidth.hpp"
#include "harness/core/seconds_since.hpp"

namespace assay::collectives {

HostPass::HostPass(Setup setup)
    : setup_(std::move(setup)),
      barrier_(barrier_over(*setup_.transport)),
      pass_(setup_.plan, *setup_.work, [this](std::size_t which) { run_exchange(which); }) {
  const int rank = setup_.transport->rank();
  const Content& exchanged = setup_.content;
  for (const Problem& problem : setup_.problems)
    exchanges_.push_back({static_cast<std::int64_t>(counted_bytes(problem, bytes_of(exchanged.type))),
                          Operands(problem, exchanged, rank),
                          Executor(schedule_of(*setup_.algorithm, problem, rank), exchanged.type,
                                   exchanged.reduction, *setup_.transport)});
}

void HostPass::run_exchange(std::size_t which) {
  Exchange& one = exchanges_[which];
  const double began = core::steady_seconds();
  ring().begins(setup_.algorithm->operation, one.bytes, began);
  one.executor.run(one.operands.input(), one.operands.output());
  if (setup_.link_bytes_per_s > 0) {
    const double ends = began + static_cast<double>(one.bytes) / setup_.link_bytes_per_s;
    std::this_thread::sleep_for(std::chrono::duration<double>(ends - core::steady_seconds()));
  }
  ring().done();
}

PassTimes HostPass::run() {
  return pass_.run([this] { run_barrier(barrier_, ring()); });
}

void HostPass::refill() {
  for (Exchange& one : exchanges_) one.operands.refill();
}

std::optional<std::string> HostPass::wrong() {
  for (std::size_t which = 0; which < exchanges_.size(); ++which)
    if (const auto wrong = exchanges_[which].operands.first_wrong())
      return fmt::format("exchange {}: {}", which, *wrong);
  return setup_.work->wrong();
}

std::vector<core::Fact> HostPass::facts() const {
  std::vector<core::Fact> facts{{"transport", setup_.transport_name}};
  for (core::Fact& fact : setup_.work->facts()) facts.push_back(std::move(fact));
  return facts;
}

std::vector<core::Fact> HostPass::leaders_facts() const {
  return {{"cache", "hot"},
          {"host_twin", "CPUs compute and exchange: how work overlaps here, not on a GPU"},
          {"time_counts", "per iteration the slowest rank; a barrier before each"}};
}

}  // namespace assay::collectives

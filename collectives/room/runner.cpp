// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/room/runner.hpp"

#include <string>

#include "collectives/mpi/mpi_operation.hpp"
#include "collectives/transport/executor.hpp"

namespace assay::collectives {
namespace {

Runner::Tiers tiers_of(const Schedule& schedule, const Problem& problem, int rank,
                       std::int64_t element_bytes) {
  Runner::Tiers tiers;
  const auto node = [&](int of) {
    return problem.node_of.empty() ? 0 : problem.node_of[static_cast<std::size_t>(of)];
  };
  for (const Step& step : schedule.steps)
    for (const Send& send : step.sends)
      (node(send.to) == node(rank) ? tiers.inside : tiers.across) += send.from.count * element_bytes;
  return tiers;
}

class AssayRunner final : public Runner {
 public:
  AssayRunner(const Algorithm& algorithm, const Problem& problem, const Content& content,
              Transport& transport)
      : element_bytes_(bytes_of(content.type)),
        steps_(algorithm.steps(problem)),
        exact_(steps_are_exact(algorithm, problem)),
        sent_(algorithm.sent(problem, transport.rank())),
        unlike_busbw_(algorithm.over_nodes || algorithm.name.ends_with("tree")) {
    Schedule schedule = schedule_of(algorithm, problem, transport.rank());
    tiers_ = tiers_of(schedule, problem, transport.rank(), element_bytes_);
    executor_ = std::make_unique<Executor>(std::move(schedule), content.type, content.reduction, transport);
  }

  void run(std::span<const std::byte> input, std::span<std::byte> output) override {
    executor_->run(input, output);
  }
  std::vector<core::Fact> facts() const override {
    std::vector<core::Fact> facts{{exact_ ? "steps" : "steps_at_most", steps_},
                                  {"messages_sent", sent_.messages},
                                  {"bytes_sent", sent_.elements * element_bytes_}};
    if (unlike_busbw_)
      facts.emplace_back("busbw_is_wire_rate", "no: ranks send other amounts than busbw assumes");
    return facts;
  }
  std::optional<Tiers> tiers() const override { return tiers_; }

 private:
  std::int64_t element_bytes_, steps_;
  bool exact_;
  Sent sent_;
  bool unlike_busbw_;  // a tree, or in tiers
  Tiers tiers_;
  std::unique_ptr<Executor> executor_;
};

class MpiRunner final : public Runner {
 public:
  MpiRunner(const MpiDataCalls& calls, const Problem& problem, const Content& content, int rank,
            int communicator)
      : library_(calls.library()),
        operation_(calls, problem, content.type, content.reduction, rank, communicator) {}

  void run(std::span<const std::byte> input, std::span<std::byte> output) override {
    operation_.run(input, output);
  }
  std::vector<core::Fact> facts() const override {
    return {{"mpi_library", library_}, {"mpi_function", operation_.function()}};
  }

 private:
  std::string library_;
  MpiOperation operation_;
};

}  // namespace

std::unique_ptr<Runner> make_assay_runner(const Algorithm& algorithm, const Problem& problem,
                                          const Content& content, Transport& transport) {
  return std::make_unique<AssayRunner>(algorithm, problem, content, transport);
}

std::unique_ptr<Runner> make_mpi_runner(const MpiDataCalls& calls, const Problem& problem,
                                        const Content& content, int rank, int communicator) {
  return std::make_unique<MpiRunner>(calls, problem, content, rank, communicator);
}

}  // namespace assay::collectives

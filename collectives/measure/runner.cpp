// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/measure/runner.hpp"

#include <utility>

#include "collectives/algorithms/table.hpp"
#include "collectives/transport/executor.hpp"

namespace assay::collectives {
namespace {

class AssayRunner final : public Runner {
 public:
  AssayRunner(const Algorithm& algorithm, const Problem& problem, const Content& content, Schedule schedule,
              Transport& transport)
      : problem_(problem),
        content_(content),
        figures_(algorithm, problem, schedule, transport.rank(), bytes_of(content.type)),
        executor_(std::move(schedule), content.type, content.reduction, transport) {}

  void run(std::span<const std::byte> input, std::span<std::byte> output) override {
    executor_.run(input, output);
    end_reduction(problem_, content_, output);
  }
  std::vector<core::Fact> facts() const override { return figures_.facts(); }
  std::optional<Tiers> tiers() const override {
    return Tiers{figures_.bytes_inside(), figures_.bytes_across()};
  }
  std::vector<std::string_view> phases() const override { return executor_.phases(); }
  std::span<const double> phase_ends_s() const override { return executor_.phase_ends_s(); }

 private:
  Problem problem_;
  Content content_;
  AlgorithmFigures figures_;
  Executor executor_;
};

}  // namespace

std::unique_ptr<Runner> make_assay_runner(const Algorithm& algorithm, const Problem& problem,
                                          const Content& content, Transport& transport) {
  return std::make_unique<AssayRunner>(algorithm, problem, content,
                                       schedule_of(algorithm, problem, transport.rank()), transport);
}

}  // namespace assay::collectives

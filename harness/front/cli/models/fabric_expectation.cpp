// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/models/fabric_expectation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "harness/front/answers/fabric/located_pairs.hpp"
#include "model/fabric/measured/calibration.hpp"
#include "model/fabric/measured/expectation.hpp"
#include "results/judge/limits/limits_file.hpp"
#include "results/store/stored_points.hpp"

namespace assay::cli {
namespace {

namespace fabric = model::fabric;
namespace measured = model::fabric::measured;

constexpr std::uint32_t seeds = 20;

/// Bounds of the time are those of the speed, so that they hold what the simulation leaves open.
results::ExpectedTime time_of(const measured::ExpectedOperation& one, const std::string& fabric_name,
                              const results::RunPoints& run) {
  const double expected_us = one.simulated_us.value;
  const auto at_speed = [&](double speed) { return expected_us / speed; };
  return {.unit = fabric_name,
          .kind = "fabric",
          .metric = fmt::format("{}/{}", one.measured.case_name, one.measured.point),
          .run = run.stored().run_id,
          .origin = run.origin(),
          .what = fmt::format("{} ranks", one.measured.ranks),
          .measured_us = {one.measured.measured_us.value, at_speed(one.speed.upper.value_or(one.speed.value)),
                          at_speed(one.speed.lower.value_or(one.speed.value))},
          .expected_us = expected_us};
}

/// The fabric with the run's own latencies.
fabric::FabricFile calibrated(const results::EvidenceFile& file, const fabric::FabricFile& plain,
                              const measured::RankHosts& hosts, const results::RunPoints& run) {
  measured::PortCoefficients ports = measured::run_coefficients(run, "the store", hosts);
  ports.goodput_gb_per_s.reset();
  const std::vector<measured::TierCoefficients> coefficients = {{"", std::move(ports)}};
  return answers::read_fabric_of(file, measured::calibration_keys(coefficients, plain, hosts.topology(),
                                                                  measured::OtherLineRate::refused));
}

}  // namespace

results::ExpectedTimes expect_of_fabric(const results::Store& store, const std::string& filter,
                                        const results::EvidenceFile& file) {
  const fabric::FabricFile plain = answers::read_fabric_of(file);
  const fabric::site::SiteFabric site = answers::site_of(plain, std::nullopt);
  const fabric::locate::NodeNames names(site.topology, site.names);
  const measured::RankHosts hosts(site.topology, names);
  const fabric::SimulationOptions options{.seeds = seeds,
                                          .threads = std::max(1U, std::thread::hardware_concurrency())};
  results::ExpectedTimes expected;
  for (const results::StoredRun& stored : results::whole_runs(store)) {
    const results::RunPoints run(store, stored.run_id);
    measured::RunOperations operations = measured::run_operations(run, hosts, plain.server.gpus);
    std::erase_if(operations.operations, [&](const measured::MeasuredOperation& one) {
      return !results::point_matches(filter, one.case_name, one.point);
    });
    if (operations.operations.empty()) continue;
    for (const measured::ExpectedOperation& one :
         measured::expected_operations(calibrated(file, plain, hosts, run), std::move(operations), options))
      expected.times.push_back(time_of(one, plain.name, run));
  }
  return expected;
}

}  // namespace assay::cli

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/answers/fabric/fabric_measured.hpp"

#include <fmt/format.h>

#include "harness/core/error.hpp"
#include "harness/front/answers/fabric/located_pairs.hpp"
#include "harness/front/answers/open_store.hpp"
#include "harness/front/answers/or_bad_input.hpp"
#include "model/fabric/file/build_fabric.hpp"
#include "model/fabric/file/rank_order.hpp"
#include "model/fabric/measured/calibration.hpp"

namespace assay::answers {
namespace {

namespace fabric = model::fabric;
namespace measured = model::fabric::measured;

/// A run of a store, and where its ranks are on the fabric.
class MeasuredRun {
 public:
  MeasuredRun(const MeasuredSource& source, const fabric::FabricFile& file)
      : store_(open_existing_store(source.store)),
        run_(store_, source.run.empty() ? std::nullopt : std::optional(source.run)),
        site_(site_of(file, std::nullopt)),
        names_(site_.topology, site_.names),
        hosts_(site_.topology, names_, order_of(source, file)) {}

  const results::RunPoints& run() const { return run_; }
  const measured::RankHosts& hosts() const { return hosts_; }

 private:
  std::vector<fabric::NodeId> order_of(const MeasuredSource& source, const fabric::FabricFile& file) const {
    if (source.order.empty()) return {};
    return fabric::read_order(source.order, site_.topology.hosts(), file.server.gpus);
  }

  results::Store store_;
  results::RunPoints run_;
  fabric::site::SiteFabric site_;
  fabric::locate::NodeNames names_;
  measured::RankHosts hosts_;
};

}  // namespace

std::vector<fabric::KeyValue> with_measured(const MeasuredSource& source, const TomlSource& file,
                                            std::vector<fabric::KeyValue> replaced) {
  if (!source.any()) return replaced;
  const fabric::FabricFile plain = read_fabric(file, replaced);
  const fabric::Topology topology = fabric::topology_of(plain);
  std::vector<measured::TierCoefficients> coefficients;
  for (const std::string& text : source.coefficients)
    coefficients.push_back(measured::tier_coefficients(text, topology));
  if (!source.store.empty())
    or_bad_input([&] {
      const MeasuredRun one(source, plain);
      coefficients.push_back({"", measured::run_coefficients(one.run(), source.store, one.hosts())});
    });
  std::vector<fabric::KeyValue> keys = measured::calibration_keys(
      coefficients, plain, topology,
      source.force ? measured::OtherLineRate::taken : measured::OtherLineRate::refused);
  keys.insert(keys.end(), replaced.begin(), replaced.end());
  static_cast<void>(read_fabric(file, keys));
  return keys;
}

RunExpectation expectation_of(const MeasuredSource& source, const fabric::FabricFile& file,
                              const fabric::SimulationOptions& options) {
  return or_bad_input([&] {
    const MeasuredRun one(source, file);
    measured::RunOperations operations = measured::run_operations(one.run(), one.hosts(), file.server.gpus);
    RunExpectation expectation{
        .run = fmt::format("run {} of {} ({})", one.run().stored().run_id, source.store, one.run().origin()),
        .operations = {},
        .left_out = operations.left_out};
    expectation.operations = measured::expected_operations(file, std::move(operations), options);
    return expectation;
  });
}

}  // namespace assay::answers

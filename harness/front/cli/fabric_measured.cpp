// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/fabric_measured.hpp"

#include <fmt/format.h>

#include "harness/core/error.hpp"
#include "harness/front/cli/file_name.hpp"
#include "harness/front/cli/located_pairs.hpp"
#include "harness/front/cli/open_store.hpp"
#include "harness/front/cli/or_bad_input.hpp"
#include "model/fabric/file/build_fabric.hpp"
#include "model/fabric/file/rank_order.hpp"
#include "model/fabric/measured/calibration.hpp"

namespace assay::cli {
namespace {

namespace fabric = model::fabric;
namespace measured = model::fabric::measured;

/// A run of a store, and where its ranks are on the fabric.
class MeasuredRun {
 public:
  MeasuredRun(const MeasuredFlags& flags, const fabric::FabricFile& file)
      : store_(open_existing_store(flags.store)),
        run_(store_, flags.run.empty() ? std::nullopt : std::optional(flags.run)),
        site_(site_of(file, std::nullopt)),
        names_(site_.topology, site_.names),
        hosts_(site_.topology, names_, order_of(flags, file)) {}

  const results::RunPoints& run() const { return run_; }
  const measured::RankHosts& hosts() const { return hosts_; }

 private:
  std::vector<fabric::NodeId> order_of(const MeasuredFlags& flags, const fabric::FabricFile& file) const {
    if (flags.order.empty()) return {};
    return fabric::read_order(flags.order, site_.topology.hosts(), file.server.gpus);
  }

  results::Store store_;
  results::RunPoints run_;
  fabric::site::SiteFabric site_;
  fabric::locate::NodeNames names_;
  measured::RankHosts hosts_;
};

}  // namespace

void add_measured(CLI::App& app, MeasuredFlags& flags) {
  add_file(app, "--coefficients", flags.coefficients,
           "file of assay fit; TIER: the topmost switches that its messages crossed, as spine", "[TIER=]FILE")
      ->allow_extra_args(false);
  CLI::Option* store = app.add_option("--store", flags.store, "goodput, latency and gaps that a run measured")
                           ->type_name("FILE");
  app.add_option("--run", flags.run, "of the store; default: the latest")->type_name("ID")->needs(store);
  add_file(app, "--run-order", flags.order,
           "where the run's ranks are (CSV: rank,host,gpu); default: by names, or in turn")
      ->needs(store);
  app.add_flag("--force", flags.force, "take goodput of another line rate");
}

std::vector<fabric::KeyValue> with_measured(const MeasuredFlags& flags, const std::string& file,
                                            std::vector<fabric::KeyValue> replaced) {
  if (!flags.any()) return replaced;
  const fabric::FabricFile plain = fabric::read_fabric(file, replaced);
  const fabric::Topology topology = fabric::topology_of(plain);
  std::vector<measured::TierCoefficients> coefficients;
  for (const std::string& text : flags.coefficients)
    coefficients.push_back(measured::tier_coefficients(text, topology));
  if (!flags.store.empty())
    or_bad_input([&] {
      const MeasuredRun one(flags, plain);
      coefficients.push_back({"", measured::run_coefficients(one.run(), flags.store, one.hosts())});
    });
  std::vector<fabric::KeyValue> keys = measured::calibration_keys(
      coefficients, plain, topology,
      flags.force ? measured::OtherLineRate::taken : measured::OtherLineRate::refused);
  keys.insert(keys.end(), replaced.begin(), replaced.end());
  static_cast<void>(fabric::read_fabric(file, keys));
  return keys;
}

RunExpectation expectation_of(const MeasuredFlags& flags, const fabric::FabricFile& file,
                              const fabric::SimulationOptions& options) {
  return or_bad_input([&] {
    const MeasuredRun one(flags, file);
    measured::RunOperations operations = measured::run_operations(one.run(), one.hosts(), file.server.gpus);
    RunExpectation expectation{
        .run = fmt::format("run {} of {} ({})", one.run().stored().run_id, flags.store, one.run().origin()),
        .operations = {},
        .left_out = operations.left_out};
    expectation.operations = measured::expected_operations(file, std::move(operations), options);
    return expectation;
  });
}

}  // namespace assay::cli

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Measured pairs as CSV, and the location of what they show.
#include "harness/core/tests/fuzz/fuzz_input.hpp"
#include "model/fabric/locate/locate.hpp"
#include "model/fabric/locate/pairs_csv.hpp"
#include "model/fabric/presets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace fabric = assay::model::fabric;
  namespace locate = assay::model::fabric::locate;
  static const fabric::Topology topology = fabric::ai_zone({.leaves = 2, .gpus_per_leaf = 2, .spines = 2});
  static const fabric::Router router(topology, {.kind = fabric::RoutingKind::e_ecmp});
  static const locate::Elements elements(topology);
  static const locate::NodeNames names(topology);
  const std::string text(assay::fuzz::text_of(data, size));
  assay::fuzz::read_or_refuse([&] {
    const locate::MeasuredPairs pairs = locate::read_pairs({"pairs.csv", text}, topology, names);
    const locate::Incidence incidence(router, elements, pairs.measurements, pairs.concurrency);
    locate::locate(incidence, pairs.measurements, {.deals = 4});
  });
  return 0;
}

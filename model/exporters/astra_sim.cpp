// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// ASTRA-sim's analytical network (one Switch) and its system file. A message of b bytes takes hops x latency
// + b / bandwidth, two hops on a switch, latency in ns, bandwidth in 2^30 bytes/s (astra-network-analytical,
// congestion unaware: BasicTopology, NetworkFunction); its ring sends 2 (p - 1) messages of 1/p of the data
// in an all_reduce, p - 1 in all_gather and reduce_scatter. Its roofline is min(local-mem-bw x intensity,
// peak-perf), in 1e9 bytes/s and 1e12 FLOP/s.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "harness/core/text/json_text.hpp"
#include "model/exporters/exporters.hpp"
#include "model/exporters/network_rows.hpp"
#include "model/exporters/roofline.hpp"

namespace assay::model::exporters {
namespace {

std::string network_yaml(std::int64_t npus, double bandwidth_gib_per_s, double latency_ns) {
  return fmt::format(
      "# measured by assay; bandwidth: GB/s of 2^30 bytes, one direction of one NPU; latency: ns of one hop, "
      "two on "
      "a Switch\n"
      "topology: [ Switch ]\n"
      "npus_count: [ {} ]\n"
      "bandwidth: [ {:.6g} ]\n"
      "latency: [ {:.6g} ]\n",
      npus, bandwidth_gib_per_s, latency_ns);
}

/// One chunk a collective and no delay at the ends, as the formula has it.
nlohmann::ordered_json system_json() {
  const nlohmann::ordered_json ring = nlohmann::ordered_json::array({"ring"});
  return {{"scheduling-policy", "LIFO"},           {"endpoint-delay", 0},
          {"active-chunks-per-dimension", 1},      {"preferred-dataset-splits", 1},
          {"all-reduce-implementation", ring},     {"all-gather-implementation", ring},
          {"reduce-scatter-implementation", ring}, {"all-to-all-implementation", ring},
          {"collective-optimization", "baseline"}};
}

void add_roofline(const ExportRequest& request, nlohmann::ordered_json& system, Exported& made) {
  if (!request.gemm) {
    system["roofline-enabled"] = 0;
    made.notes.emplace_back("no GEMM: peak-perf and local-mem-bw are left out, roofline-enabled is 0");
    return;
  }
  Roofline roofline = fit_roofline(request);
  system["peak-perf"] = roofline.tflop_per_s();
  system["local-mem-bw"] = roofline.gb_per_s();
  system["roofline-enabled"] = 1;
  made.fits.emplace_back("GEMM", std::move(roofline.fitted));
}

Exported export_astra_sim(const ExportRequest& request) {
  const auto rows = network_rows(request, "ASTRA-sim's ring", {"all_reduce", "all_gather", "reduce_scatter"});
  const LinkUnits units{.latencies_a_step = 2,
                        .latency_us = 1e-3,
                        .b_per_us = gib_per_s,
                        .latency_name = "latency_ns",
                        .bandwidth_name = "bandwidth_gib_per_s"};
  Exported made;
  FittedFormula link = fit_ring(rows, units, request.seed);
  made.files.push_back({".network.yml", network_yaml(rows.front().ranks, link.value(1), link.value(0))});
  made.fits.emplace_back("collectives", std::move(link));
  nlohmann::ordered_json system = system_json();
  add_roofline(request, system, made);
  made.files.push_back({".system.json", core::json_text(system, 2) + "\n"});
  made.notes.emplace_back("all_to_all is not fitted: its ring has no formula here");
  return made;
}

}  // namespace

Exporter astra_sim_exporter() {
  return {.name = "astra-sim",
          .about = "OUTPUT.network.yml and OUTPUT.system.json",
          .uses = {"--csv", "--gemm"},
          .write = export_astra_sim};
}

}  // namespace assay::model::exporters

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iostream>
#include <optional>
#include <utility>
#include <vector>

#include "harness/core/calendar.hpp"
#include "harness/core/error.hpp"
#include "harness/core/files/whole_file.hpp"
#include "harness/core/process/exit_code.hpp"
#include "harness/core/text/json_text.hpp"
#include "harness/front/cli/command.hpp"
#include "harness/front/cli/flags/file_name.hpp"
#include "harness/front/cli/output/nccl_view.hpp"
#include "harness/front/cli/output/render_table.hpp"
#include "harness/front/health/baseline.hpp"
#include "harness/front/health/snapshot/snapshot.hpp"
#include "harness/machine/describe/describe.hpp"
#include "harness/machine/inventory/redfish.hpp"
#include "harness/machine/machine.hpp"
#include "harness/machine/nvml/nvml.hpp"
#include "harness/machine/pretended_node.hpp"

namespace assay::cli {
namespace {

struct MachineFlags {
  std::string format = "text";
  std::string output;
  std::string nccl_topology, nccl_graph;
  std::string root, gpus, redfish;
  bool baseline = false;
};

std::string mode_text(std::optional<bool> mode) { return !mode ? "" : *mode ? "enabled" : "disabled"; }

machine::Gpu gpu_of(const health::GpuState& state) {
  machine::Gpu gpu;
  gpu.index = state.index;
  gpu.name = state.name.value_or("");
  gpu.uuid = state.uuid.value_or("");
  gpu.serial = state.serial.value_or("");
  gpu.vbios = state.vbios.value_or("");
  gpu.power_limit_w = state.power_limit_w.value_or(0);
  gpu.default_power_limit_w = state.default_power_limit_w.value_or(0);
  gpu.ecc_mode = mode_text(state.ecc_enabled);
  gpu.mig_mode = mode_text(state.mig_enabled);
  gpu.persistence_mode = mode_text(state.persistence_enabled);
  gpu.pcie.address = state.address.value_or("");
  if (state.nvlinks)
    gpu.nvlinks_active = static_cast<int>(std::ranges::count(*state.nvlinks, true, &machine::Nvlink::active));
  return gpu;
}

machine::Machine seen_by_the_system(const MachineFlags& flags) {
  if (flags.root.empty()) return machine::look();
  std::vector<machine::Gpu> gpus;
  if (!flags.gpus.empty())
    for (const health::GpuState& state : health::read_gpu_table(flags.gpus).gpus)
      if (state.lost.empty()) gpus.push_back(gpu_of(state));
  machine::Machine found = machine::look(flags.root, std::move(gpus));
  if (flags.gpus.empty())
    found.gpu_unavailable = "a folder was given for this machine, and no table of its GPUs (--gpus)";
  return found;
}

machine::Machine machine_of(const MachineFlags& flags) {
  machine::Machine found = seen_by_the_system(flags);
  if (!flags.redfish.empty()) machine::take_redfish(flags.redfish, found.inventory);
  return found;
}

std::string baseline(const MachineFlags& flags) {
  const bool here = flags.root.empty();
  const health::GpuReading gpus = !flags.gpus.empty() ? health::read_gpu_table(flags.gpus)
                                  : here              ? health::read_gpus(machine::Nvml::shared())
                                                      : health::GpuReading{};
  return health::baseline_of(
      health::read_snapshot(here ? machine::pretended_root() : flags.root, gpus, flags.redfish),
      core::iso_time_now());
}

std::string described(const machine::Machine& machine, const std::string& format) {
  if (format == "json") return core::json_text(machine::to_json(machine), 2) + "\n";
  if (format == "topology") return machine::topology_text(machine);
  if (format == "svg") return machine::topology_svg(machine);
  return machine::to_text(machine);
}

/// Exit code 1 where NCCL sees another node than assay does.
int compare_with_nccl(const MachineFlags& flags, std::string& text) {
  if (flags.format != "text" && flags.format != "json")
    core::usage_error("--nccl-topology: expected --format text or json, got " + flags.format);
  using namespace model::fabric;
  const std::vector<site::NcclNode> nccl = site::read_nccl_topology(flags.nccl_topology);
  std::vector<site::NcclGraph> graphs;
  if (!flags.nccl_graph.empty()) graphs = site::read_nccl_graphs(flags.nccl_graph);
  const machine::Machine ours = machine_of(flags);
  const View view = best_view(nccl, graphs, ours);
  text = render_table(view_table(view, ours), flags.format);
  return view.differences.empty() ? 0 : core::exit_code::fail;
}

}  // namespace

Command machine_command(CLI::App& parent) {
  const auto flags = std::make_shared<MachineFlags>();
  CLI::App* app =
      parent.add_subcommand("machine", "Hardware and versions of this node, and its links as trained");
  CLI::Option* const format = app->add_option("--format", flags->format, "topology is a picture in text")
                                  ->check(CLI::IsMember({"text", "json", "topology", "svg"}))
                                  ->capture_default_str();
  CLI::Option* const topology =
      add_file(*app, "--nccl-topology", flags->nccl_topology,
               "what NCCL_TOPO_DUMP_FILE wrote on this node: prints where it differs, and ends with 1");
  add_file(*app, "--nccl-graph", flags->nccl_graph, "what NCCL_GRAPH_DUMP_FILE wrote")->needs(topology);
  app->add_flag("--baseline", flags->baseline,
                "write what this node has as a file for assay check --expect (TOML)")
      ->excludes(format)
      ->excludes(topology);
  CLI::Option* const root =
      add_file(*app, "--root", flags->root, "folder to read as / instead of this machine", "FOLDER");
  add_file(*app, "--gpus", flags->gpus, "table of GPUs (JSON) to read instead of the driver")->needs(root);
  add_file(*app, "--redfish", flags->redfish,
           "what the board's controller says: a Redfish tree as DMTF's Mockup Creator saves it", "FOLDER");
  add_file(*app, "-o,--output", flags->output, "default: standard output");
  return {app, [flags] {
            std::string text;
            int exit_code = 0;
            if (flags->baseline)
              text = baseline(*flags);
            else if (flags->nccl_topology.empty())
              text = described(machine_of(*flags), flags->format);
            else
              exit_code = compare_with_nccl(*flags, text);
            if (flags->output.empty())
              std::cout << text;
            else
              core::write_whole_file(flags->output, text);
            return exit_code;
          }};
}

}  // namespace assay::cli

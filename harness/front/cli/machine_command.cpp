// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include "harness/core/whole_file.hpp"
#include "harness/front/cli/command.hpp"
#include "harness/front/cli/file_name.hpp"
#include "harness/machine/describe.hpp"
#include "harness/machine/machine.hpp"

namespace assay::cli {
namespace {

struct MachineFlags {
  std::string format = "text";
  std::string output;
};

std::string described(const machine::Machine& machine, const std::string& format) {
  if (format == "json") return machine::to_json(machine).dump(2) + "\n";
  if (format == "topology") return machine::topology_text(machine);
  if (format == "svg") return machine::topology_svg(machine);
  return machine::to_text(machine);
}

}  // namespace

Command machine_command(CLI::App& parent) {
  const auto flags = std::make_shared<MachineFlags>();
  CLI::App* app =
      parent.add_subcommand("machine", "Hardware and versions of this node, and its links as trained");
  app->add_option("--format", flags->format, "topology is a picture in text")
      ->check(CLI::IsMember({"text", "json", "topology", "svg"}))
      ->capture_default_str();
  add_file(*app, "-o,--output", flags->output, "default: standard output");
  return {app, [flags] {
            const std::string text = described(machine::look(), flags->format);
            if (flags->output.empty()) {
              std::cout << text;
              return 0;
            }
            core::write_whole_file(flags->output, text);
            return 0;
          }};
}

}  // namespace assay::cli

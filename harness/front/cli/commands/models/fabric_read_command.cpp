// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// assay fabric read: what a site's tools print of its cables, as a fabric file for the other commands.
#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "harness/core/files/whole_file.hpp"
#include "harness/core/process/exit_code.hpp"
#include "harness/front/answers/fabric/located_pairs.hpp"
#include "harness/front/answers/routes/routes_answer.hpp"
#include "harness/front/cli/command.hpp"
#include "harness/front/cli/flags/number_range.hpp"
#include "harness/front/cli/flags/ports_flag.hpp"
#include "model/fabric/site/links_file.hpp"
#include "model/fabric/site/site_names.hpp"
#include "model/fabric/site/subnet_lids.hpp"

namespace assay::cli {
namespace {

struct FabricReadFlags {
  std::string topology, output, lids;
  std::vector<std::string> ports, routes;
  double gbit_per_s = 400;
};

/// As from the folder of the fabric file.
std::vector<std::string> named_from_output(const FabricReadFlags& flags) {
  namespace fs = std::filesystem;
  if (flags.output.empty()) return flags.routes;
  const fs::path folder = fs::absolute(flags.output).parent_path();
  std::vector<std::string> names;
  for (const std::string& file : flags.routes)
    names.push_back(fs::path(file).is_absolute() ? file
                                                 : fs::absolute(file).lexically_proximate(folder).string());
  return names;
}

/// InfiniBand's switches forward by tables, not by hashes.
void note_missing_routes(const FabricReadFlags& flags, model::fabric::site::SiteFabric& site) {
  if (flags.routes.empty() && flags.topology.starts_with("ibnetdiscover="))
    site.assumed.emplace_back(
        "paths by hashing (routing ecmp), where an InfiniBand subnet forwards by tables: --routes FILE of "
        "dump_lfts or opensm-lfts.dump takes them, and routing.kind = \"adaptive\" is for adaptive routing");
}

int read_fabric(const FabricReadFlags& flags) {
  model::fabric::FabricFile rules;
  rules.link.gbit_per_s = flags.gbit_per_s;
  auto site = answers::site_of(rules, results::EvidenceFile{flags.topology}, flags.ports);
  if (!flags.lids.empty()) model::fabric::site::read_subnet_lids(flags.lids, site);
  note_missing_routes(flags, site);
  const std::string text =
      flags.routes.empty() ? model::fabric::site::links_file(site, flags.topology)
                           : model::fabric::site::links_file(site, flags.topology, named_from_output(flags));
  const std::vector<std::string> remarks =
      flags.routes.empty() ? std::vector<std::string>() : answers::route_remarks(text, flags.output);
  if (flags.output.empty()) {
    std::cout << text;
  } else {
    core::write_whole_file(flags.output, text);
    std::cout << fmt::format("{}: {}\n", flags.output, model::fabric::site::counts_of(site));
  }
  for (const std::string& line : site.assumed) std::cerr << fmt::format("assumed: {}\n", line);
  for (const std::string& line : site.notes) std::cerr << line << "\n";
  for (const std::string& line : remarks) std::cerr << line << "\n";
  return core::exit_code::pass;
}

}  // namespace

Command fabric_read_command(CLI::App& group) {
  const auto flags = std::make_shared<FabricReadFlags>();
  CLI::App* app = group.add_subcommand("read", "Make a fabric file of a site's list of cables");
  app->add_option("--topology", flags->topology, "ibnetdiscover, lldp (CSV or lldpcli's output) or slurm")
      ->type_name("KIND=FILE")
      ->required();
  app->add_option("--routes", flags->routes,
                  "forwarding tables: opensm-lfts.dump, or of dump_lfts, ibroute, ibdiagnet (.fdbs)")
      ->type_name("FILE")
      ->allow_extra_args(false);
  app->add_option("--lids", flags->lids, "where the list states none: opensm-subnet.lst")->type_name("FILE");
  add_ports(*app, flags->ports);
  app->add_option("-o,--output", flags->output, "write it here instead of printing it")->type_name("FILE");
  app->add_option("--gbit-per-s", flags->gbit_per_s, "rate of cables that the list does not state")
      ->check(number_between(1, 1e5))
      ->capture_default_str();
  return {app, [flags] { return read_fabric(*flags); }};
}

}  // namespace assay::cli

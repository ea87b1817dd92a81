// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// assay fabric locate: which element of a fabric explains its slow pairs.
#include <iostream>
#include <memory>
#include <optional>

#include "harness/core/error.hpp"
#include "harness/core/exit_code.hpp"
#include "harness/front/cli/addressed_routing.hpp"
#include "harness/front/cli/command.hpp"
#include "harness/front/cli/file_name.hpp"
#include "harness/front/cli/located_pairs.hpp"
#include "harness/front/cli/naming_file.hpp"
#include "harness/front/cli/open_store.hpp"
#include "harness/front/cli/stored_pairs.hpp"
#include "model/fabric/file/build_fabric.hpp"

namespace assay::cli {
namespace {

namespace fabric = model::fabric;
namespace locate = model::fabric::locate;
namespace site = model::fabric::site;

struct LocateFlags {
  std::string fabric, pairs, store, run, cases = "rdma.verbs.pairs", topology, rule = "auto", ran = "auto";
  std::vector<std::string> set;
  std::optional<std::uint32_t> hosts_per_machine;
  std::size_t next = 4;
  bool json = false;
};

locate::MeasuredPairs pairs_from(const LocateFlags& flags, const fabric::FabricFile& file,
                                 const fabric::Topology& topology, const locate::NodeNames& names) {
  if (flags.pairs.empty() == flags.store.empty())
    core::usage_error("expected either --pairs FILE or --store FILE");
  if (!flags.pairs.empty()) return locate::read_pairs(flags.pairs, topology, names);
  const std::optional<std::string> run = flags.run.empty() ? std::nullopt : std::optional(flags.run);
  const results::Store store = open_existing_store(flags.store);
  if (flags.cases.starts_with("collectives."))
    return stored_collectives(store, run, flags.cases, file, topology, names);
  return stored_pairs(store, run, flags.cases, topology, names);
}

int run_locate(const LocateFlags& flags) {
  std::vector<fabric::KeyValue> replaced;
  for (const std::string& text : flags.set) replaced.push_back(fabric::key_value(text, "--set"));
  const fabric::FabricFile file = fabric::read_fabric(flags.fabric, replaced);
  const auto topology =
      flags.topology.empty() ? std::nullopt : std::optional(results::EvidenceFile{flags.topology});
  const site::SiteFabric site = site_of(file, topology);
  const locate::NodeNames names(site.topology, site.names);
  locate::MeasuredPairs pairs = pairs_from(flags, file, site.topology, names);
  if (flags.ran != "auto")
    pairs.concurrency = flags.ran == "together" ? locate::Concurrency::together : locate::Concurrency::alone;
  const fabric::Router router(site.topology, addressed_routing(file, site, topology.has_value(), pairs));
  const std::uint32_t per_machine =
      flags.hosts_per_machine.value_or(topology ? 0 : fabric::hosts_per_machine(file));
  const locate::Elements elements(site.topology, per_machine, site.names);
  if (topology) refuse_without_paths(router, site, pairs, topology->name);
  LocatedPairs located = locate_pairs(
      pairs, router, elements, {.rule = flags.rule, .next = flags.next, .hash_known = file.states_hash});
  located.report.assumed = site.assumed;
  const locate::LocationReport& report = located.report;
  std::cout << (flags.json ? to_json(report) : to_text(report));
  if (!report.location.suspects.empty()) return core::exit_code::fail;
  return located.incidence->unseen().empty() ? core::exit_code::pass : core::exit_code::inconclusive;
}

}  // namespace

Command fabric_locate_command(CLI::App& group) {
  const auto flags = std::make_shared<LocateFlags>();
  CLI::App* app = group.add_subcommand("locate", "Which link, cable, switch or host explains slow pairs");
  add_file(*app, "fabric", flags->fabric, "who is wired to whom, and by which rules (TOML)", "FABRIC")
      ->required();
  add_file(*app, "--pairs", flags->pairs, "measured pairs (CSV)");
  app->add_option("--store", flags->store, "measured pairs, patterns or collectives")->type_name("FILE");
  app->add_option("--run", flags->run, "of the store; default: the latest; of collectives, all")
      ->type_name("ID");
  app->add_option("--cases", flags->cases, "of the store: rdma.* by flow, collectives.* as a whole")
      ->type_name("GLOB")
      ->capture_default_str();
  app->add_option("--topology", flags->topology, "instead of FABRIC's: ibnetdiscover, lldp or slurm")
      ->type_name("KIND=FILE");
  app->add_option("--set", flags->set, "replace a key of FABRIC: routing.hash=crc32")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  app->add_option("--ran", flags->ran,
                  "whether pairs of a round ran at once; auto: together where rounds are")
      ->check(CLI::IsMember({"auto", "alone", "together"}))
      ->capture_default_str();
  app->add_option("--queue-pair-rule", flags->rule,
                  "what a slow queue pair does to its flow; auto: what explains more")
      ->check(CLI::IsMember({"auto", "slowest", "average"}))
      ->capture_default_str();
  app->add_option("--hosts-per-machine", flags->hosts_per_machine,
                  "hosts in a row that are ports of one machine; default: host.gpus of FABRIC")
      ->type_name("N");
  app->add_option("--next", flags->next, "pairs to measure next, where several elements are possible")
      ->check(CLI::Range(0, 1000).description(""))
      ->type_name("N")
      ->capture_default_str();
  app->add_flag("--json", flags->json, "print every number as JSON");
  app->footer(
      "Exit code 0: no element is shown to be slow. 1: one is. 3: none is, but links were not crossed.");
  return {app, [flags] { return naming_file(flags->fabric, [&] { return run_locate(*flags); }); }};
}

}  // namespace assay::cli

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// assay fabric locate: which element of a fabric explains its slow pairs.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>

#include "harness/core/error.hpp"
#include "harness/core/exit_code.hpp"
#include "harness/front/cli/command.hpp"
#include "harness/front/cli/file_name.hpp"
#include "harness/front/cli/open_store.hpp"
#include "harness/front/cli/stored_pairs.hpp"
#include "model/fabric/file/build_fabric.hpp"
#include "model/fabric/locate/location_report.hpp"
#include "model/fabric/site/ibnetdiscover.hpp"
#include "model/fabric/site/neighbour_csv.hpp"
#include "model/fabric/site/slurm_topology.hpp"

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

/// Of KIND=FILE.
site::SiteFabric read_site(const std::string& text, fabric::LinkSpeed speed) {
  const std::size_t equals = text.find('=');
  const std::string kind = text.substr(0, equals);
  const std::string file = equals == std::string::npos ? "" : text.substr(equals + 1);
  if (file.empty()) core::usage_error(fmt::format("--topology {}: expected KIND=FILE", text));
  if (kind == "ibnetdiscover") return site::read_ibnetdiscover(file, speed);
  if (kind == "lldp") return site::read_neighbours(file, speed);
  if (kind == "slurm") return site::read_slurm_topology(file, speed);
  core::usage_error(fmt::format("--topology {}: expected ibnetdiscover, lldp or slurm before '='", text));
}

site::SiteFabric topology_from(const LocateFlags& flags, const fabric::FabricFile& file) {
  if (!flags.topology.empty()) return read_site(flags.topology, file.link);
  return {fabric::topology_of(file), {}};
}

locate::MeasuredPairs pairs_from(const LocateFlags& flags, const fabric::Topology& topology,
                                 const locate::NodeNames& names) {
  if (flags.pairs.empty() == flags.store.empty())
    core::usage_error("expected either --pairs FILE or --store FILE");
  if (!flags.pairs.empty()) return locate::read_pairs(flags.pairs, topology, names);
  const std::optional<std::string> run = flags.run.empty() ? std::nullopt : std::optional(flags.run);
  return stored_pairs(open_existing_store(flags.store), run, flags.cases, topology, names);
}

struct Located {
  std::unique_ptr<locate::Incidence> incidence;
  locate::LocationReport report;

  double gain() const {
    double sum = 0;
    for (const locate::Suspect& one : report.location.suspects) sum += one.gain;
    return sum;
  }
};

Located locate_by(locate::QueuePairRule rule, const locate::MeasuredPairs& pairs,
                  const fabric::Router& router, const locate::Elements& elements, std::size_t next) {
  Located located{
      std::make_unique<locate::Incidence>(router, elements, pairs.measurements, pairs.concurrency, rule), {}};
  located.report = locate::locate_and_report(
      router, elements, *located.incidence, pairs.measurements, {},
      {.pairs = next, .ports_known = router.settings().kind != fabric::RoutingKind::adaptive});
  located.report.rule = rule;
  return located;
}

/// Where flows have several queue pairs and no rule is asked for: by the rule that explains more.
Located locate_pairs(const std::string& rule, const locate::MeasuredPairs& pairs,
                     const fabric::Router& router, const locate::Elements& elements, std::size_t next) {
  const bool several = std::ranges::any_of(pairs.measurements, [](const locate::Measurement& one) {
    return std::ranges::any_of(one.flows,
                               [](const locate::MeasuredFlow& flow) { return flow.queue_pairs.size() > 1; });
  });
  if (rule == "average") return locate_by(locate::QueuePairRule::average, pairs, router, elements, next);
  Located slowest = locate_by(locate::QueuePairRule::slowest, pairs, router, elements, next);
  if (rule == "slowest" || !several) return slowest;
  Located average = locate_by(locate::QueuePairRule::average, pairs, router, elements, next);
  return average.gain() > slowest.gain() ? std::move(average) : std::move(slowest);
}

int run_locate(const LocateFlags& flags) {
  std::vector<fabric::KeyValue> replaced;
  for (const std::string& text : flags.set) replaced.push_back(fabric::key_value(text, "--set"));
  const fabric::FabricFile file = fabric::read_fabric(flags.fabric, replaced);
  const site::SiteFabric site = topology_from(flags, file);
  const locate::NodeNames names(site.topology, site.names);
  locate::MeasuredPairs pairs = pairs_from(flags, site.topology, names);
  if (flags.ran != "auto")
    pairs.concurrency = flags.ran == "together" ? locate::Concurrency::together : locate::Concurrency::alone;
  const fabric::Router router(site.topology, file.routing);
  const std::uint32_t per_machine =
      flags.hosts_per_machine.value_or(flags.topology.empty() ? file.server.gpus : 0);
  const locate::Elements elements(site.topology, per_machine, site.names);
  Located located = locate_pairs(flags.rule, pairs, router, elements, flags.next);
  locate::LocationReport& report = located.report;
  report.origin = pairs.origin;
  report.concurrency = pairs.concurrency;
  report.flows = pairs.flows;
  report.known_paths = pairs.known_paths;
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
  app->add_option("--store", flags->store, "pairs that the rdma module measured")->type_name("FILE");
  app->add_option("--run", flags->run, "of the store; default: the latest")->type_name("ID");
  app->add_option("--cases", flags->cases, "of the store")->type_name("GLOB")->capture_default_str();
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
      ->type_name("N")
      ->capture_default_str();
  app->add_flag("--json", flags->json, "print every number as JSON");
  app->footer(
      "Exit code 0: no element is shown to be slow. 1: one is. 3: none is, but links were not crossed.");
  return {app, [flags] { return run_locate(*flags); }};
}

}  // namespace assay::cli

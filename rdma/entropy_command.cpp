// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/entropy_command.hpp"

#include <CLI/CLI.hpp>
#include <iostream>

#include "harness/core/error.hpp"
#include "harness/core/process/exit_code.hpp"
#include "harness/path/udp_port.hpp"
#include "rdma/path/entropy_report.hpp"

namespace assay::rdma {

namespace {

struct EntropyFlags {
  std::string qps, labels, ports, rule = "label", hash_seed = "0";
  std::vector<std::string> sources = {"10.0.0.1"}, destinations = {"10.0.0.2"};
  EntropyOptions options;
  bool table = false, brief = false;
};

void describe_flows(CLI::App& app, EntropyFlags& flags) {
  app.add_option("--qps", flags.qps, "pairs of QP numbers, e.g. 0x11a:0x2c4,0x11b:0x2c5 or 0x11a:0x2c4+1*16")
      ->type_name("LOCAL:REMOTE[+STEP*COUNT],...");
  app.add_option("--labels", flags.labels, "flow labels; with --qps dealt to them in turn")
      ->type_name("N[+STEP*COUNT],...");
  app.add_option("--ports", flags.ports, "UDP source ports instead, as a driver reports them")
      ->type_name("N[+STEP*COUNT],...");
  app.add_option(
         "--rule", flags.rule,
         "label: RC and UC; rxe-ud: the UD QPs of rdma_rxe, whose port follows from the local QP alone")
      ->check(CLI::IsMember({"label", "rxe-ud"}))
      ->capture_default_str();
  app.add_option("--source", flags.sources, "the sender's address; repeat for more pairs")
      ->allow_extra_args(false)
      ->capture_default_str();
  app.add_option("--destination", flags.destinations, "the receiver's address, as often as --source")
      ->allow_extra_args(false)
      ->capture_default_str();
}

std::unique_ptr<CLI::App> describe(EntropyFlags& flags) {
  auto app = std::make_unique<CLI::App>(
      "How RoCEv2 flows spread over uplinks, before a packet is sent (simulated)", "assay-rdma entropy");
  describe_flows(*app, flags);
  EntropyOptions& options = flags.options;
  app->add_option("--uplinks", options.uplinks, "numbers of uplinks, e.g. 16,32")
      ->delimiter(',')
      ->capture_default_str();
  app->add_option("--hash-seed", flags.hash_seed, "of the switch model")->capture_default_str();
  app->add_option("--rounds", options.rounds, "ideal hashes drawn")
      ->check(CLI::Range(1, 10000000))
      ->capture_default_str();
  app->add_option("--seed", options.seed, "of the draws")->capture_default_str();
  app->add_flag("--propose-labels", options.propose_labels,
                "flow labels that would spread evenly under the crc32 model");
  app->add_flag("--brief", flags.brief, "do not list the flows");
  app->add_flag("--table", flags.table,
                "only what ideal hashes give, for usual numbers of uplinks and flows");
  return app;
}

std::vector<RoceFlow> chosen_flows(const EntropyFlags& flags) {
  constexpr std::uint32_t highest_port = 65535;
  const auto labels = flags.labels.empty() ? std::vector<std::uint32_t>()
                                           : parse_numbers(flags.labels, path::flow_label_mask, "flow label");
  if (!flags.ports.empty()) {
    if (!flags.qps.empty() || !labels.empty())
      core::usage_error("--ports stands instead of --qps and --labels");
    return flows_of_ports(parse_numbers(flags.ports, highest_port, "UDP port"));
  }
  if (flags.qps.empty() && labels.empty())
    core::usage_error("no flow: give --qps, --labels or --ports, or ask for --table");
  if (flags.qps.empty()) return flows_of_labels(labels);
  const PortRule rule = flags.rule == "rxe-ud" ? PortRule::rxe_ud : PortRule::flow_label;
  if (rule == PortRule::rxe_ud && !labels.empty())
    core::usage_error("--rule rxe-ud takes no --labels: rdma_rxe does not heed the label of a UD QP");
  return flows_of_qps(parse_qp_pairs(flags.qps), labels, rule);
}

std::vector<AddressPair> chosen_addresses(const EntropyFlags& flags) {
  if (flags.sources.size() != flags.destinations.size())
    core::usage_error("--source is given " + std::to_string(flags.sources.size()) +
                      " times and --destination " + std::to_string(flags.destinations.size()) +
                      " times: they go in pairs");
  std::vector<AddressPair> pairs;
  for (std::size_t at = 0; at < flags.sources.size(); ++at) {
    pairs.push_back({path::address_bytes(flags.sources[at]), path::address_bytes(flags.destinations[at])});
    if (pairs.back().source.size() != pairs.back().destination.size())
      core::usage_error(flags.sources[at] + " and " + flags.destinations[at] + " are not of one IP version");
  }
  return pairs;
}

std::string answer(EntropyFlags& flags) {
  if (flags.table) return entropy_table(flags.options.rounds, flags.options.seed);
  flags.options.hash_seed = parse_numbers(flags.hash_seed, 0xFFFFFFFF, "hash seed").front();
  flags.options.flows = chosen_flows(flags);
  flags.options.addresses = chosen_addresses(flags);
  flags.options.list_flows = !flags.brief;
  return entropy_report(flags.options);
}

}  // namespace

int entropy_command(int argc, char** argv) {
  EntropyFlags flags;
  const auto app = describe(flags);
  try {
    app->parse(argc, argv);
    std::cout << answer(flags);
    return core::exit_code::pass;
  } catch (const CLI::CallForHelp&) {
    std::cout << app->help();
    return core::exit_code::pass;
  } catch (const CLI::ParseError& error) {
    std::cerr << "assay-rdma entropy: " << error.what() << " (see --help)\n";
  } catch (const core::Error& error) {
    if (error.kind() != core::ErrorKind::usage) throw;
    std::cerr << "assay-rdma entropy: " << error.what() << "\n";
  }
  return core::exit_code::usage;
}

}  // namespace assay::rdma

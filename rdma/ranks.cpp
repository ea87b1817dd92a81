// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/ranks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <thread>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/core/process/exit_code.hpp"
#include "harness/team/forwarding_team.hpp"
#include "harness/team/handshake/dial.hpp"
#include "harness/team/handshake/hello.hpp"
#include "harness/team/join/launched_follower.hpp"
#include "harness/team/join/launched_place.hpp"
#include "harness/team/join/launched_team.hpp"
#include "harness/team/join/serve.hpp"
#include "harness/team/lockstep.hpp"
#include "harness/team/thread_team.hpp"
#include "rdma/cases.hpp"

namespace assay::rdma {
namespace {

/// Rank 0 of a team whose other rank is a thread of this process: this host's device against itself.
class LoopbackTeam final : public team::ForwardingTeam {
 public:
  explicit LoopbackTeam(team::CasesOf cases_of)
      : cases_of_(std::move(cases_of)), host_(team::hello_of_this_host().host) {
    std::vector<std::unique_ptr<team::Team>> teams = team::make_thread_teams(2);
    forward_to(std::move(teams[0]));
    second_ = std::thread([this, own = std::move(teams[1])] {
      try {
        team::follow(*own, cases_of_);
      } catch (const std::exception&) {
        // Rank 0 has gone, or knows what failed.
      }
    });
  }
  ~LoopbackTeam() override {
    leave();
    second_.join();
  }

  std::string host_of(int) const override { return host_; }

 private:
  team::CasesOf cases_of_;
  std::string host_;
  std::thread second_;
};

team::CasesOf cases_of(const machine::Machine& machine) {
  return [&machine](team::Team& team) { return cases(machine, team); };
}

/// Ranks that a launcher started must have been given the same points.
team::Hello hello_of(const std::vector<std::string>& arguments) {
  return team::hello_of_this_host({{"arguments", fmt::format("{}", fmt::join(arguments, " "))}});
}

/// A follower parses no more of them: the leader knows what they mean.
std::string interface_among(const std::vector<std::string>& arguments) {
  constexpr std::string_view option = "--interface";
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == option && i + 1 < arguments.size()) return arguments[i + 1];
    if (arguments[i].starts_with("--interface=")) return arguments[i].substr(option.size() + 1);
  }
  return {};
}

/// Hosts that an engine did not start have MUNGE's key in common only by chance.
team::TeamKey key_between_hosts(const team::KeyFlags& flags) {
  return team::team_key(flags, team::environment_of_this_process(), team::MayMunge::no);
}

void add_key_options(CLI::App& app, team::KeyFlags& flags) {
  app.add_option("--key-file", flags.file, team::key_file_help)->type_name("FILE");
  app.add_flag("--open", flags.open, team::open_help);
}

}  // namespace

void add_rank_options(CLI::App& app, RankOptions& options) {
  app.add_option("HOST", options.hosts,
                 "hosts that run `assay-rdma serve`: NAME, NAME:PORT (default: the ranks of a launcher, else "
                 "this host against itself)")
      ->envname("ASSAY_RDMA_HOSTS")
      ->delimiter(',');
  app.add_option("--port", options.port, "port of hosts that name none (default: 18540)")->type_name("PORT");
  app.add_option("--interface", options.interface, "interface or local address for control messages")
      ->type_name("NAME");
  app.add_option("--connect-limit", options.connect_limit_s, "seconds a host may take to answer")
      ->check(CLI::PositiveNumber)
      ->type_name("SECONDS")
      ->capture_default_str();
  add_key_options(app, options.key);
}

int planned_ranks(const RankOptions& options) {
  constexpr int loopback = 2;
  if (!options.hosts.empty()) return static_cast<int>(options.hosts.size()) + 1;
  const auto place = team::launched_place();
  return place ? place->size : loopback;
}

std::unique_ptr<team::Team> form_team(const RankOptions& options, const machine::Machine& machine,
                                      const std::vector<std::string>& arguments, bool again) {
  if (!options.hosts.empty())
    return team::dial_team(options.hosts, team::hello_of_this_host(),
                           {.connect_limit_s = options.connect_limit_s,
                            .interface = options.interface,
                            .port = options.port == 0 ? team::default_port : options.port,
                            .key = key_between_hosts(options.key)});
  if (!team::launched_place()) return std::make_unique<LoopbackTeam>(cases_of(machine));
  if (again)
    throw core::Error(core::ErrorKind::team, "a rank was lost, and only the launcher can start it again");
  return team::team_from_environment(hello_of(arguments),
                                     {.interface = options.interface, .key_flags = options.key});
}

std::optional<int> follow_if_launched(const std::vector<std::string>& arguments,
                                      const WitnessOf& witness_of) {
  return team::as_launched_follower("assay-rdma", [&](int rank) {
    if (why_none_runs()) return;  // rank 0 says so of each point
    const auto team = team::team_from_environment(
        hello_of(arguments),
        {.interface = interface_among(arguments), .key_flags = team::key_flags_among(arguments)});
    const machine::Machine machine = machine::look();
    const auto witness = witness_of(rank, machine);
    team::follow(*team, cases_of(machine), witness.get());
  });
}

int serve_command(int argc, char** argv) {
  team::ServeOptions options;
  team::KeyFlags key;
  CLI::App app("Waits for a leader (`assay-rdma HOST`) and measures with it, one leader at a time",
               "assay-rdma serve");
  app.add_option("--port", options.port, "port to listen at")->type_name("PORT")->capture_default_str();
  app.add_option("--interface", options.interface,
                 "interface or local address to listen at (default: all; without a key "
                 "loopback)")
      ->type_name("NAME");
  add_key_options(app, key);
  try {
    app.parse(argc, argv);
    if (const auto why = why_none_runs()) core::usage_error(*why);
    options.key = key_between_hosts(key);
    team::Server server(options, team::hello_of_this_host());
    if (options.key.source == team::KeySource::none)
      std::cerr << "assay-rdma serve: no key: only this host is served; --key-file FILE lets others in\n";
    server.run([](team::Team& team) {
      const machine::Machine machine = machine::look();
      team::follow(team, cases_of(machine));
    });
    return core::exit_code::pass;
  } catch (const CLI::CallForHelp&) {
    std::cout << app.help();
    return core::exit_code::pass;
  } catch (const CLI::ParseError& error) {
    std::cerr << fmt::format("assay-rdma serve: {} (see --help)\n", error.what());
    return core::exit_code::usage;
  } catch (const core::Error& error) {
    std::cerr << fmt::format("assay-rdma serve: {}\n", error.what());
    return error.kind() == core::ErrorKind::usage ? core::exit_code::usage : core::exit_code::inconclusive;
  }
}

}  // namespace assay::rdma

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "harness/core/error.hpp"
#include "harness/front/cli/command.hpp"
#include "harness/front/cli/flags/open_store.hpp"
#include "harness/front/cli/output/render_table.hpp"
#include "results/judge/series/fleet_standing.hpp"
#include "results/show/card.hpp"
#include "results/show/peer_styles.hpp"
#include "results/show/show.hpp"
#include "results/table/table.hpp"

namespace assay::cli {
namespace {

struct ShowFlags {
  std::string table = "card", store, format = "text", run, filter, style;
  std::int64_t limit = 0;
};

/// All runs of the store together, whatever --run says.
results::Table fleet_table(const results::Store& store, const ShowFlags& flags) {
  if (!flags.run.empty()) core::usage_error("show fleet is of all runs in the store: expected no --run");
  const results::FleetStanding standing = results::standing_of(results::read_fleet(store, flags.filter, {}));
  return results::host_table(standing, flags.limit);
}

/// `program`: one of peer_styles.
const results::PeerStyle& peer_style(const std::string& program) {
  return *std::ranges::find(results::peer_styles, program, &results::PeerStyle::program);
}

/// A style is of one module, and is text.
void refuse_other_than_style(const ShowFlags& flags) {
  if (flags.style.empty()) return;
  const std::string table = peer_style(flags.style).module;
  if (flags.table != "card" && flags.table != table)
    core::usage_error(
        fmt::format("show {} --style {}: expected the table '{}', or none", flags.table, flags.style, table));
  if (!is_text(flags.format) || flags.limit != 0)
    core::usage_error("show: --style excludes --format and --limit");
}

int show_in_style(const results::Store& store, const ShowFlags& flags) {
  std::cout << peer_style(flags.style).text(results::RunPoints(store, flags.run), flags.filter);
  return 0;
}

int show(const ShowFlags& flags) {
  refuse_other_than_style(flags);
  const results::Store store = open_existing_store(flags.store);
  if (!flags.style.empty()) return show_in_style(store, flags);
  if (flags.table == "card") {
    std::cout << results::node_card(results::RunPoints(store, flags.run));
    return 0;
  }
  if (flags.table == "fleet") {
    std::cout << render_table(fleet_table(store, flags), flags.format);
    return 0;
  }
  results::ShowOptions options{.filter = flags.filter, .limit = flags.limit};
  if (!flags.run.empty()) options.run = flags.run;
  std::cout << render_table(results::make_table(store, flags.table, options), flags.format);
  return 0;
}

}  // namespace

Command show_command(CLI::App& parent) {
  const auto flags = std::make_shared<ShowFlags>();
  CLI::App* app = parent.add_subcommand("show", "Print tables from the store");
  std::vector<std::string> names = results::table_names();
  names.insert(names.begin(), {"card", "fleet"});
  app->add_option("table", flags->table, "see below")
      ->check(CLI::IsMember(names))
      ->capture_default_str()
      ->type_name("TABLE");
  add_store_option(*app, flags->store);
  app->add_option("--run", flags->run, "default: the latest")->type_name("ID");
  app->add_option("--filter", flags->filter, "only cases, or case/point, that match this glob")
      ->type_name("GLOB");
  app->add_option("--limit", flags->limit, "at most this many rows")->type_name("N");
  add_format_option(*app, flags->format);
  std::vector<std::string> programs;
  for (const results::PeerStyle& style : results::peer_styles) programs.emplace_back(style.program);
  app->add_option("--style", flags->style,
                  "columns of another program: nccl-tests (collectives), perftest (rdma); N/A: not measured")
      ->check(CLI::IsMember(programs))
      ->type_name("PROGRAM");
  std::string footer =
      "Tables:\n  card         what this node is and does, on one screen\n"
      "  fleet        one line per host over all runs, the worst first\n";
  for (const results::TableName& table : results::table_descriptions())
    footer += fmt::format("  {:<12} {}\n", table.name, table.about);
  app->footer(footer);
  return {app, [flags] { return show(*flags); }};
}

}  // namespace assay::cli

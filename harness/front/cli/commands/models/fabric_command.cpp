// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// assay fabric: what a fabric is, and how long workloads take on it, simulated.
#include <fmt/format.h>
#include <unistd.h>

#include <iostream>

#include "harness/core/files/whole_file.hpp"
#include "harness/core/process/exit_code.hpp"
#include "harness/front/answers/fabric/fabric_answers.hpp"
#include "harness/front/answers/fabric/naming_file.hpp"
#include "harness/front/cli/command.hpp"
#include "harness/front/cli/flags/fabric_measured_flags.hpp"
#include "harness/front/cli/flags/fabric_orders.hpp"
#include "harness/front/cli/flags/file_name.hpp"
#include "harness/front/cli/flags/own_command_line.hpp"
#include "harness/front/cli/output/render_table.hpp"
#include "harness/front/cli/output/status_line.hpp"
#include "model/fabric/simulate/answer/answer.hpp"

namespace assay::cli {
namespace {

namespace fabric = model::fabric;

struct FabricFlags : answers::FabricQuestion {
  std::string format = "text", margin = "1%", at_most, order, as = "csv", names;
  std::vector<std::string> vary;
  bool json = false, scale_to_measured = false, details = false;
};

std::string tables_text(const std::vector<results::Table>& tables, const std::string& format) {
  const bool list = format == "json";
  std::string text;
  for (const results::Table& table : tables) {
    if (!text.empty()) text += list ? ",\n" : "\n";
    text += render_table(table, format);
  }
  return list ? "[" + text + "]\n" : text;
}

int print(const fabric::Answer& answer, const FabricFlags& flags) {
  if (flags.json) {
    std::cout << answer.json << "\n";
  } else if (flags.format == "csv" || flags.format == "json") {
    std::cout << tables_text(answer.tables, flags.format);
  } else {
    std::cout << answer.sentence << "\n";
    for (const std::string& note : answer.notes) std::cout << note << "\n";
    std::cout << (answer.tables.empty() ? "" : "\n") << tables_text(answer.tables, flags.format);
  }
  if (!answer.holds && (flags.json || flags.format == "csv" || flags.format == "json"))
    std::cerr << fmt::format("assay: {}\n", answer.sentence);
  return answer.holds ? core::exit_code::pass : core::exit_code::fail;
}

/// Returns the answer of `ask`, while standard error shows how far its simulations are.
template <class Ask>
auto watched(FabricFlags& flags, const Ask& ask) {
  StatusLine status(std::cerr, isatty(STDERR_FILENO) == 1,
                    fmt::format("simulating {}", flags.workload.file + flags.collective.name));
  flags.command_line = own_command_line();
  flags.progress = [&status](std::size_t done, std::size_t of) { status.show(done, of); };
  return ask(flags);
}

/// Text has tables where --details asks for them, other formats always.
int simulate(FabricFlags& flags) {
  fabric::Answer answer =
      watched(flags, [](const FabricFlags& of) { return answers::simulate(of, of.scale_to_measured); });
  if (!flags.details && !flags.json && is_text(flags.format) && !answer.tables.empty()) {
    answer.tables.clear();
    answer.notes.emplace_back("Steps, loads of links, slowest ranks and what would help: --details.");
  }
  return print(answer, flags);
}

int compare(FabricFlags& flags) {
  return print(watched(flags, [](const FabricFlags& of) { return answers::compare(of, of.vary, of.margin); }),
               flags);
}

int size(FabricFlags& flags) {
  return print(watched(flags, [](const FabricFlags& of) { return answers::size(of, of.at_most); }), flags);
}

int place(FabricFlags& flags) {
  const answers::Placement placed = watched(flags, [](const FabricFlags& of) {
    return answers::place(of, of.order.empty() ? std::vector<std::string>() : names_in(of.names), of.names);
  });
  if (!flags.order.empty() && !placed.places.empty())
    core::write_whole_file(flags.order,
                           order_text(flags.as, flags.as == "csv" ? placed.places : placed.named_places));
  return print(placed.answer, flags);
}

void add_fabric(CLI::App& app, FabricFlags& flags) {
  add_file(app, "fabric", flags.fabric.file, "who is wired to whom, and by which rules (TOML)", "FABRIC")
      ->required();
  app.add_option("--set", flags.set, "replace a key of FABRIC: routing.queue_pairs=16")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  app.add_flag("--json", flags.json, "print every number as JSON");
  add_format_option(app, flags.format);
  add_measured(app, flags.measured);
}

constexpr const char* usual_seeds = "20, on more than 1,024 GPUs 5 and 8,192 one, where no switch hashes 1";

void add_seeds(CLI::App& app, FabricFlags& flags, const std::string& usual = "1") {
  app.add_option("--seeds", flags.seeds,
                 fmt::format("simulate hash seeds 1 to N: median and 5 to 95 % (default: {})", usual))
      ->type_name("N")
      ->check(CLI::Range(1, 100000).description(""));
  app.add_option("--threads", flags.threads, "change no digit")
      ->type_name("N")
      ->check(CLI::Range(1, 1024).description(""))
      ->capture_default_str();
  add_file(app, "--journal", flags.journal, "append records of every simulation, for assay import", "FILE");
  app.add_option("--sharing", flags.sharing, "how flows share links; auto says which")
      ->check(CLI::IsMember({"auto", "bound", "max-min", "occupancy"}))
      ->capture_default_str();
}

/// One collective in the words of nccl-tests, in place of a file.
void add_collective(CLI::App& app, FabricFlags& flags, CLI::Option* file) {
  CLI::Option* name = app.add_option("--collective", flags.collective.name,
                                     "in place of WORKLOAD: all_reduce, all_to_all, permutation, ...")
                          ->type_name("NAME")
                          ->excludes(file);
  app.add_option("--bytes", flags.collective.bytes, "of the collective, as nccl-tests counts: 1GiB")
      ->type_name("SIZE")
      ->needs(name);
  app.add_option("--algorithm", flags.collective.algorithm,
                 "ring, doubling, ... (default: the first that it has)")
      ->type_name("NAME")
      ->needs(name);
  app.add_option("--ranks", flags.collective.ranks, "the first N GPUs (default: all)")
      ->type_name("N")
      ->check(CLI::PositiveNumber)
      ->needs(name);
  app.final_callback([file, name] {
    if (file->empty() && name->empty()) throw CLI::RequiredError("workload (or --collective NAME)");
  });
}

void add_simulation(CLI::App& app, FabricFlags& flags, const std::string& seeds = "1") {
  add_fabric(app, flags);
  CLI::Option* file =
      add_file(app, "workload", flags.workload.file, "who sends what when (TOML)", "WORKLOAD");
  add_collective(app, flags, file);
  add_seeds(app, flags, seeds);
}

CLI::App* add_simulate(CLI::App& group, FabricFlags& flags) {
  CLI::App* app = group.add_subcommand(
      "simulate", "Time of each step, bandwidth, busiest links, slowest ranks, what would help");
  add_simulation(*app, flags, usual_seeds);
  app->add_flag("--details", flags.details, "also print tables: steps, loads of links, slowest ranks, ...");
  app->add_flag("--scale-to-measured", flags.scale_to_measured,
                "times of collectives as much longer as the run's were than simulated")
      ->needs(app->get_option("--store"));
  return app;
}

CLI::App* add_expect(CLI::App& group, FabricFlags& flags) {
  CLI::App* app = group.add_subcommand(
      "expect", "Collectives and patterns of a run against what the fabric should do with its coefficients");
  add_fabric(*app, flags);
  app->get_option("--store")->required();
  add_seeds(*app, flags);
  return app;
}

CLI::App* add_size(CLI::App& group, FabricFlags& flags) {
  CLI::App* app = group.add_subcommand(
      "size", "Least uplinks, queue pairs, buffer or window that reach a time, each alone");
  add_simulation(*app, flags);
  app->add_option("--at-most", flags.at_most, "for the workload: 12ms")->type_name("TIME")->required();
  return app;
}

CLI::App* add_place(CLI::App& group, FabricFlags& flags) {
  CLI::App* app = group.add_subcommand(
      "place", "An order of ranks that keeps traffic within racks and zones; times before and after");
  add_simulation(*app, flags);
  add_file(*app, "-o,--order", flags.order, "write the order here", "FILE");
  app->add_option("--as", flags.as,
                  "csv (rank,host,gpu), an MPI hostfile, or for Slurm's arbitrary distribution")
      ->check(CLI::IsMember({"csv", "hostfile", "slurm"}))
      ->capture_default_str();
  add_file(*app, "--names", flags.names,
           "of servers, one a line; default: nodes of FABRIC, in CSV their numbers", "FILE");
  return app;
}

}  // namespace

Command fabric_command(CLI::App& parent) {
  const auto flags = std::make_shared<FabricFlags>();
  CLI::App* app =
      parent.add_subcommand("fabric", "Simulate a fabric: what it is, and how long workloads take on it");
  app->require_subcommand(1);
  CLI::App* shown =
      app->add_subcommand("describe", "Counts, ratios, diameter, round trip and cycles of buffers");
  add_fabric(*shown, *flags);
  CLI::App* simulated = add_simulate(*app, *flags);
  CLI::App* compared = app->add_subcommand("compare", "The workload under every combination of values");
  add_simulation(*compared, *flags);
  compared->add_option("--vary", flags->vary, "a key of FABRIC and its values: routing=ecmp,e-ecmp")
      ->type_name("KEY=A,B,...")
      ->required()
      ->allow_extra_args(false);
  compared->add_option("--margin", flags->margin, "times within it are equal")->capture_default_str();
  CLI::App *expected = add_expect(*app, *flags), *sized = add_size(*app, *flags),
           *placed = add_place(*app, *flags);
  const Command located = fabric_locate_command(*app), made = fabric_read_command(*app),
                routed = fabric_routes_command(*app), checked = fabric_check_command(*app),
                counted = fabric_counters_command(*app);
  app->footer("Exit code 1: the fabric is cut in two, its buffers can deadlock, or no size is enough.");
  return {app, [flags, shown, simulated, expected, sized, placed, located, made, routed, checked, counted] {
            for (const Command& own : {located, made, routed, checked, counted})
              if (own.app->parsed()) return own.run();
            return answers::naming_file(flags->fabric.file, [&] {
              if (shown->parsed()) return print(answers::describe(*flags), *flags);
              if (expected->parsed()) return print(answers::expect(*flags), *flags);
              if (sized->parsed()) return size(*flags);
              if (placed->parsed()) return place(*flags);
              return simulated->parsed() ? simulate(*flags) : compare(*flags);
            });
          }};
}

}  // namespace assay::cli

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <iostream>
#include <nlohmann/json.hpp>

#include "harness/core/error.hpp"
#include "harness/core/files/whole_file.hpp"
#include "harness/core/process/exit_code.hpp"
#include "harness/core/text/json_text.hpp"
#include "harness/front/answers/search_answer.hpp"
#include "harness/front/cli/command.hpp"
#include "harness/front/cli/flags/file_name.hpp"
#include "harness/front/cli/flags/number_range.hpp"
#include "harness/front/cli/flags/search_flags.hpp"
#include "harness/front/cli/output/render_table.hpp"
#include "harness/front/cli/output/tell_warnings.hpp"
#include "model/predict/answer/efficiency_sources.hpp"
#include "model/predict/read/read.hpp"

namespace assay::cli {
namespace {

struct Flags : answers::SearchQuestion {
  bool count = false, json = false;
  std::string output;
};

void write_best(const Flags& flags, const answers::SearchAnswer& answer) {
  if (answer.result.best.empty())
    core::usage_error(fmt::format("-o {}: nothing fits, so there is no mapping to write", flags.output));
  const nlohmann::json execution = model::to_json(answer.result.best.front().execution);
  core::write_whole_file(flags.output, core::json_text(execution, 2) + "\n");
}

int search(const Flags& flags) {
  if (flags.count) {
    std::cout << answers::count_space(flags) << "\n";
    return core::exit_code::pass;
  }
  const answers::SearchAnswer answer = answers::search(flags);
  print_warnings(answer.warnings);
  if (flags.json) {
    std::cout << core::json_text(answers::to_json(flags, answer), 2) << "\n";
  } else {
    std::cout << model::with_sources(
        model::to_text(answer.asked, answer.result, answer.constraints),
        model::efficiency_sources(flags.system, flags.settings, flags.coefficients));
    if (answer.sensitivity) std::cout << "\n" << render_table(model::to_table(*answer.sensitivity), "text");
  }
  if (!flags.output.empty()) write_best(flags, answer);
  return answer.result.feasible > 0 ? core::exit_code::pass : core::exit_code::fail;
}

void add_question(CLI::App& app, Flags& flags) {
  const auto count = [&](const char* name, std::int64_t& value, const char* form, const char* about) {
    app.add_option(name, value, about)->required()->type_name(form)->check(counts());
  };
  add_application(app, flags);
  count("processors", flags.processors, "PROCESSORS", "number of processors, all used");
  count("max_batch", flags.max_batch, "MAX_BATCH", "sequences per step at most");
  add_datatype(app, "datatype", flags)->required();
  add_system(app, flags)->required();
  add_model(app, flags);
  add_fused(app, flags);
  app.add_option("--context", flags.most_context, "context parallelism up to N (--model assay)")
      ->type_name("N")
      ->check(counts())
      ->capture_default_str();
  app.add_flag("--shard-parameters", flags.shards_parameters, "also weights in shards (--model assay)");
}

void add_limits(CLI::App& app, Flags& flags) {
  const auto pairs = [&](const char* name, std::vector<std::string>& values, const char* about) {
    app.add_option(name, values, about)->type_name("METRIC=VALUE")->allow_extra_args(false);
  };
  pairs("--at-most", flags.at_most, "upper limits: memory=80GB, tensor=8, ...");
  pairs("--at-least", flags.at_least, "lower limits: mfu=50%, microbatch=2, ...");
  add_settings(app, flags);
}

void add_answers(CLI::App& app, Flags& flags) {
  CLI::Option* top = app.add_option("--top", flags.top, "how many to print")
                         ->type_name("N")
                         ->check(counts())
                         ->capture_default_str();
  CLI::Option* pareto =
      app.add_flag("--pareto", flags.pareto, "also the front of speed, tier-1 memory and offload bandwidth");
  CLI::Option* sensitivity = app.add_flag("--sensitivity", flags.sensitivity,
                                          "also the optimum with each coefficient at both ends of its "
                                          "interval");
  app.add_option("--plus-minus", flags.plus_minus,
                 "interval of coefficients for which SYSTEM and fits state none")
      ->type_name("PERCENT")
      ->check(number_between(0.01, 50.0))
      ->needs(sensitivity)
      ->capture_default_str();
  CLI::Option* output = add_file(app, "-o,--output", flags.output,
                                 "write the fastest mapping here, as predict's EXECUTION", "FILE");
  CLI::Option* json = app.add_flag("--json", flags.json, "print JSON, with execution files and every number");
  CLI::Option* count = app.add_flag("--count", flags.count,
                                    "print only the number of configurations, ignoring constraints; excludes "
                                    "--top, --pareto, --sensitivity, --json, -o");
  // Not Option::excludes(), whose help names several in the order of their addresses.
  app.callback([count, answers = std::array{top, pareto, sensitivity, json, output}] {
    for (const CLI::Option* answer : answers)
      if (count->count() > 0 && answer->count() > 0)
        throw CLI::ExcludesError(count->get_name(), answer->get_name());
  });
  add_threads(app, flags);
}

}  // namespace

Command search_command(CLI::App& parent) {
  const auto flags = std::make_shared<Flags>();
  CLI::App* app =
      parent.add_subcommand("search", "Find the fastest ways to spread a model's training over processors");
  add_question(*app, *flags);
  add_limits(*app, *flags);
  add_answers(*app, *flags);
  app->footer(fmt::format(
      "Columns: t p d: tensor, pipeline, data parallelism; b: microbatch; v: chunks per processor; net: "
      "tiers\n"
      "of t p d; GiB 1, 2: memory needed on both tiers. Exit code 1: nothing fits.\n"
      "evaluated, avoided: times of mappings that fit which were worked out, or which a bound proves slower\n"
      "than the best; in JSON under \"counts\", with --model assay, --pareto or --sensitivity.\n"
      "Metrics: {}.\n"
      "Units: bytes 80GB or 80GiB, offload 100GB/s, step 12.5s, mfu 50%; degrees are whole numbers.",
      model::metric_names()));
  return {app, [flags] { return search(*flags); }};
}

}  // namespace assay::cli

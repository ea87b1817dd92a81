// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

#include "harness/core/exit_code.hpp"
#include "harness/front/cli/command.hpp"
#include "harness/front/cli/number_range.hpp"
#include "harness/front/cli/render_table.hpp"
#include "harness/front/cli/search_flags.hpp"
#include "harness/front/cli/tell_warnings.hpp"
#include "model/predict/measured_use.hpp"
#include "model/search/search.hpp"
#include "model/search/sensitivity.hpp"

namespace assay::cli {
namespace {

struct Flags : SearchFlags {
  std::vector<std::string> at_most, at_least;
  std::int64_t top = 10;
  double plus_minus = 10;  // percent
  bool count = false, json = false, pareto = false, sensitivity = false;
};

model::Constraints constraints(const Flags& flags) {
  model::Constraints all;
  for (const std::string& text : flags.at_most) all.add(model::Constraints::Side::at_most, text);
  for (const std::string& text : flags.at_least) all.add(model::Constraints::Side::at_least, text);
  return all;
}

model::Question question(const Flags& flags, const model::SystemFile& system) {
  const model::Datatype datatype = datatype_of(flags);
  model::PricedSystem priced = system.priced(datatype);
  return {.application = read_application(flags.application, flags),
          .system = std::move(priced.system),
          .processors = flags.processors,
          .max_batch = flags.max_batch,
          .datatype = datatype,
          .fused = flags.tries_fused(),
          .unfused = flags.tries_unfused(),
          .model = system.model(),
          .coefficients = std::move(priced.coefficients),
          .fused_attention = flags.tries_fused_attention(),
          .unfused_attention = flags.tries_unfused_attention()};
}

/// As Calculon's search writes it; under "best" where more was asked for.
nlohmann::json json_of(const Flags& flags, const model::Question& asked, const model::SearchResult& result,
                       const std::optional<model::SensitivityResult>& sensitivity) {
  nlohmann::json best = model::to_json(asked, result);
  if (!flags.pareto && !flags.sensitivity) return best;
  nlohmann::json all = nlohmann::json::object();
  all["best"] = std::move(best);
  if (flags.pareto) all["pareto"] = model::to_json(result.front);
  if (flags.sensitivity)
    all["sensitivity"] = sensitivity ? model::to_json(*sensitivity) : nlohmann::json::array();
  return all;
}

/// Those of the system file, and those of files of assay fit.
std::vector<model::Coefficient> varied(const model::Question& asked, const model::SystemFile& system,
                                       double assumed) {
  std::vector<model::Coefficient> all = model::coefficients(system, asked.datatype, assumed);
  std::ranges::move(model::measured_coefficients(asked), std::back_inserter(all));
  return all;
}

int search(const Flags& flags) {
  const model::SystemFile system = read_system_file(flags);
  const model::Question asked = question(flags, system);
  const model::SearchOptions options{.top = static_cast<std::size_t>(flags.top),
                                     .threads = flags.threads,
                                     .front = flags.pareto,
                                     .constraints = constraints(flags)};
  if (flags.count) {
    std::cout << model::count_space(asked) << "\n";
    return core::exit_code::pass;
  }
  const model::SearchResult result = model::search(asked, options);
  if (!result.best.empty())
    print_warnings(model::warnings(model::configuration_of(asked, result.best[0].execution)));
  std::optional<model::SensitivityResult> sensitivity;
  if (flags.sensitivity && !result.best.empty())
    sensitivity = model::sensitivity(asked, system, options, result.best[0],
                                     varied(asked, system, flags.plus_minus / 100));
  if (flags.json) {
    std::cout << json_of(flags, asked, result, sensitivity)
                     .dump(2, ' ', false, nlohmann::json::error_handler_t::replace)
              << "\n";
  } else {
    std::cout << model::to_text(asked, result, options.constraints);
    if (sensitivity) std::cout << "\n" << render_table(model::to_table(*sensitivity), "text");
  }
  return result.feasible > 0 ? core::exit_code::pass : core::exit_code::fail;
}

void add_question(CLI::App& app, Flags& flags) {
  const auto count = [&](const char* name, std::int64_t& value, const char* form, const char* about) {
    app.add_option(name, value, about)->required()->type_name(form)->check(counts());
  };
  add_application(app, flags);
  count("processors", flags.processors, "PROCESSORS", "number of processors, all used");
  count("max_batch", flags.max_batch, "MAX_BATCH", "sequences per step at most");
  app.add_option("datatype", flags.datatype, "of weights and activations")->required()->check(datatypes());
  add_system(app, flags)->required();
  add_model(app, flags);
  add_fused(app, flags);
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
  CLI::Option* json = app.add_flag("--json", flags.json, "print JSON, with execution files and every number");
  CLI::Option* count = app.add_flag("--count", flags.count,
                                    "print only the number of configurations, ignoring constraints; excludes "
                                    "--top, --pareto, --sensitivity, --json");
  // Not Option::excludes(), whose help names several in the order of their addresses.
  app.callback([count, answers = std::array{top, pareto, sensitivity, json}] {
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
      "Metrics: {}.\n"
      "Units: bytes 80GB or 80GiB, offload 100GB/s, step 12.5s, mfu 50%; degrees are whole numbers.",
      model::metric_names()));
  return {app, [flags] { return search(*flags); }};
}

}  // namespace assay::cli

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "harness/core/error.hpp"
#include "harness/core/printable.hpp"
#include "harness/core/process/exit_code.hpp"
#include "harness/core/text/json_text.hpp"
#include "harness/front/cli/command.hpp"
#include "harness/front/cli/flags/file_name.hpp"
#include "harness/front/cli/flags/number_range.hpp"
#include "harness/front/cli/flags/search_flags.hpp"
#include "harness/front/cli/output/render_table.hpp"
#include "harness/front/cli/output/tell_warnings.hpp"
#include "model/explain/explanation.hpp"
#include "model/explain/lint.hpp"
#include "model/explain/model_family.hpp"
#include "model/json/json_keys.hpp"
#include "model/json/read_json.hpp"
#include "model/predict/read/read.hpp"

namespace assay::cli {
namespace {

const CLI::Validator bandwidths = number_between(0.001, 1e6);
constexpr std::size_t shown_name_bytes = 60;

struct ExplainFlags : SearchFlags {
  std::vector<std::string> models;
  std::vector<std::int64_t> scales = {4096, 6144, 8192, 10240, 12288, 14336, 16384};
  std::vector<std::int64_t> clusters = {4096, 8192, 12288, 16384};
  std::vector<std::int64_t> domains = {8, 16, 72}, capacities = {128, 256, 512, 1024, 2048},
                            blocks = {256, 254};
  std::vector<double> bandwidths = {25, 50, 100, 200};
  bool json = false;
};

model::Subject subject(const ExplainFlags& flags) {
  return {.application = flags.application.empty() ? model::Application{}
                                                   : answers::read_application(flags.application, flags),
          .system = answers::read_system_file(flags),
          .max_batch = flags.max_batch,
          .datatype = answers::datatype_of(flags),
          .fused = flags.tries_fused(),
          .unfused = flags.tries_unfused(),
          .threads = flags.threads,
          .fused_attention = flags.tries_fused_attention(),
          .unfused_attention = flags.tries_unfused_attention()};
}

int print_answer(const ExplainFlags& flags, const model::Explanation& explanation) {
  print_warnings(explanation.warnings);
  if (flags.json) {
    std::cout << core::json_text(model::to_json(explanation), 2) << "\n";
  } else {
    std::cout << explanation.answer << "\n";
    for (const results::Table& table : explanation.tables) std::cout << "\n" << render_table(table, "text");
  }
  return explanation.holds ? core::exit_code::pass : core::exit_code::fail;
}

std::vector<model::NamedApplication> models(const ExplainFlags& flags) {
  if (flags.models.empty()) return model::trillion_models();
  std::vector<model::NamedApplication> named;
  for (const std::string& path : flags.models)
    named.push_back({core::printable(std::filesystem::path(path).stem().string(), shown_name_bytes),
                     answers::read_application({path}, flags)});
  return named;
}

int scaling(const ExplainFlags& flags) {
  std::vector<std::int64_t> processors = flags.scales;
  std::ranges::sort(processors);
  processors.erase(std::unique(processors.begin(), processors.end()), processors.end());
  if (processors.size() < 2) core::usage_error("--processors: expected at least two counts to scale between");
  return print_answer(flags, model::explain_scaling(subject(flags), processors));
}

int lint(const ExplainFlags& flags) {
  if (!flags.coefficients.empty())
    core::usage_error("--coefficients: a lint uses the tables of SYSTEM only; expected none");
  const model::JsonDocument json = model::read_document(flags.application);
  const model::Application read = model::read_application(json.root(), flags.options().model, flags.sequence);
  const model::JsonKeys keys(json.root());
  const std::int64_t vocabulary = keys.has("vocabulary") ? keys.whole("vocabulary", 0) : read.vocabulary;
  std::vector<model::Remark> remarks = model::lint(read, vocabulary);
  if (!flags.system.empty())
    for (const model::Remark& remark :
         model::lint(read, answers::read_system_file(flags).system(), answers::datatype_of(flags)))
      remarks.push_back(remark);
  return print_answer(flags, model::explain_lint(read, remarks));
}

void add_search(CLI::App& app, ExplainFlags& flags) {
  add_settings(app, flags);
  add_datatype(app, "--datatype", flags)->capture_default_str();
  app.add_option("--max-batch", flags.max_batch, "sequences per step at most")
      ->type_name("N")
      ->check(counts())
      ->capture_default_str();
  add_model(app, flags);
  add_fused(app, flags);
  add_threads(app, flags);
}

template <typename Value>
void add_list(CLI::App& app, const char* name, std::vector<Value>& values, const CLI::Validator& range,
              const char* about) {
  app.add_option(name, values, about)
      ->type_name("N,N,...")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(range)
      ->capture_default_str();
}

void add_processors(CLI::App& app, ExplainFlags& flags) {
  app.add_option("--processors", flags.processors, "number of processors, all used")
      ->type_name("N")
      ->check(counts())
      ->capture_default_str();
}

void add_json(CLI::App& app, ExplainFlags& flags) {
  app.add_flag("--json", flags.json, "print answer and tables as JSON");
}

/// A question about one model on one system; the caller adds what it varies.
CLI::App* about_model(CLI::App& parent, ExplainFlags& flags, const char* name, const char* about) {
  CLI::App* app = parent.add_subcommand(name, about);
  add_application(*app, flags);
  add_system(*app, flags)->required();
  add_search(*app, flags);
  add_json(*app, flags);
  return app;
}

Command scaling_part(CLI::App& parent, ExplainFlags& flags) {
  CLI::App* app = about_model(parent, flags, "scaling", "Where does strong scaling stop, and why?");
  add_list(*app, "--processors", flags.scales, counts(), "processor counts to compare");
  return {app, [&flags] { return scaling(flags); }};
}

Command domain_part(CLI::App& parent, ExplainFlags& flags) {
  CLI::App* app =
      about_model(parent, flags, "nvlink-domain", "How many processors must the first network tier join?");
  add_list(*app, "--domains", flags.domains, counts(), "sizes of networks[0]");
  add_list(*app, "--processors", flags.clusters, counts(), "processor counts, each with every domain");
  return {app, [&flags] {
            return print_answer(flags, model::explain_domain(subject(flags), flags.clusters, flags.domains));
          }};
}

Command offload_part(CLI::App& parent, ExplainFlags& flags) {
  CLI::App* app = about_model(parent, flags, "offload", "How much second memory is enough?");
  add_list(*app, "--capacities", flags.capacities, counts(), "GiB per processor");
  add_list(*app, "--bandwidths", flags.bandwidths, bandwidths, "GB/s per processor");
  add_processors(*app, flags);
  return {app, [&flags] {
            return print_answer(flags, model::explain_offload(subject(flags), flags.processors,
                                                              flags.capacities, flags.bandwidths));
          }};
}

Command blocks_part(CLI::App& parent, ExplainFlags& flags) {
  CLI::App* app = about_model(parent, flags, "blocks", "How does the number of blocks limit mappings?");
  add_list(*app, "--blocks", flags.blocks, counts(), "instead of the model's own");
  add_processors(*app, flags);
  return {app, [&flags] {
            return print_answer(flags, model::explain_blocks(subject(flags), flags.processors, flags.blocks));
          }};
}

Command fits_part(CLI::App& parent, ExplainFlags& flags) {
  CLI::App* app = parent.add_subcommand("fits", "Which models can be trained, and at what MFU?");
  add_system(*app, flags)->required();
  add_file(*app, "applications", flags.models, "default: twelve models of 1T to 128T parameters",
           "APPLICATION");
  add_processors(*app, flags);
  add_search(*app, flags);
  add_json(*app, flags);
  return {app, [&flags] {
            return print_answer(flags, model::explain_fits(subject(flags), flags.processors, models(flags)));
          }};
}

Command lint_part(CLI::App& parent, ExplainFlags& flags) {
  CLI::App* app = parent.add_subcommand("lint", "Which numbers of a model map badly onto processors?");
  add_application(*app, flags);
  CLI::Option* system = add_system(*app, flags);
  add_settings(*app, flags);
  add_datatype(*app, "--datatype", flags)->capture_default_str();
  for (const char* of_system : {"--set", "--datatype"}) app->get_option(of_system)->needs(system);
  add_model(*app, flags);
  add_json(*app, flags);
  app->footer("Exit code 1: there are warnings.");
  return {app, [&flags] { return lint(flags); }};
}

}  // namespace

Command explain_command(CLI::App& parent) {
  const auto flags = std::make_shared<ExplainFlags>();
  CLI::App* app =
      parent.add_subcommand("explain", "Answer questions about training at scale by search, and lint models");
  app->require_subcommand(1);
  app->footer("Every figure is predicted, from the coefficients of SYSTEM. Exit code 1: nothing fits.");
  const std::vector<Command> parts = {scaling_part(*app, *flags), domain_part(*app, *flags),
                                      offload_part(*app, *flags), blocks_part(*app, *flags),
                                      fits_part(*app, *flags),    lint_part(*app, *flags)};
  return {app, [flags, parts] {
            return std::ranges::find_if(parts, [](const Command& part) { return part.app->parsed(); })->run();
          }};
}

}  // namespace assay::cli

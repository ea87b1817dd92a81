// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// assay normal: whether a number is what others reach.
#include <algorithm>
#include <iostream>
#include <memory>

#include "harness/core/error.hpp"
#include "harness/core/files/input_file.hpp"
#include "harness/core/printable.hpp"
#include "harness/core/process/exit_code.hpp"
#include "harness/core/text/json_text.hpp"
#include "harness/core/units.hpp"
#include "harness/front/answers/margin.hpp"
#include "harness/front/answers/normal_answer.hpp"
#include "harness/front/cli/command.hpp"
#include "harness/front/cli/flags/file_name.hpp"

namespace assay::cli {
namespace {

namespace expected = results::expected;

struct NormalFlags : answers::NormalQuestion {
  std::string what, bytes, margin = "7%", format = "text";
  double busbw = 0, bandwidth = 0, tflops = 0;
};

/// The one number that was given.
double stated_value(const NormalFlags& flags) {
  const bool collective = expected::is_collective(flags.asked.operation), product = flags.asked.is_product();
  const char* const wanted = collective ? "--busbw" : product ? "--tflops" : "--bandwidth";
  const double value = collective ? flags.busbw : product ? flags.tflops : flags.bandwidth;
  const int given = (flags.busbw > 0 ? 1 : 0) + (flags.bandwidth > 0 ? 1 : 0) + (flags.tflops > 0 ? 1 : 0);
  if (given != 1 || !(value > 0))
    core::usage_error("normal " + flags.asked.operation + ": expected " + wanted +
                      " with its number, and no other");
  return value;
}

void put_stated(NormalFlags& flags) {
  flags.asked.operation = flags.what;
  flags.asked.value = stated_value(flags);
  if (flags.asked.system.empty())
    core::usage_error("normal " + flags.what + ": expected --system, such as h100-sxm");
  if (!flags.bytes.empty()) flags.asked.bytes = core::parse_bytes(flags.bytes);
  if (expected::is_collective(flags.what) && flags.asked.gpus == 0)
    core::usage_error("normal " + flags.what + ": expected --gpus, the number of ranks");
}

int exit_code_of(const std::vector<expected::Standing>& standings) {
  const auto any = [&](expected::StandingKind kind) {
    return std::ranges::find(standings, kind, &expected::Standing::kind) != standings.end();
  };
  if (any(expected::StandingKind::below) || any(expected::StandingKind::impossible))
    return core::exit_code::fail;
  return any(expected::StandingKind::unknown) ? core::exit_code::inconclusive : core::exit_code::pass;
}

int normal(NormalFlags flags) {
  flags.loss = answers::margin_from("--margin", flags.margin);
  if (expected::is_operation(flags.what))
    put_stated(flags);
  else if (flags.busbw > 0 || flags.bandwidth > 0 || flags.tflops > 0)
    core::usage_error("normal: expected one of " + expected::operations_text() + "; got '" + flags.what +
                      "'");
  else
    flags.log_or_run = flags.what;
  const answers::NormalAnswer answer = answers::normal(flags);
  for (const std::string& note : answer.notes) std::cerr << core::printable_message(note) << "\n";
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const expected::Standing& one : answer.standings)
    if (flags.format == "json")
      list.push_back(expected::json_of(one));
    else
      std::cout << (&one == answer.standings.data() ? "" : "\n") << expected::text_of(one, flags.loss);
  if (flags.format == "json") std::cout << core::json_text(list) << "\n";
  return exit_code_of(answer.standings);
}

}  // namespace

Command normal_command(CLI::App& parent) {
  const auto flags = std::make_shared<NormalFlags>();
  CLI::App* app =
      parent.add_subcommand("normal", "Is this number normal, and what are the likely causes if not?");
  app->add_option("what", flags->what, "an operation, a log of another tool, or a run of --store")
      ->required()
      ->check(file_name())
      ->type_name("OPERATION|LOG|RUN");
  app->add_option("--system", flags->asked.system,
                  "h100-sxm, h200-sxm, b200-sxm, mi300x ...; default: by the GPU's name");
  app->add_option("--gpus", flags->asked.gpus, "ranks of the collective")
      ->check(CLI::Range(1, 1 << 20).description(""));
  app->add_option("--nodes", flags->asked.nodes, "default: as few as hold the GPUs")
      ->check(CLI::Range(1, 1 << 20).description(""));
  app->add_option("--network", flags->asked.network, "adapters of a node: '8x400G InfiniBand NDR, SHARP'");
  app->add_option("--bytes", flags->bytes, "size as nccl-tests counts it")->type_name("BYTES");
  app->add_option("--busbw", flags->busbw, "GB/s of a collective")
      ->check(CLI::PositiveNumber.description(""));
  app->add_option("--bandwidth", flags->bandwidth, "GB/s of a copy, a memory or an adapter")
      ->check(CLI::PositiveNumber.description(""));
  app->add_option("--tflops", flags->tflops, "TFLOP/s of a product")
      ->check(CLI::PositiveNumber.description(""));
  app->add_option("--margin", flags->margin, "loss up to which a value is usual")
      ->type_name("SHARE")
      ->capture_default_str();
  add_file(*app, "--store", flags->store, "store of this site: its history, and the run if one is named");
  add_file(*app, "--published", flags->published, "more published values (TOML; docs/reference/files.md)")
      ->allow_extra_args(false);
  add_file(*app, "--fabric", flags->fabric, "fabric on which the collective is simulated (TOML)", "FABRIC");
  app->add_option("--format", flags->format, "output format")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  app->footer(
      "Exit code 0: usual or better. 1: below, or above what physics allows. 3: no usual value is known.");
  return {app, [flags] { return normal(*flags); }};
}

}  // namespace assay::cli

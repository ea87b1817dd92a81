// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// assay-check-nccl-tuner: reads a tuner file back as NCCL's example tuner plug-in does, and says what it
// would misread.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>

#include "collectives/tuner/tuner_checks.hpp"
#include "collectives/tuner/tuner_words.hpp"
#include "harness/core/error.hpp"
#include "harness/core/files/whole_file.hpp"
#include "harness/core/process/exit_code.hpp"
#include "harness/core/process/standard_output.hpp"
#include "harness/core/units.hpp"
#include "harness/core/version.hpp"

namespace {

using namespace assay;

struct Flags {
  std::string file, collective, bytes;
  int nodes = 0, ranks = 0;
  bool registered = false;
};

/// all_reduce is ours, allreduce the plug-in's.
std::string collective_of(std::string word) {
  std::erase(word, '_');
  if (std::ranges::find(collectives::tuner_collectives, word) == collectives::tuner_collectives.end())
    core::usage_error(
        fmt::format("--collective '{}': NCCL asks its tuner about broadcast, reduce, all_gather, "
                    "reduce_scatter and all_reduce",
                    word));
  return word;
}

int check(const Flags& flags) {
  const collectives::TunerFile file = collectives::read_tuner_csv(core::read_whole_file(flags.file));
  const auto faults = collectives::all_faults(file);
  for (const collectives::TunerFault& fault : faults)
    std::cerr << fmt::format("{}:{}: {}\n", flags.file, fault.line, fault.what);
  if (!flags.collective.empty()) {
    const collectives::TunerQuestion question{
        .collective = collective_of(flags.collective),
        .bytes = static_cast<std::uint64_t>(core::parse_bytes(flags.bytes)),
        .nodes = flags.nodes,
        .ranks = flags.ranks,
        .registered = flags.registered ? 1 : 0};
    std::cout << collectives::answer_text(file, question) << '\n';
  } else {
    std::cout << fmt::format("rows {}, faults {}\n", file.rows.size(), faults.size());
    for (const std::string& note : collectives::tuner_notes(file)) std::cout << "note: " << note << '\n';
  }
  return faults.empty() ? core::exit_code::pass : core::exit_code::fail;
}

void describe(CLI::App& app, Flags& flags) {
  app.set_version_flag("--version", fmt::format("assay {} ({})", core::version(), core::source_revision()));
  app.add_option("file", flags.file, "the tuner file (NCCL_TUNER_CONFIG_FILE)")
      ->required()
      ->type_name("FILE");
  auto* collective =
      app.add_option("--collective", flags.collective,
                     "say what the plug-in answers for this one: broadcast, reduce, all_gather, "
                     "reduce_scatter, all_reduce");
  auto* bytes = app.add_option("--bytes", flags.bytes, "of a rank's larger buffer: 64KiB")->type_name("SIZE");
  auto* nodes = app.add_option("--nodes", flags.nodes, "of the communicator")->check(CLI::PositiveNumber);
  auto* ranks = app.add_option("--ranks", flags.ranks, "of the communicator")->check(CLI::PositiveNumber);
  app.add_flag("--registered", flags.registered, "both buffers are registered")->needs(collective);
  for (CLI::Option* option : {bytes, nodes, ranks}) {
    collective->needs(option);
    option->needs(collective);
  }
  app.footer("Exit codes: 0 the plug-in reads the file as it is meant, 1 it would misread it, 2 usage.");
}

int run(int argc, char** argv) {
  CLI::App app{"Reads a tuner file as NCCL's example tuner plug-in does and says what it would misread.",
               "assay-check-nccl-tuner"};
  Flags flags;
  describe(app, flags);
  try {
    app.parse(argc, argv);
    return check(flags);
  } catch (const CLI::Success& done) {
    return app.exit(done);
  } catch (const CLI::ParseError& error) {
    std::cerr << fmt::format("assay-check-nccl-tuner: {}\n", error.what());
  } catch (const std::exception& error) {
    std::cerr << fmt::format("assay-check-nccl-tuner: {}\n", error.what());
  }
  return core::exit_code::usage;
}

}  // namespace

int main(int argc, char** argv) {
  return assay::core::exit_code_once_written("assay-check-nccl-tuner", run(argc, argv));
}

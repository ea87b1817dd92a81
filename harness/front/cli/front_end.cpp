// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/front_end.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iostream>
#include <memory>
#include <span>

#include "harness/core/error.hpp"
#include "harness/core/printable.hpp"
#include "harness/core/process/exit_code.hpp"
#include "harness/core/process/standard_output.hpp"
#include "harness/core/text/log_lines.hpp"
#include "harness/core/text/nearest_name.hpp"
#include "harness/core/text/printable_stream.hpp"
#include "harness/core/version.hpp"
#include "harness/front/cli/libraries.hpp"
#include "results/store/stored_points.hpp"

namespace assay::cli {
namespace {

int complain(const std::string& what, int exit_code) {
  if (!what.empty())  // else a module has reported it
    std::cerr << fmt::format("assay: {}\n", core::printable_message(what));
  return exit_code;
}

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789.") == std::string::npos;
}

/// A list whose numbers stand apart: "--processors 4096 12288". Nothing where the command line has none.
std::string apart(const CLI::App& app, std::span<char*> arguments) {
  for (std::size_t i = 0; i + 2 < arguments.size(); ++i) {
    const CLI::Option* list = app.get_option_no_throw(arguments[i]);
    if (list == nullptr || list->get_delimiter() == '\0') continue;
    std::vector<std::string> numbers;
    for (char* argument : arguments.subspan(i + 1)) {
      if (!is_number(argument)) break;
      numbers.emplace_back(argument);
    }
    if (numbers.size() > 1)
      return fmt::format("{} {}: expected one list with commas, {}", arguments[i], fmt::join(numbers, " "),
                         fmt::join(numbers, ","));
  }
  return {};
}

/// The innermost one that was recognised, and the place of the argument after it.
std::pair<const CLI::App*, int> chosen_of(const FrontEnd& front) {
  const CLI::App* app = &front.app;
  int place = 1;
  for (; !app->get_subcommands().empty(); ++place) app = app->get_subcommands().front();
  return {app, place};
}

/// Commands that the help lists.
std::vector<std::string> commands_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* part :
       app.get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); }))
    names.push_back(part->get_name());
  return names;
}

/// CLI11 only says that a subcommand is missing; a misspelt one deserves the nearest name and the list.
/// Nothing where the next argument is not a misspelt command.
std::string misspelt(const CLI::App& app, int place, int argc, char** argv) {
  const std::vector<std::string> names = commands_of(app);
  if (names.empty() || place >= argc || argv[place][0] == '-') return {};
  const std::vector<std::string_view> views(names.begin(), names.end());
  return fmt::format("unknown command '{}' (expected one of: {}){}", argv[place], fmt::join(names, " "),
                     core::meant_instead_of(argv[place], views));
}

/// "assay fabric read": as it is typed.
std::string typed(const CLI::App& app) {
  const CLI::App* parent = app.get_parent();
  return parent == nullptr ? app.get_name() : typed(*parent) + " " + app.get_name();
}

std::string explain(const FrontEnd& front, const CLI::ParseError& error, int argc, char** argv) {
  const auto [app, place] = chosen_of(front);
  if (std::string list = apart(*app, {argv, static_cast<std::size_t>(argc)}); !list.empty()) return list;
  const std::string unknown = misspelt(*app, place, argc, argv);
  return unknown.empty() ? fmt::format("{} (see {} --help)", error.what(), typed(*app)) : unknown;
}

/// Whether the command line ends where a command is expected: `assay`, `assay fabric`.
bool lacks_command(const CLI::App& app, int place, int argc) {
  return place == argc && app.get_require_subcommand_min() > 0;
}

/// `assay help COMMAND ...` is `assay COMMAND ... --help`.
std::vector<std::string> arguments_of(int argc, char** argv) {
  std::vector<std::string> arguments(argv, argv + argc);
  if (argc > 1 && arguments[1] == "help") {
    arguments.erase(arguments.begin() + 1);
    arguments.emplace_back("--help");
  }
  return arguments;
}

/// In a log, the last line says how it ended; people see it.
int log_end(const std::string& command, int exit_code) {
  if (core::logs_json())
    core::status_stream() << fmt::format("{} ended with exit code {}", command, exit_code)
                          << core::LogFields{{"command", command}, {"exit_code", exit_code}} << "\n";
  return exit_code;
}

int run_chosen(const FrontEnd& front) {
  for (const Command& command : front.commands)
    if (command.app->parsed()) return log_end(command.app->get_name(), command.run());
  return core::exit_code::usage;
}

int parse_and_run(int argc, char** argv) {
  FrontEnd front;
  try {
    front.app.parse(argc, argv);
  } catch (const CLI::Success& done) {  // --help, --version
    const auto [app, place] = chosen_of(front);
    if (app->get_require_subcommand_min() > 0)
      if (const std::string unknown = misspelt(*app, place, argc, argv); !unknown.empty())
        return complain(unknown, core::exit_code::usage);
    return front.app.exit(done);
  } catch (const CLI::ParseError& error) {
    if (const auto [app, place] = chosen_of(front); lacks_command(*app, place, argc)) {
      std::cerr << app->help(app->get_parent() == nullptr ? "" : typed(*app->get_parent()));
      return core::exit_code::usage;
    }
    return complain(explain(front, error, argc, argv), core::exit_code::usage);
  }
  try {
    return run_chosen(front);
  } catch (const core::Interrupted& error) {
    return complain(error.what(), core::exit_code::interrupted);
  } catch (const core::Error& error) {
    return complain(error.what(), error.kind() == core::ErrorKind::usage ? core::exit_code::usage
                                                                         : core::exit_code::inconclusive);
  } catch (const results::NoRun& error) {
    return complain(error.what(), core::exit_code::usage);
  } catch (const std::exception& error) {
    return complain(error.what(), core::exit_code::inconclusive);
  }
}

int run_front_end(int argc, char** argv) {
  std::vector<std::string> arguments = arguments_of(argc, argv);
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  return parse_and_run(argc, pointers.data());
}

std::string version_text(bool with_libraries) {
  const std::string own = fmt::format("assay {} ({})", core::version(), core::source_revision());
  return with_libraries ? fmt::format("{}\n{}", own, fmt::join(libraries_of_build(), "\n")) : own;
}

}  // namespace

FrontEnd::FrontEnd()
    : app("Measures what a node and its fabric can do, and judges it with intervals and evidence.", "assay") {
  const auto verbose = std::make_shared<bool>(false);
  // Before --version, which ends the parse and reads it.
  CLI::Option* const more =
      app.add_flag("--verbose", *verbose, "with --version: also the libraries of this build");
  more->needs(app.set_version_flag("--version", [verbose] { return version_text(*verbose); }));
  app.require_subcommand(1);
  commands = add_commands(app);
  app.footer(
      "Exit codes: 0 pass, 1 fail (a point failed or was wrong), 2 usage or configuration,\n"
      "3 inconclusive or not run, 4 interrupted. Options: `assay COMMAND --help`.");
}

int front_end(int argc, char** argv) {
  const core::PrintableStreams printable;
  return core::exit_code_once_written("assay", run_front_end(argc, argv));
}

}  // namespace assay::cli

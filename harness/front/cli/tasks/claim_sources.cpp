// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/tasks/claim_sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "harness/core/error.hpp"
#include "harness/core/files/whole_file.hpp"
#include "harness/core/process/exit_code.hpp"
#include "harness/core/text/json_from.hpp"
#include "harness/front/cli/flags/open_store.hpp"
#include "harness/front/suite/processes/child.hpp"
#include "harness/front/suite/processes/modules.hpp"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> words_of(const std::string& command, const fs::path& scratch) {
  std::istringstream text(command);
  std::vector<std::string> words;
  for (std::string word; text >> word; words.push_back(word))
    if (const auto at = word.find("SCRATCH"); at != std::string::npos)
      word.replace(at, std::string("SCRATCH").size(), scratch.string());
  return words;
}

std::string last_line_of(const fs::path& file) {
  std::ifstream lines(file);
  std::string last;
  for (std::string line; std::getline(lines, line);)
    if (!line.empty()) last = line;
  return last;
}

/// Returns what assay prints. Its standard error is kept for the message where it fails.
std::string run_assay(const fs::path& examples, const fs::path& scratch, std::vector<std::string> words) {
  const fs::path errors = scratch / "standard-error";
  const std::string program = (suite::own_folder() / "assay").string(), what = words.at(0);
  words.insert(words.begin(), {"/bin/sh", "-c", R"(exec "$@" 2>"$0")", errors.string(), "/usr/bin/env", "-C",
                               examples.string(), program});
  const suite::Output output = suite::run_and_read(words);
  const int code = output.ending.exit_code;
  if (output.ending.signal != 0 || code == core::exit_code::usage || code == core::exit_code::interrupted)
    core::usage_error(fmt::format("assay {} ended with {}: {}", what, code, last_line_of(errors)));
  return output.text;
}

nlohmann::json json_in(const std::string& text, const std::string& command) {
  nlohmann::json whole = core::json_or_discarded<nlohmann::json>(text);
  if (!whole.is_discarded()) return whole;
  nlohmann::json list = nlohmann::json::array();
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    list.push_back(core::json_or_discarded<nlohmann::json>(line));
  if (list.empty() || list.front().is_discarded())
    core::usage_error(fmt::format("assay {}: expected JSON", command));
  return list;
}

}  // namespace

ClaimCommands::ClaimCommands(const fs::path& examples) : examples_(fs::absolute(examples)) {}

fs::path ClaimCommands::own_folder() {
  const fs::path folder = scratch_.path() / std::to_string(folders_++);
  fs::create_directory(folder);
  return folder;
}

nlohmann::json ClaimCommands::answer(const std::string& commands) {
  constexpr std::string_view joint = " && ";
  const fs::path folder = own_folder();
  std::string rest = commands;
  for (auto end = rest.find(joint); end != std::string::npos; end = rest.find(joint)) {
    run_assay(examples_, folder, words_of(rest.substr(0, end), folder));
    rest.erase(0, end + joint.size());
  }
  std::vector<std::string> words = words_of(rest, folder);
  if (const auto output = std::ranges::find(words, "-o"); output != words.end()) {
    run_assay(examples_, folder, words);
    return json_in(core::read_whole_file(*std::next(output)), rest);
  }
  if (rest.find("--format") == std::string::npos) words.emplace_back("--json");
  return json_in(run_assay(examples_, folder, words), rest);
}

fs::path ClaimCommands::measure(const std::string& command) {
  const fs::path folder = own_folder();
  std::vector<std::string> words = words_of(command, folder);
  words.insert(words.end(), {"--out", folder.string()});
  run_assay(examples_, folder, words);
  if (!fs::exists(store_in(folder))) core::usage_error(fmt::format("assay {} left no store", command));
  return store_in(folder);
}

fs::path examples_folder(const std::string& named) {
  const fs::path programs = suite::own_folder(), installed = programs.parent_path() / "share/assay/examples",
                 of_build_tree = programs / "../../../model/examples";
  for (const fs::path& folder : named.empty() ? std::vector{installed, of_build_tree.lexically_normal()}
                                              : std::vector{fs::path(named)})
    if (fs::is_directory(folder / "fabric")) return folder;
  core::usage_error(
      fmt::format("claims: {}: no folder of examples (--examples: share/assay/examples, or "
                  "model/examples of the sources)",
                  named.empty() ? installed.string() : named));
}

}  // namespace assay::cli

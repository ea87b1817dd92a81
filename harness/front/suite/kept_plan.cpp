// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/suite/kept_plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <utility>

#include "harness/core/calendar.hpp"
#include "harness/core/error.hpp"
#include "harness/core/text/glob.hpp"
#include "harness/front/suite/processes/modules.hpp"

namespace assay::suite {
namespace {

using core::usage_error;

std::string host_name() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

void write_text(const std::filesystem::path& path, const std::string& text) {
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  std::ofstream file(path);
  file << text;
  file.close();
  if (error || !file)
    throw core::Error(core::ErrorKind::system, fmt::format("{}: cannot be written", path.string()));
}

}  // namespace

std::string new_run_name() { return core::new_run_id(host_name()); }

void refuse_as_folder_name(const std::string& run_id) {
  constexpr std::size_t longest = 200;  // file systems allow 255, and names of modules and rounds follow
  if (run_id.size() > longest)
    core::usage_error(fmt::format("--run-id of {} letters: expected at most {}", run_id.size(), longest));
  if (run_id.find('/') != std::string::npos || run_id.starts_with('.'))
    usage_error(
        fmt::format("--run-id '{}': expected a name without '/' that does not start with a dot", run_id));
}

std::string latest_with(const std::filesystem::path& folder, const std::string& file,
                        const std::string& beside, const std::string& what) {
  std::pair<std::filesystem::file_time_type, std::string> latest{std::filesystem::file_time_type::min(), ""};
  if (std::filesystem::is_directory(folder))
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      if (const auto written = entry.path() / file;
          std::filesystem::exists(written) && std::filesystem::exists(entry.path() / beside))
        latest =
            std::max(latest, {std::filesystem::last_write_time(written), entry.path().filename().string()});
  if (latest.second.empty()) usage_error(fmt::format("{}: no {} to resume", folder.string(), what));
  return latest.second;
}

std::filesystem::path plan_copy(const RunOptions& options, const std::string& run_id) {
  return options.folder / run_id / plan_file_name;
}

plan::Plan plan_for(const RunOptions& options, const std::string& run_id) {
  if (!options.plan.empty()) return plan::read_plan(options.plan);
  return plan::read_plan(options.resume ? plan_copy(options, run_id).string() : "quick");
}

bool names_module(const plan::Plan& plan, const std::string& module) {
  return std::ranges::any_of(plan.sweeps, [&](const plan::Sweep& sweep) {
    return std::ranges::any_of(sweep.cases, [&](const std::string& glob) {
      return core::glob_matches(glob.substr(0, glob.find('.')), module);
    });
  });
}

void refuse_unknown_modules(const plan::Plan& plan) {
  for (const plan::Sweep& sweep : plan.sweeps)
    for (const std::string& glob : sweep.cases) {
      const std::string module = glob.substr(0, glob.find('.'));
      if (std::ranges::none_of(known_modules(),
                               [&](const auto& known) { return core::glob_matches(module, known); }))
        usage_error(fmt::format("{}: '{}' names no module (there are: {})", sweep.where, glob,
                                fmt::join(known_modules(), " ")));
    }
}

std::string words_of(const RunOptions& options) {
  std::string words;
  for (const std::string& filter : options.filters) words += "--filter\n" + filter + "\n";
  if (!options.benchmark_filter.empty()) words += "--benchmark_filter=" + options.benchmark_filter + "\n";
  for (const std::string& axis : options.axes) words += "--axis\n" + axis + "\n";
  if (!options.workload.empty())
    words += fmt::format("{}\n{}\n", workload_flag, std::filesystem::absolute(options.workload).string());
  return words;
}

std::vector<std::string> keep_modules(const RunOptions& options, const std::string& run_id) {
  const std::filesystem::path file = plan_copy(options, run_id).parent_path() / modules_file_name;
  if (!options.resume || !options.plan.empty() || !options.modules.empty()) {
    std::filesystem::remove(file);
    if (!options.modules.empty()) write_text(file, fmt::format("{}\n", fmt::join(options.modules, "\n")));
    return options.modules;
  }
  std::vector<std::string> modules;
  std::ifstream kept(file);
  for (std::string name; kept >> name;) modules.push_back(name);
  return modules;
}

std::vector<std::string> keep_flags(const RunOptions& options, const std::string& run_id,
                                    const plan::Plan& plan) {
  const std::filesystem::path plan_file = plan_copy(options, run_id);
  const std::filesystem::path words_file = plan_file.parent_path() / flags_file_name;
  const bool anew = !options.resume || !options.plan.empty();
  if (anew) write_text(plan_file, plan.source);
  if (anew) write_text(words_file, words_of(options));
  std::stringstream words(words_of(options));
  if (words.view().empty()) words << std::ifstream(words_file).rdbuf();
  const bool elsewhere = options.launcher.engine != "local";  // ranks may start in another folder
  std::vector<std::string> flags{"--plan",
                                 (elsewhere ? std::filesystem::absolute(plan_file) : plan_file).string()};
  for (std::string word; std::getline(words, word);) flags.push_back(word);
  return flags;
}

}  // namespace assay::suite

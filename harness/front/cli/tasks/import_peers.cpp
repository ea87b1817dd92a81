// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/tasks/import_peers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <optional>
#include <set>
#include <utility>

#include "harness/core/calendar.hpp"
#include "harness/core/error.hpp"
#include "harness/core/files/input_file.hpp"
#include "harness/core/printable.hpp"
#include "harness/core/process/exit_code.hpp"
#include "harness/core/process/side_by_side.hpp"
#include "harness/core/version.hpp"
#include "harness/front/cli/flags/open_store.hpp"
#include "results/expected/believable.hpp"
#include "results/peers/dry_run.hpp"
#include "results/peers/path_pattern.hpp"
#include "results/peers/peer_records.hpp"
#include "results/peers/peer_time.hpp"
#include "results/store/known_runs.hpp"

namespace assay::cli {
namespace {

namespace peers = results::peers;

/// More files than these are summed up.
constexpr std::size_t files_named_one_by_one = 20;
/// Files that are read before their records are stored: what is held of them is bounded.
constexpr std::size_t files_at_once = 256;

struct NamedFile {
  std::string path;
  std::string below;  // the folder that was named
  bool was_in_folder = false;
};

std::vector<NamedFile> files_of(const std::vector<std::string>& paths) {
  std::vector<NamedFile> files;
  for (const std::string& path : paths) {
    if (!core::is_there(path)) core::usage_error(fmt::format("{}: no such file or folder", path));
    if (!std::filesystem::is_directory(path)) {
      files.push_back({path, path, false});
      continue;
    }
    const std::size_t before = files.size();
    constexpr auto skip = std::filesystem::directory_options::skip_permission_denied;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path, skip))
      if (entry.is_regular_file())
        files.push_back({entry.path().string(), entry.path().lexically_relative(path).string(), true});
    if (files.size() == before) core::usage_error(fmt::format("{}: the folder holds no file", path));
    std::ranges::sort(files.begin() + static_cast<std::ptrdiff_t>(before), files.end(), {}, &NamedFile::path);
  }
  return files;
}

std::optional<std::chrono::minutes> zone_of(const std::string& text) {
  if (text.empty()) return std::nullopt;
  const auto zone = peers::zone_from(text);
  if (!zone) core::usage_error(fmt::format("--zone {}: expected UTC or an offset such as +02:00", text));
  return zone;
}

class PeerImporter {
 public:
  explicit PeerImporter(const PeerImport& import)
      : import_(import),
        choice_{.kind = import.kind, .host = import.host},
        settings_{
            .zone = zone_of(import.zone), .now = core::iso_time_now(), .assay_version = core::version()},
        believability_(results::expected::published_values({}),
                       import.repairs.empty()
                           ? results::expected::Repairs()
                           : results::expected::read_repairs(import.repairs, settings_.zone),
                       settings_.zone) {
    if (!import.pattern.empty()) pattern_.emplace(import.pattern);
  }

  int run() {
    std::vector<NamedFile> files = files_of(import_.paths);
    if (pattern_) put_in_order_of_rounds(files);
    name_files_ = files.size() <= files_named_one_by_one && !import_.dry_run;
    std::optional<results::Store> store;
    if (!import_.dry_run) store.emplace(open_store(import_.store, results::StoreMode::create));
    for (std::size_t at = 0; at < files.size(); at += files_at_once) {
      const std::size_t count = std::min(files_at_once, files.size() - at);
      std::vector<peers::PeerFile> read(count);
      core::side_by_side(count, [&](std::size_t one) { read[one] = read_file(files[at + one]); });
      believability_.doubt(read);
      for (const peers::PeerFile& file : read) import_.dry_run ? print(file) : collect(file);
      if (store) put(*store);
    }
    if (!import_.dry_run) print_summary(files.size());
    return refused_ > 0 ? core::exit_code::usage : core::exit_code::pass;
  }

 private:
  /// Runs without times follow each other as they are imported: round after round, "2" before "10".
  void put_in_order_of_rounds(std::vector<NamedFile>& files) const {
    std::ranges::stable_sort(files, {}, [&](const NamedFile& file) {
      const std::string round = pattern_->facts_of(file.path, file.below, file.was_in_folder).round;
      return std::pair(round.size(), round);
    });
  }

  peers::PeerFile read_file(const NamedFile& named) const {
    const peers::PathFacts facts = pattern_ ? pattern_->facts_of(named.path, named.below, named.was_in_folder)
                                            : peers::plain_facts(named.path);
    try {
      return peers::read_peer_file(facts, choice_);
    } catch (const core::Error& error) {
      return {.path = facts, .blocks = {}, .refusals = {{0, error.what()}}};
    }
  }

  void print_refusals(const peers::PeerFile& file, const std::vector<peers::Refusal>& refusals) {
    for (const peers::Refusal& refusal : refusals) {
      const std::string place = refusal.line > 0 ? fmt::format("{}:{}: ", file.path.path, refusal.line) : "";
      std::cerr << core::printable_message(place + refusal.what) << "\n";
    }
    refused_ += refusals.size();
  }

  void print(const peers::PeerFile& file) {
    print_refusals(file, file.refusals);
    for (const peers::PeerBlock& block : file.blocks)
      for (const peers::PeerPoint& point : block.findings.points)
        std::cout << (import_.json ? peers::dry_run_json(file, block, point)
                                   : core::printable_message(peers::dry_run_text(file, point)))
                  << "\n";
  }

  void collect(const peers::PeerFile& file) {
    print_refusals(file, file.refusals);
    std::vector<peers::Refusal> refusals;
    for (peers::PeerRun& run : peers::records_of(file, settings_, refusals))
      if (taken_.insert(run.run_id).second)
        runs_.push_back(std::move(run));
      else
        ++there_;
    print_refusals(file, refusals);
    if (!name_files_) return;
    for (const peers::PeerBlock& block : file.blocks)
      std::cout << core::printable_message(fmt::format("{}:{}: {}{}{}, {} points", file.path.path, block.line,
                                                       block.title, block.findings.version.empty() ? "" : " ",
                                                       block.findings.version, block.findings.points.size()))
                << "\n";
  }

  /// Runs that are there keep the place and the time of their first import.
  void put(results::Store& store) {
    std::vector<results::Record> records;
    for (peers::PeerRun& run : runs_) {
      if (results::has_run(store, run.run_id)) {
        ++there_;
        continue;
      }
      ++added_;
      points_ += run.records.size() - 2;
      std::ranges::move(run.records, std::back_inserter(records));
    }
    runs_.clear();
    if (!records.empty()) store.add(records);
  }

  void print_summary(std::size_t files) const {
    std::cout << fmt::format("{} {}: {} runs added with {} points, {} runs already there, {} refused\n",
                             files, files == 1 ? "file" : "files", added_, points_, there_, refused_);
  }

  const PeerImport& import_;
  peers::PeerChoice choice_;
  peers::RecordSettings settings_;
  results::expected::Believability believability_;
  std::optional<peers::PathPattern> pattern_;
  bool name_files_ = false;
  std::vector<peers::PeerRun> runs_;
  std::set<std::string> taken_;  // ids of this import's runs
  std::size_t added_ = 0, there_ = 0, points_ = 0, refused_ = 0;
};

}  // namespace

int import_peers(const PeerImport& import) { return PeerImporter(import).run(); }

}  // namespace assay::cli

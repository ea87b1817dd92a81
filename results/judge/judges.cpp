// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/judges.hpp"

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <future>
#include <iterator>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

#include "harness/core/error.hpp"
#include "results/store/sqlite/database.hpp"

namespace assay::results {
namespace {

std::map<std::string, std::string> digests_in(const Store& store) {
  Statement rows = store.database().prepare("SELECT run_id, digest FROM runs ORDER BY run_id");
  std::map<std::string, std::string> digests;
  while (rows.step())
    digests[rows.text(0)] = fmt::format("{:016x}", static_cast<std::uint64_t>(rows.integer(1)));
  return digests;
}

/// Whether the command judges records and not a host.
bool judges_runs(const Verdicts& verdicts) {
  return std::ranges::any_of(std::initializer_list<const char*>{"accept", "compare", "bundle", "burn-in"},
                             [&](const char* command) { return verdicts.command == command; });
}

/// Asks the judge at once, with a connection of its own, if it needs nothing but the store; else when its
/// answer is wanted.
std::future<std::vector<Judged>> asked(const Judge& judge, const Evidence& evidence) {
  const bool is_alone = judge.reads_only_the_store && !evidence.store.path().empty();
  if (!is_alone) return std::async(std::launch::deferred, [&] { return judge.judge(evidence); });
  return std::async(std::launch::async, [&] {
    const Store own(evidence.store.path(), StoreMode::existing);
    return judge.judge(Evidence{.store = own, .order = evidence.order, .damage = evidence.damage});
  });
}

bool is_named(const Verdicts& verdicts, const std::string& run) {
  return std::ranges::find(verdicts.runs, run, &JudgedRun::run_id) != verdicts.runs.end();
}

/// The origin of all records of the store, for judgements that do not name theirs.
std::string origin_of_records(const Store& store) {
  Statement rows = store.database().prepare("SELECT DISTINCT origin FROM contexts");
  std::set<std::string> origins;
  while (rows.step()) origins.insert(rows.text(0));
  return origin_words(origins);
}

void name_origin(std::vector<Judged>& parts, const std::string& origin) {
  for (Judged& part : parts) {
    results::name_origin(part.verdicts, origin);
    if (part.table) results::name_origin(*part.table, origin);
  }
}

}  // namespace

std::span<const EvidenceFile> Evidence::files_of(std::string_view input) const {
  const auto found = files.find(input);
  return found == files.end() ? std::span<const EvidenceFile>() : found->second;
}

std::optional<double> Evidence::share_of(std::string_view input) const {
  const auto found = order.shares.find(input);
  return found == order.shares.end() ? std::nullopt : std::optional(found->second);
}

std::vector<Judged> ask_judges(const Evidence& evidence, Unjudgeable unjudgeable) {
  std::vector<Judged> all;
  std::vector<std::future<std::vector<Judged>>> answers;
  for (const Judge& one : judges()) answers.push_back(asked(one, evidence));
  for (std::size_t at = 0; at < answers.size(); ++at) try {
      std::ranges::move(answers[at].get(), std::back_inserter(all));
      ::malloc_trim(0);  // a judge's threads had heaps of their own, which no other thread takes from
    } catch (const core::Error&) {
      throw;
    } catch (const std::runtime_error& error) {
      if (unjudgeable == Unjudgeable::throws) throw;
      all.push_back(open_judgement(std::string(judges()[at].name), error.what()));
    }
  name_origin(all, origin_of_records(evidence.store));
  return all;
}

void append(Verdicts& whole, Judged part) {
  if (part.only_notes)
    std::ranges::move(part.verdicts.notes, std::back_inserter(whole.notes));
  else
    append(whole, std::move(part.verdicts));
}

LongTable table_of(const Judged& judged) {
  if (judged.table) return *judged.table;
  return long_table_of(judged.verdicts, TableOf::what_does_not_pass);
}

Judged open_judgement(const std::string& what, const std::string& because) {
  Verdicts open;
  open.rows.push_back({.kind = "judge",
                       .metric = what,
                       .verdict = Verdict::inconclusive,
                       .because = because,
                       .meaning = "what cannot be judged is not accepted",
                       .action = Action::retest});
  settle(open);
  Table table = to_table(open);
  table.title = what + ": " + because;
  return {std::move(open), std::move(table)};
}

std::vector<JudgedRun> judged_runs(const Store& store, std::span<const std::string> runs) {
  std::vector<JudgedRun> judged;
  for (const auto& [run, digest] : digests_in(store))
    if (runs.empty() || std::ranges::find(runs, run) != runs.end()) judged.push_back({run, digest});
  return judged;
}

std::string why_not_of(const Store& store, const std::string& reported, const Verdicts& verdicts) {
  if (!judges_runs(verdicts)) return "";
  if (verdicts.runs.empty() && verdicts.command == "burn-in") return "";  // it measured nothing
  if (verdicts.runs.empty())
    return fmt::format("verdicts of assay {} that name no runs: judge again", verdicts.command);
  const auto digests = digests_in(store);
  const bool compared = verdicts.command == "compare";  // the other run may be in a store of its own
  bool any = false;
  for (const JudgedRun& run : verdicts.runs) {
    const auto held = digests.find(run.run_id);
    if (held == digests.end() && compared) continue;
    if (held == digests.end())
      return fmt::format("verdicts of another store: run {} is not in {}", run.run_id, store.path().string());
    if (!run.digest.empty() && run.digest != held->second)
      return fmt::format("verdicts of other records: run {} holds others in {} than were judged", run.run_id,
                         store.path().string());
    any = true;
  }
  if (!any) return fmt::format("verdicts of another store: none of its runs is in {}", store.path().string());
  if (!reported.empty() && !is_named(verdicts, reported))
    return fmt::format("verdicts of other runs: {} was not judged", reported);
  if (reported.empty() && verdicts.command == "accept")
    for (const auto& [run, digest] : digests)
      if (!is_named(verdicts, run))
        return fmt::format("verdicts of a part of the store: run {} was not judged; judge again", run);
  return "";
}

}  // namespace assay::results

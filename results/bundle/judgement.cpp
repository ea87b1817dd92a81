// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/bundle/judgement.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <sstream>
#include <stdexcept>

#include "harness/core/error.hpp"
#include "results/bundle/standing_failures.hpp"
#include "results/bundle/unpacked.hpp"
#include "results/judge/absolute_limits.hpp"
#include "results/judge/acceptance.hpp"
#include "results/judge/digests.hpp"
#include "results/judge/fleet_doubts.hpp"
#include "results/judge/judged_runs.hpp"
#include "results/judge/limits_file.hpp"
#include "results/store/run_doubts.hpp"

namespace assay::results {
namespace {

class Judge {
 public:
  explicit Judge(const Evidence& evidence) : evidence_(evidence), store_("") {
    judgement_.verdicts.command = "bundle";
  }

  Judgement judge() {
    read_records();
    if (evidence_.order.accept) {
      attempt("accept", [this] { accept(); });
    }
    if (!evidence_.limits.empty()) attempt("limits", [this] { hold_against_limits(); });
    for (const ComparisonRequest& request : evidence_.order.comparisons)
      attempt(fmt::format("compare {} {}", fmt::join(request.a, ","), fmt::join(request.b, ",")),
              [&] { compare(request); });
    for (const Member& check : evidence_.checks) attempt(check.name, [&] { take_check(check); });
    for (const Member& logbook : evidence_.logbooks) attempt(logbook.name, [&] { take_logbook(logbook); });
    judgement_.text +=
        fmt::format("{}: {}\n", judgement_.verdicts.command, to_string(judgement_.verdicts.verdict));
    return std::move(judgement_);
  }

 private:
  void read_records() {
    const std::filesystem::path journal = unpacked_.add({"records.jsonl", evidence_.records});
    const ImportSummary summary = store_.import_journal(journal);
    for (const JournalProblem& problem : summary.problems)
      doubt("records", fmt::format("line {} is damaged: {}", problem.line, problem.what));
    for (const JournalProblem& problem : summary.doubts)
      doubt("records", fmt::format("line {}: {}", problem.line, problem.what));
    std::istringstream damage(evidence_.damage);
    for (std::string line; std::getline(damage, line);) doubt("records", line);
    for (const RunDoubt& found : doubts_of(store_))
      if (found.kind == DoubtKind::lost || found.kind == DoubtKind::unfinished)
        doubt("records", text_of(found));
    for (const VerdictRow& row : fleet_doubts(store_).rows) doubt("records", row.because);
    judgement_.verdicts.runs = judged_runs(store_);
  }

  void accept() {
    FleetPlaces places;
    for (const Member& file : evidence_.places) places = read_places(unpacked_.add(file).string());
    std::vector<MeasuredFleet> fleets = read_fleet(store_, evidence_.order.filter, places);
    add_digest_findings(store_, fleets);
    for (const MeasuredFleet& fleet : fleets) {
      const FleetAcceptance accepted = results::accept(fleet, evidence_.order.rules);
      add(verdicts_of(accepted), to_table(accepted));
    }
  }

  /// Named as in the bundle, not as they lie unpacked: that is another folder each time.
  LimitsFile limits_from(const Member& member) {
    const std::string path = unpacked_.add(member).string();
    LimitsFile limits = read_limits(path);
    limits.path = member.name;
    for (AbsoluteLimit& limit : limits.limits)
      if (limit.where.starts_with(path)) limit.where.replace(0, path.size(), member.name);
    return limits;
  }

  void hold_against_limits() {
    std::vector<LimitsFile> files;
    for (const Member& member : evidence_.limits) files.push_back(limits_from(member));
    Verdicts verdicts = judge_limits(store_, evidence_.order.filter, files);
    const Table table = to_table(verdicts);
    add(std::move(verdicts), table);
  }

  void compare(const ComparisonRequest& request) {
    const RunComparison comparison = compare_runs(store_, store_, request);
    add(verdicts_of(comparison), to_table(comparison));
  }

  void take_check(const Member& check) {
    Verdicts verdicts = verdicts_from_json(check.content, check.name);
    const Table table = to_table(verdicts);
    add(std::move(verdicts), table);
  }

  /// One in which nothing stands is no evidence that all is well.
  void take_logbook(const Member& logbook) {
    Verdicts verdicts = standing_failures(logbook.content, logbook.name);
    const Table table = to_table(verdicts);
    if (!verdicts.rows.empty()) return add(std::move(verdicts), table);
    for (std::string& note : verdicts.notes) {
      judgement_.text += note + "\n";
      judgement_.verdicts.notes.push_back(std::move(note));
    }
  }

  void attempt(const std::string& what, const std::function<void()>& do_it) {
    try {
      do_it();
    } catch (const core::Error&) {
      throw;
    } catch (const std::runtime_error& error) {
      doubt(what, without_folder(error.what()));
    }
  }

  /// Where members lie unpacked is another folder each time.
  std::string without_folder(std::string text) const {
    const std::string folder = unpacked_.folder().string() + "/";
    for (std::size_t at = 0; (at = text.find(folder)) != std::string::npos;) text.erase(at, folder.size());
    return text;
  }

  void doubt(const std::string& what, const std::string& because) {
    append(
        judgement_.verdicts,
        {.rows = {{.kind = "bundle", .metric = what, .verdict = Verdict::inconclusive, .because = because}}});
    judgement_.text += fmt::format("{}: {}\n\n", what, because);
  }

  void add(Verdicts verdicts, const Table& table) {
    append(judgement_.verdicts, std::move(verdicts));
    judgement_.text += to_text(table) + "\n";
  }

  const Evidence& evidence_;
  Unpacked unpacked_;
  Store store_;
  Judgement judgement_;
};

}  // namespace

Judgement judge(const Evidence& evidence) { return Judge(evidence).judge(); }

}  // namespace assay::results

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/suite/burn_in/burn_in_verdicts.hpp"

#include <fmt/format.h>

#include <map>
#include <set>
#include <sstream>
#include <utility>

#include "harness/core/gpu_name.hpp"
#include "harness/core/units.hpp"
#include "harness/front/health/finding_verdicts.hpp"
#include "harness/front/suite/burn_in/burn_in_limits.hpp"
#include "harness/front/suite/burn_in/burn_in_rates.hpp"
#include "harness/front/suite/burn_in/burn_in_tally.hpp"

namespace assay::suite {
namespace {

using results::TimelineEntry;
using results::Verdict;
using results::VerdictRow;
namespace entry_word = results::entry_word;

std::string kind_of(const std::string& unit) {
  if (unit.starts_with("GPU")) return "gpu";
  return unit.find('/') == std::string::npos ? "host" : "link";
}

std::string where(const TimelineEntry& entry) {
  const std::string module = entry.text("module");
  if (entry.count("round") == 0) return entry.text("when");
  return fmt::format("round {} {}{}{}, {}", entry.count("round"), entry.text("round_kind"),
                     module.empty() ? "" : ", ", module, entry.text("when"));
}

struct ModuleSum {
  std::int64_t ok = 0, unsupported = 0, bad = 0, rounds = 0;
  std::string first_bad, no_answer;
};

struct SelfTest {
  results::Answer worst;
  std::int64_t caught = 0;
};

/// The most severe finding of a check and unit, and where it was first.
struct Worst {
  TimelineEntry entry;
  health::Status status;
};

class Judgement {
 public:
  void add(const TimelineEntry& entry) {
    if (entry.kind == "session") add_modules(entry);
    if (entry.kind == "module" && entry.word() != entry_word::began) add_module(entry);
    if (entry.kind == "self_test") add_self_test(entry);
    if (entry.kind == "finding") add_finding(entry);
    if (entry.kind == "check") ++looks_, unseen_ = 0;
    if (entry.kind == "point") ++unseen_;
    if (const auto gpu = core::GpuName::from(entry.unit); gpu && gpu->part.empty()) add(entry, *gpu);
  }

  std::vector<VerdictRow> rows() const {
    std::vector<VerdictRow> rows;
    for (const auto& [name, sum] : modules_) rows.push_back(module_row(name, sum));
    for (const auto& row : self_test_rows()) rows.push_back(row);
    for (const auto& row : unit_rows()) rows.push_back(row);
    for (const auto& [address, gpu] : gpus_)
      if (!proven_.contains(address)) rows.push_back(idle_row(gpu));
    for (const auto& [gpu, points] : corrupted_)
      if (points > 0) rows.push_back(corrupted_row(gpu, points));
    return rows;
  }

 private:
  /// A whole GPU by its address: numbers differ between the driver's list and a program's. No probe verifies
  /// anything on a part of one.
  void add(const TimelineEntry& entry, const core::GpuName& gpu) {
    const std::string& id = gpu.address.empty() ? gpu.number : gpu.address;
    if (entry.kind == "finding") gpus_[id] = entry.unit;
    if (entry.kind != "verified_bytes") return;
    if (entry.number().value_or(0) > 0) proven_.insert(id);
    corrupted_[entry.unit] += entry.count("corruptions");
  }

  static VerdictRow idle_row(const std::string& gpu) {
    return {.unit = gpu,
            .kind = "gpu",
            .metric = "verified_bytes",
            .verdict = Verdict::inconclusive,
            .because = "no probe verified anything on it",
            .meaning = "a unit that did no work is not proven"};
  }

  static VerdictRow corrupted_row(const std::string& gpu, std::int64_t points) {
    return {.unit = gpu,
            .kind = "gpu",
            .metric = "corruptions",
            .verdict = Verdict::fail,
            .n = points,
            .because = core::counted(points, "point") + " with a wrong result",
            .meaning = "it computes, stores or moves data wrongly",
            .action = results::Action::replace};
  }

  void add_modules(const TimelineEntry& entry) {
    std::istringstream names(entry.text("modules"));
    for (std::string name; names >> name;) modules_[name];
  }

  void add_module(const TimelineEntry& entry) {
    ModuleSum& sum = modules_[entry.unit];
    sum.ok += entry.count("ok");
    sum.unsupported += entry.count("unsupported");
    sum.bad += entry.count("bad");
    sum.rounds += entry.count("ok") > 0 ? 1 : 0;
    if (sum.first_bad.empty() && entry.count("bad") > 0)
      sum.first_bad = fmt::format("round {} {}: {}", entry.count("round"), entry.text("round_kind"),
                                  entry.text("first_bad"));
    const bool answered = entry.word() == entry_word::ended || entry.word() == entry_word::cut;
    if (!answered && sum.no_answer.empty()) sum.no_answer = no_answer_of(entry.answer()).sentence();
  }

  /// A word that no version of assay writes says nothing.
  static results::Answer no_answer_of(const results::Answer& said) {
    if (said.word == entry_word::no_answer) return said;
    return {entry_word::no_answer, fmt::format("the timeline has '{}'", said.word)};
  }

  void add_self_test(const TimelineEntry& entry) {
    const auto [known, first] = self_tests_.try_emplace(entry.unit, SelfTest{entry.answer()});
    SelfTest& test = known->second;
    test.caught += is_caught(entry.answer()) ? 1 : 0;
    if (!first) test.worst = worse_of(test.worst, entry.answer());
  }

  void add_finding(const TimelineEntry& entry) {
    const health::Status status = health::status_from(entry.word(), "the timeline");
    const auto [seen, first] = findings_.try_emplace({entry.unit, entry.text("check")}, Worst{entry, status});
    if (!first && is_worse(entry.text("check"), seen->second.status, status)) seen->second = {entry, status};
  }

  /// An idle link has a low speed and cannot be judged then: a verdict under load replaces that.
  static bool is_worse(const std::string& check, health::Status before, health::Status now) {
    const auto idles_or_passes = [](health::Status one) {
      return one == health::Status::unknown || one == health::Status::passed;
    };
    if (check == "pcie.speed" && idles_or_passes(before) && idles_or_passes(now))
      return now == health::Status::passed;
    return now > before;
  }

  static VerdictRow module_row(const std::string& name, const ModuleSum& sum) {
    VerdictRow row{.unit = name, .kind = "module", .metric = "points", .verdict = Verdict::pass};
    row.n = sum.ok;
    row.because = fmt::format("{} points in {}", sum.ok, core::counted(sum.rounds, "round"));
    if (sum.bad > 0) {
      row.verdict = Verdict::fail;
      row.because = fmt::format("{} of {} points failed", sum.bad, sum.ok + sum.bad);
      row.evidence = {sum.first_bad};
      row.meaning = "it does not run, hangs, or gives wrong results";
      row.action = results::Action::retest;
    } else if (sum.ok == 0 || !sum.no_answer.empty()) {
      row.verdict = Verdict::inconclusive;
      row.because = !sum.no_answer.empty()
                        ? sum.no_answer
                        : fmt::format("nothing was measured ({} points unsupported)", sum.unsupported);
      row.meaning = "what was not measured cannot be judged";
    }
    return row;
  }

  std::vector<VerdictRow> self_test_rows() const {
    std::vector<VerdictRow> rows;
    bool any = false;
    for (const auto& [name, test] : self_tests_) {
      VerdictRow row{.unit = "host", .kind = "host", .metric = name, .verdict = Verdict::pass};
      row.n = test.caught;
      row.because = "planted corruption was caught in " + core::counted(test.caught, "point");
      if (!is_caught(test.worst)) row.because = test.worst.sentence();
      row.excused = is_unsupported(test.worst);
      if (row.excused) row.verdict = Verdict::not_run;
      if (!row.excused && !is_caught(test.worst)) {
        row.verdict = Verdict::fail;
        row.meaning = "the probe does not see corruption: what it verified proves nothing";
        row.action = results::Action::retest;
      }
      any |= !row.excused;
      rows.push_back(std::move(row));
    }
    if (any) return rows;
    rows.push_back({.unit = "host",
                    .kind = "host",
                    .metric = "*.corruption_self_test",
                    .verdict = Verdict::not_run,
                    .because = "no corruption was planted",
                    .meaning = "whether the probe sees corruption is not known",
                    .action = results::Action::configure});
    return rows;
  }

  /// One row for each check that was not passed, else one for the unit.
  std::vector<VerdictRow> unit_rows() const {
    std::vector<VerdictRow> rows;
    std::map<std::string, std::int64_t> passed;
    std::set<std::string> stained;
    for (const auto& [place, worst] : findings_) {
      if (worst.status == health::Status::passed) ++passed[place.first];
      if (worst.status <= health::Status::passed) continue;
      stained.insert(place.first);
      rows.push_back(finding_row(place.first, place.second, worst));
    }
    for (const auto& [unit, n] : passed)
      if (!stained.contains(unit)) {
        rows.push_back({.unit = unit.empty() ? "host" : unit, .kind = kind_of(unit), .metric = "health"});
        rows.back().verdict = Verdict::pass;
        rows.back().n = looks_;
        rows.back().because = fmt::format("{} checks passed, {} times", n, looks_);
      }
    if (looks_ == 0)
      rows.push_back({.unit = "host", .kind = "host", .metric = "health", .because = "no check was made"});
    if (unseen_ > 0) {
      rows.push_back({.unit = "host", .kind = "host", .metric = "health.after"});
      rows.back().verdict = Verdict::inconclusive;
      rows.back().because = fmt::format("no check was made after the last {} points", unseen_);
      rows.back().meaning = "what was not looked at cannot be judged";
    }
    return rows;
  }

  static VerdictRow finding_row(const std::string& unit, const std::string& check, const Worst& worst) {
    VerdictRow row{.unit = unit.empty() ? "host" : unit, .kind = kind_of(unit), .metric = check};
    row.verdict = health::as_verdict(worst.status);
    row.excused = health::is_excused(worst.status);
    row.n = 1;
    row.because = fmt::format("{}: {}", to_string(worst.status), worst.entry.text("evidence"));
    row.evidence = {where(worst.entry)};
    if (const std::string ran = worst.entry.text("ran"); !ran.empty()) row.evidence.push_back("ran: " + ran);
    row.meaning = worst.entry.text("meaning");
    row.action = results::action_named(worst.entry.text("action"));
    return row;
  }

  std::map<std::string, ModuleSum> modules_;
  std::map<std::string, SelfTest> self_tests_;
  std::map<std::pair<std::string, std::string>, Worst> findings_;  // by unit and check
  std::map<std::string, std::string> gpus_;                        // their names by address
  std::set<std::string> proven_;                                   // addresses
  std::map<std::string, std::int64_t> corrupted_;                  // points with wrong results, by GPU
  std::int64_t looks_ = 0, unseen_ = 0;                            // points since the last look
};

/// Adds rows of the doses that were asked for: those missing, and those reached.
void add_doses(std::vector<VerdictRow>& rows, const std::vector<results::UnitDose>& doses,
               const results::DoseTargets& targets) {
  const auto row = [&](results::DoseKind kind, const std::string& unit, const std::string& because) {
    return VerdictRow{.unit = unit.empty() ? "host" : unit,
                      .kind = kind_of(unit),
                      .metric = std::string(to_string(kind)),
                      .because = because,
                      .evidence = {fmt::format("asked for {:.4g}", targets.at(kind))}};
  };
  for (const results::MissingDose& lack : missing(doses, targets)) {
    rows.push_back(row(lack.kind, lack.unit, lack.why));
    rows.back().verdict = Verdict::inconclusive;
    rows.back().meaning = "the dose asked for was not reached";
  }
  for (const results::UnitDose& dose : doses)
    if (const auto target = targets.find(dose.kind);
        target != targets.end() && reaches(dose, target->second)) {
      rows.push_back(row(dose.kind, dose.unit, describe(dose)));
      rows.back().verdict = Verdict::pass;
      rows.back().n = 1;
    }
}

}  // namespace

results::Verdicts verdicts_of(const std::vector<TimelineEntry>& timeline,
                              const std::vector<results::UnitDose>& doses,
                              const results::DoseTargets& targets) {
  results::Verdicts verdicts{.command = "burn-in", .subject = "this node"};
  Judgement judgement;
  for (const TimelineEntry& entry : timeline) judgement.add(entry);
  std::vector<VerdictRow> of_doses;
  add_doses(of_doses, doses, targets);
  for (const auto& rows : {judgement.rows(), rate_rows(timeline), limit_rows(timeline), of_doses})
    verdicts.rows.append(rows);
  for (const results::UnitDose& dose : doses)
    verdicts.notes.push_back(fmt::format("{} {}: {}", dose.unit, to_string(dose.kind), describe(dose)));
  settle(verdicts);
  return verdicts;
}

}  // namespace assay::suite

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/campaign/grow/grow_stage.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <map>
#include <ostream>

#include "harness/core/files/whole_file.hpp"
#include "harness/core/units.hpp"
#include "harness/front/campaign/group_run.hpp"
#include "harness/front/campaign/grow/kept_tests.hpp"
#include "harness/front/campaign/grow/slowest_point.hpp"

namespace assay::campaign {
namespace {

namespace fs = std::filesystem;
using results::Action;
using results::Verdict;
using results::VerdictRow;

constexpr const char* metric = "sound_set";

struct Interrupted {};

/// Tests groups by `assay run`, each with the number of its test in its name.
class Tester {
 public:
  Tester(const Site& site, const Stage& stage, const std::atomic<int>& signals, std::ostream& out)
      : site_(site),
        stage_(stage),
        signals_(signals),
        out_(out),
        kept_(groups_folder(site, stage) / (stage.name + ".jsonl")) {}

  bool passes(const Group& group) {
    ++tests_;
    const int number = ++tests_of_[group];
    const TestedGroup* known = kept_.find(group, number);
    if (known == nullptr) {
      kept_.add(test(group, number));
      known = kept_.find(group, number);
      out_ << fmt::format("{}: test {}, {} {}{}\n", stage_.name, tests_,
                          group.size() == 2 ? fmt::format("{}", fmt::join(group, " - "))
                                            : core::counted(std::ssize(group), "node"),
                          known->passed ? "pass" : "fail: ", known->why);
      out_.flush();
    }
    return known->passed;
  }

  const KeptTests& kept() const { return kept_; }

 private:
  TestedGroup test(const Group& group, int number) {
    // A group that was killed on its way is tested from the start: a test is one fresh run.
    fs::remove_all(groups_folder(site_, stage_) / group_run_id(site_, stage_, number, group));
    if (signals_ > 0) throw Interrupted();
    GroupRun run(site_, stage_, number, group, false);
    for (bool told = false; !run.ended(); poll(nullptr, 0, 50))
      if (signals_ > 0 && !told) {
        run.interrupt();
        told = true;
      }
    const GroupEnd end = run.wait();
    if (signals_ > 0) throw Interrupted();
    std::string why = end.why;
    if (end.exit_code == 0 && stage_.least_busbw_gb_per_s > 0)
      why = below_least_busbw(run.journal(), stage_.least_busbw_gb_per_s);
    return {.nodes = group, .passed = why.empty(), .why = why};
  }

  const Site& site_;
  const Stage& stage_;
  const std::atomic<int>& signals_;
  std::ostream& out_;
  KeptTests kept_;
  std::map<Group, int> tests_of_;
  int tests_ = 0;
};

VerdictRow open_row(const std::string& because, bool excused = false) {
  return {.unit = "",
          .kind = "group",
          .metric = metric,
          .verdict = Verdict::not_run,
          .because = because,
          .meaning = "what was not measured is not accepted",
          .action = Action::retest,
          .excused = excused};
}

/// The set of names, with the reasons for what it lacks.
class NamedSet {
 public:
  NamedSet(const Stage& stage, const Group& names, SoundSet set, const KeptTests& tests)
      : stage_(stage), names_(names), set_(std::move(set)), tests_(tests) {}

  Group hosts() const { return named(set_.nodes); }

  std::vector<VerdictRow> rows() const {
    std::vector<VerdictRow> rows{row_of_set()};
    for (const ExcludedNode& one : set_.excluded) rows.push_back(row_of(one));
    return rows;
  }

  std::string text() const {
    std::string text = fmt::format("{}: {}\n", stage_.name, row_of_set().because);
    for (const ExcludedNode& one : set_.excluded)
      text += fmt::format("{}: without {}: {}\n", stage_.name, name_of(one.node), row_of(one).because);
    return text;
  }

 private:
  const std::string& name_of(int node) const { return names_[static_cast<std::size_t>(node)]; }

  Group named(const std::vector<int>& nodes) const {
    Group names;
    for (const int node : nodes) names.push_back(name_of(node));
    return names;
  }

  VerdictRow row_of_set() const {
    const SoundSetRules& rules = stage_.sound_set;
    const std::string unlocated = set_.unlocated == 0 ? ""
                                                      : fmt::format("; {} could not be narrowed down",
                                                                    core::counted(set_.unlocated, "failure"));
    VerdictRow row{
        .unit = "", .kind = "group", .metric = metric, .verdict = Verdict::inconclusive, .n = set_.tests};
    if (set_.proven) {
      row.verdict = Verdict::pass;
      row.because = fmt::format(
          "{} of {} nodes pass together, {} times in a row, after {}{}; a defect that fails {:g} % of tests "
          "is "
          "in them with a probability of {:g} % at most",
          set_.nodes.size(), names_.size(), passes_needed(rules), core::counted(set_.tests, "test"),
          unlocated, 100 * rules.fails_in, 100 * rules.error);
      return row;
    }
    row.because =
        fmt::format("no set passed {} times in a row, after {}{}; the last failure: {}", passes_needed(rules),
                    core::counted(set_.tests, "test"), unlocated, tests_.last_failure());
    row.meaning = "no set is proven: look at what fails, and at the plan";
    row.action = Action::retest;
    return row;
  }

  VerdictRow row_of(const ExcludedNode& one) const {
    const std::string& name = name_of(one.node);
    VerdictRow row{.unit = name, .kind = "host", .metric = metric, .verdict = Verdict::fail, .n = 1};
    row.meaning = "the largest set that passes together is without it";
    row.action = Action::drain;
    if (one.why == Defect::larger_group) {
      Group group = named(one.with);
      group.push_back(name);
      std::ranges::sort(group);
      row.because = fmt::format("{} nodes pass together, with it they fail, and no pair does: {}",
                                one.with.size(), tests_.why_failed(group));
      return row;
    }
    const Group partners = named(one.with);
    Group pair{name, partners.front()};
    std::ranges::sort(pair);
    if (one.why == Defect::node) {
      row.because =
          fmt::format("fails with each of {}: {}", fmt::join(partners, ", "), tests_.why_failed(pair));
      return row;
    }
    row.unit = fmt::format("{}", fmt::join(pair, " - "));
    row.kind = "link";
    row.because = fmt::format("fail as a pair, and both pass with others: {}", tests_.why_failed(pair));
    row.action = Action::reseat;
    return row;
  }

  const Stage& stage_;
  const Group& names_;
  SoundSet set_;
  const KeptTests& tests_;
};

/// Lines by which a job starts on the set.
std::string launch_text(const fs::path& file, const Group& hosts) {
  return fmt::format("hosts    {}\n  mpirun -n {} --hostfile {}\n  srun --nodes={} --nodelist={}\n",
                     file.string(), hosts.size(), file.string(), hosts.size(), fmt::join(hosts, ","));
}

}  // namespace

std::vector<VerdictRow> run_grow_stage(const Site& site, const Stage& stage, const Group& present,
                                       const std::atomic<int>& signals, std::ostream& out) {
  if (!reaches_other_nodes(site)) return {open_row("--launcher local starts no ranks on other nodes")};
  if (present.size() < 2)
    return {
        open_row(core::counted(std::ssize(present), "node") + " cannot form a group", site.nodes.size() < 2)};
  fs::create_directories(groups_folder(site, stage));
  Tester tester(site, stage, signals, out);
  const GroupTest test = [&](const std::vector<int>& nodes) {
    Group group;
    for (const int node : nodes) group.push_back(present[static_cast<std::size_t>(node)]);
    return tester.passes(group);
  };
  try {
    const NamedSet set(stage, present,
                       largest_sound_set(static_cast<int>(present.size()), stage.sound_set, test),
                       tester.kept());
    out << set.text();
    const Group hosts = set.hosts();
    const fs::path file = site.folder / (stage.name + ".hosts");
    core::write_whole_file(file.string(), hosts.empty() ? "" : fmt::format("{}\n", fmt::join(hosts, "\n")));
    if (!hosts.empty()) out << launch_text(file, hosts);
    return set.rows();
  } catch (const Interrupted&) {
    return {};
  }
}

}  // namespace assay::campaign

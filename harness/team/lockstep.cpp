// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/lockstep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "harness/core/measure/case_of.hpp"
#include "harness/core/measure/measure.hpp"
#include "harness/team/agree.hpp"
#include "harness/team/join/launched_place.hpp"
#include "harness/team/join/orders.hpp"
#include "harness/team/wire/frame.hpp"

namespace assay::team {
namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

const core::Case& case_named(const std::vector<core::Case>& cases, const std::string& name) {
  const auto found = std::ranges::find(cases, name, &core::Case::name);
  if (found == cases.end())
    throw core::Error(core::ErrorKind::team, fmt::format("this rank has no case named {}", name));
  return *found;
}

/// The larger; not a number where either is not a number.
double slower(double a, double b) { return b > a || std::isnan(b) ? b : a; }

void take_slower(std::string& all, const std::string& next) {
  core::Timing slowest = timing_from(all);
  const core::Timing one = timing_from(next);
  slowest.seconds = slower(slowest.seconds, one.seconds);
  if (slowest.each_s.size() < one.each_s.size()) slowest.each_s.resize(one.each_s.size());
  for (std::size_t i = 0; i < one.each_s.size(); ++i)
    slowest.each_s[i] = slower(slowest.each_s[i], one.each_s[i]);
  all = to_text(slowest);
}

/// Wrong where any rank saw wrong bytes; right where one checked and none objects.
void take_worse(std::string& all, const std::string& next) {
  using Result = core::Verification::Result;
  const Result worst = verification_from(all).result, one = verification_from(next).result;
  if (one == Result::not_checked || worst == Result::wrong) return;
  if (one == Result::right && worst == Result::right) return;
  all = next;
}

/// How the ranks' answers to an order become one, at rank 0.
Combine combine_of(Act act) {
  switch (act) {
    case Act::run:
      return take_slower;
    case Act::verify:
      return take_worse;
    case Act::report:
      return [](std::string& all, const std::string& next) { append_packed(all, next, 0); };
    default:
      return [](std::string&, const std::string&) {};
  }
}

/// One rank's part in a point, rank 0's included: does what an order says and answers as text.
class Part {
 public:
  Part(Team& team, const CasesOf& cases_of, core::Witness* witness)
      : team_(team), cases_(cases_of(team)), witness_(witness) {}

  /// Rank 0 gets what all answers combine to. Throws on every rank where any rank failed.
  std::string obey(const Order& order) {
    return agree_on(team_, [&] { return answer(order); }, combine_of(order.act), Knows::leader);
  }
  void release() { trial_.reset(); }

  // Rank 0's own: what its trial reads while warming up, and what the report is about.
  std::vector<core::Signal> signals() { return trial_->signals(); }
  void keep(const core::Measurement& measurement) { measurement_ = measurement; }

 private:
  std::string answer(const Order& order) {
    if (order.act == Act::prepare) {
      prepare(order);
      return {};
    }
    if (!trial_) throw core::Error(core::ErrorKind::team, "was asked to measure before a point was prepared");
    switch (order.act) {
      case Act::run:
        return to_text(seen(trial_->run(order.iterations), order.iterations));
      case Act::sampling_begins:
        trial_->sampling_begins();
        if (witness_ != nullptr) witness_->sampling_begins();
        return {};
      case Act::sampling_ends:
        trial_->sampling_ends();
        if (witness_ != nullptr) witness_->sampling_ends();
        return {};
      case Act::verify:
        return to_text(as_of_all(seen(trial_->verify())));
      case Act::report:
        return pack({to_text(seen(trial_->report(measurement_)))});
      case Act::prepare:
      case Act::release:
      case Act::dismiss:
        return {};
    }
    return {};
  }

  void prepare(const Order& order) {
    trial_.reset();
    const core::Case& benchmark = case_named(cases_, order.case_name);
    if (const auto reason = benchmark.unsupported(order.point))
      throw core::Unsupported(core::ErrorKind::team, *reason);
    if (witness_ != nullptr) witness_->begins(benchmark, order.point);
    trial_ = benchmark.prepare(order.point);
  }

  core::Verification as_of_all(core::Verification verification) const {
    using Result = core::Verification::Result;
    if (verification.result == Result::not_checked) return {};
    if (verification.result == Result::wrong)
      verification.why =
          fmt::format("rank {} ({}): {}", team_.rank(), team_.host_of(team_.rank()), verification.why);
    return verification;
  }

  core::Timing seen(core::Timing timing, std::int64_t iterations) {
    if (witness_ != nullptr) witness_->ran(iterations, timing);
    return timing;
  }
  core::Verification seen(core::Verification verification) {
    if (witness_ != nullptr) witness_->verified(verification);
    return verification;
  }
  core::Report seen(core::Report report) {
    if (witness_ != nullptr) witness_->reported(report);
    return report;
  }

  Team& team_;
  std::vector<core::Case> cases_;
  core::Witness* witness_;
  std::unique_ptr<core::Trial> trial_;
  core::Measurement measurement_;  // empty on other ranks
};

/// A point of rank 0: each call is an order to all.
class LedPoint {
 public:
  using Site = core::OwnClock;
  struct Settings {
    TeamKeeper& keeper;
    const CasesOf& cases_of;
    std::string case_name;
    core::Point point;
    Site::Place place = {};
  };

  LedPoint(const Settings& settings, Site&)
      : keeper_(settings.keeper),
        team_(keeper_.team()),
        part_(std::make_unique<Part>(team_, settings.cases_of, nullptr)) {
    try {
      command({.act = Act::prepare, .case_name = settings.case_name, .point = settings.point});
    } catch (...) {
      release();
      throw;
    }
  }
  ~LedPoint() { release(); }
  LedPoint(const LedPoint&) = delete;
  LedPoint& operator=(const LedPoint&) = delete;

  core::Timing enqueue(std::int64_t iterations) {
    return timing_from(command({.act = Act::run, .iterations = iterations}));
  }
  core::Verification check() { return verification_from(command({.act = Act::verify})); }
  std::vector<core::Signal> signals() { return part_->signals(); }
  void sampling_begins() { command({.act = Act::sampling_begins}); }
  void sampling_ends() { command({.act = Act::sampling_ends}); }

  std::vector<core::Metric> metrics(const core::Measurement& measurement) {
    part_->keep(measurement);
    reports_.clear();
    for (const std::string& answer : unpack(command({.act = Act::report})))
      reports_.push_back(report_from(answer));
    return reports_.front().metrics;
  }

  std::vector<core::Fact> facts() {
    std::vector<core::Fact> all = reports_.front().facts;
    if (!team_.trust().by.empty()) all.emplace_back("team_key", team_.trust().by);
    return all;
  }
  std::vector<core::LinkReport> links() {
    std::vector<core::LinkReport> all;
    for (std::size_t rank = 0; rank < reports_.size(); ++rank)
      for (core::LinkReport& link : reports_[rank].links) {
        link.rank = static_cast<int>(rank);
        all.push_back(std::move(link));
      }
    return all;
  }
  std::vector<core::FlowReport> flows() { return reports_.front().flows; }
  std::vector<core::RankReport> ranks() {
    std::vector<core::RankReport> others;
    for (std::size_t rank = 1; rank < reports_.size(); ++rank)
      others.push_back({.rank = static_cast<int>(rank), .facts = std::move(reports_[rank].facts)});
    return others;
  }

 private:
  std::string command(const Order& order) {
    try {
      team_.broadcast(to_text(order), reply_limit_s);
      return part_->obey(order);
    } catch (PeerLost& lost) {
      lost_ = true;
      // Only the launcher can start that rank again: this process ends, and a resume continues.
      if (launched_place()) lost.poison();
      throw;
    }
  }

  void release() noexcept {
    try {
      part_->release();
      if (!lost_) team_.broadcast(to_text(Order{.act = Act::release}), reply_limit_s);
    } catch (const std::exception&) {
      lost_ = true;
    }
    part_.reset();
    if (lost_) keeper_.disband();
  }

  TeamKeeper& keeper_;
  Team& team_;
  std::unique_ptr<Part> part_;
  std::vector<core::Report> reports_;
  bool lost_ = false;
};

}  // namespace

std::vector<core::Case> lead(TeamKeeper& keeper, const CasesOf& cases_of, std::vector<core::Case> declared) {
  for (core::Case& benchmark : declared)
    benchmark.prepare = [&keeper, &cases_of, name = benchmark.name](const core::Point& point) {
      return std::make_unique<core::BenchmarkTrial<LedPoint>>(
          LedPoint::Settings{.keeper = keeper, .cases_of = cases_of, .case_name = name, .point = point});
    };
  return declared;
}

void follow(Team& team, const CasesOf& cases_of, core::Witness* witness) {
  Part part(team, cases_of, witness);
  const auto over = [&](const std::string& why_failed) {
    part.release();
    if (witness != nullptr) witness->ends(why_failed);
  };
  try {
    for (;;) {
      const Order order = order_from(team.broadcast({}, unlimited));
      if (order.act == Act::dismiss) break;
      if (order.act == Act::release) {
        over({});
        continue;
      }
      try {
        part.obey(order);
      } catch (const PeerLost&) {
        throw;
      } catch (const std::exception& error) {
        over(error.what());  // rank 0 knows, and records it
      }
    }
  } catch (const PeerLost& lost) {
    over(lost.what());
    throw;
  }
  if (witness != nullptr) witness->dismissed();
}

void dismiss(TeamKeeper& keeper) {
  try {
    if (keeper.standing()) keeper.team().broadcast(to_text(Order{.act = Act::dismiss}), reply_limit_s);
  } catch (const std::exception&) {
    // Whoever is lost needs no dismissal.
  }
  keeper.disband();
}

}  // namespace assay::team

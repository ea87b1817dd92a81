// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A case made of a benchmark class, and the conditions of a trial.
#include "harness/core/measure/case_of.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/core/error.hpp"
#include "harness/core/measure/measure.hpp"

namespace assay::core {
namespace {

using testing::ElementsAre;
using testing::Optional;

/// Notes what is called, in order.
using Calls = std::vector<std::string>;

struct CountingSite : Condition {
  struct Place {
    std::int64_t node = 0;
  };
  explicit CountingSite(const Place& place) : node(place.node) {}
  static std::optional<std::string> unavailable(const Place& place) {
    return place.node > 1 ? std::optional<std::string>("no such node") : std::nullopt;
  }
  template <class B>
  Timing time(B& benchmark, std::int64_t iterations) {
    for (std::int64_t i = 0; i < iterations; ++i) benchmark.enqueue();
    return {.seconds = static_cast<double>(iterations)};
  }
  std::vector<Fact> facts() override { return {{"node", node}}; }
  std::vector<Metric> metrics() override { return {{"of_site", "", 1}}; }
  std::int64_t node;
};

struct Limits {
  std::int64_t most = 8;
};

class Adder {
 public:
  using Site = CountingSite;
  struct Settings {
    std::int64_t count = 0;
    Site::Place place = {};
  };
  static constexpr std::string_view name = "core.test.adder";
  static constexpr std::string_view measures = "additions";
  static constexpr Headline headline = Headline::time_us;
  static constexpr std::int64_t min_samples = 7;
  static std::vector<Axis> axes(const Limits& limits) {
    return {{"count", "additions", Domain::integers, {limits.most}}};
  }
  static Settings settings(const Point& point) {
    ++parsed;
    const std::int64_t count = point.integer("count");
    if (count < 0) usage_error("count: expected 0 or more");
    return {.count = count, .place = {point.has("node") ? point.integer("node") : 0}};
  }
  static Work work(const Settings& settings) { return {.flops = static_cast<double>(settings.count)}; }
  static std::optional<std::string> impossible(const Settings& settings) {
    return settings.count == 0 ? std::optional<std::string>("nothing to add") : std::nullopt;
  }
  static std::optional<std::string> unsupported(const Settings& settings, const Limits& limits) {
    return settings.count > limits.most ? std::optional<std::string>("too many") : std::nullopt;
  }
  static Point representative(const Settings&, Point point) { return point.set("node", std::int64_t{0}); }
  static double seconds_needed(const Settings& settings, const Limits&) {
    return 2.0 * static_cast<double>(settings.count);
  }

  Adder(const Settings& settings, Site&) : count_(settings.count) {}
  void enqueue() { sum_ += count_; }
  Verification check() const { return {Verification::Result::right, std::to_string(sum_), {}}; }
  std::vector<Fact> facts() const { return {{"sum", sum_}}; }
  std::vector<Metric> metrics(const Measurement&) const { return {{"of_adder", "", 2}}; }

  static inline int parsed = 0;

 private:
  std::int64_t count_, sum_ = 0;
};

Point counts(std::int64_t count, std::int64_t node = 0) { return {{"count", count}, {"node", node}}; }

TEST(CaseOf, TakesWhatTheClassDeclares) {
  const Case made = case_of<Adder>(Limits{5});
  EXPECT_EQ(made.name, "core.test.adder");
  EXPECT_EQ(made.measures, "additions");
  EXPECT_EQ(made.min_samples, 7);
  EXPECT_EQ(std::get<std::int64_t>(made.axes.front().values.front()), 5);
  EXPECT_EQ(made.work(counts(3)).flops, 3);
  EXPECT_EQ(made.seconds_needed(counts(3)), 6);
  EXPECT_EQ(made.representative(counts(3, 1)).integer("node"), 0);
  EXPECT_FALSE(made.derived) << "the class declares none";
}

TEST(CaseOf, AsksTheShapeThenTheSiteThenTheBenchmarkWhyNot) {
  const Case made = case_of<Adder>(Limits{5});
  EXPECT_EQ(made.unsupported(counts(3)), std::nullopt);
  EXPECT_THAT(made.unsupported(counts(0, 9)), Optional(std::string("nothing to add")));
  EXPECT_THAT(made.unsupported(counts(6, 9)), Optional(std::string("no such node")));
  EXPECT_THAT(made.unsupported(counts(6)), Optional(std::string("too many")));
}

TEST(CaseOf, RefusesBadWordsInEveryQuestion) {
  const Case made = case_of<Adder>(Limits{5});
  EXPECT_THROW(made.work(counts(-1)), Error);
  EXPECT_THROW(made.unsupported(counts(-1, 9)), Error);
  EXPECT_THROW(made.prepare(counts(-1)), Error);
}

TEST(CaseOf, ParsesAPointOnceToPrepareIt) {
  const Case made = case_of<Adder>(Limits{5});
  Adder::parsed = 0;
  made.prepare(counts(3));
  EXPECT_EQ(Adder::parsed, 1);
}

struct RememberingAdder : Adder {
  using Adder::Adder;
  static constexpr bool remembers_unsupported = true;
  static std::optional<std::string> unsupported(const Settings&) { return std::to_string(++asked); }
  static inline int asked = 0;
};

TEST(CaseOf, RemembersWhyNotOfEachPointWhereToldTo) {
  const Case made = case_of<RememberingAdder>(Limits{5});
  EXPECT_THAT(made.unsupported(counts(3)), Optional(std::string("1")));
  EXPECT_THAT(made.unsupported(counts(3)), Optional(std::string("1")));
  EXPECT_THAT(made.unsupported(counts(4)), Optional(std::string("2")));
}

struct PartlyBuiltAdder : Adder {
  using Adder::Adder;
  static std::optional<std::string> not_built(const Settings& settings) {
    return settings.count % 2 == 0 ? std::optional<std::string>("even numbers") : std::nullopt;
  }
};

TEST(CaseOf, SaysWhatThisBuildLacksBeforeWhatTheMachineLacks) {
  const Case made = case_of<PartlyBuiltAdder>(Limits{5});
  EXPECT_THAT(made.not_built(counts(4, 9)), Optional(std::string("even numbers")));
  EXPECT_THAT(made.unsupported(counts(4, 9)), Optional(std::string("built without even numbers")));
  EXPECT_EQ(made.not_built(counts(3)), std::nullopt);
  EXPECT_EQ(made.not_built(counts(0)), std::nullopt) << "no build adds nothing";
  EXPECT_FALSE(case_of<Adder>(Limits{5}).not_built) << "the class declares nothing";
}

TEST(BenchmarkTrial, RunsAtItsSiteWhoseReadingsComeFirst) {
  const auto trial = case_of<Adder>(Limits{5}).prepare(counts(3, 1));
  EXPECT_EQ(trial->run(4).seconds, 4);
  EXPECT_EQ(trial->verify().why, "12");
  EXPECT_THAT(trial->facts(), ElementsAre(Fact("node", std::int64_t{1}), Fact("sum", std::int64_t{12})));
  const std::vector<Metric> metrics = trial->metrics({});
  ASSERT_EQ(metrics.size(), 2u);
  EXPECT_EQ(metrics[0].name, "of_site");
  EXPECT_EQ(metrics[1].name, "of_adder");
}

class Noting final : public Condition {
 public:
  Noting(Calls& calls, std::string name) : calls_(calls), name_(std::move(name)) {}
  void around(Step, std::int64_t iterations, const std::function<void()>& call) override {
    calls_.push_back(name_ + " before " + std::to_string(iterations));
    call();
    calls_.push_back(name_ + " after");
  }
  void sampling_begins() override { calls_.push_back(name_ + " begins"); }
  void sampling_ends() override { calls_.push_back(name_ + " ends"); }

 private:
  Calls& calls_;
  std::string name_;
};

class NotedTrial final : public Trial {
 public:
  explicit NotedTrial(Calls& calls) : calls_(calls) {}

 private:
  Timing do_run(std::int64_t) override {
    calls_.emplace_back("runs");
    return {};
  }
  Verification do_verify() override { return {}; }
  void do_sampling_begins() override { calls_.emplace_back("prepares"); }
  void do_sampling_ends() override { calls_.emplace_back("gathers"); }
  Calls& calls_;
};

TEST(Trial, TheLastConditionAttachedSurroundsTheOthers) {
  Calls calls;
  NotedTrial trial(calls);
  trial.attach(std::make_shared<Noting>(calls, "inner"));
  trial.attach(std::make_shared<Noting>(calls, "outer"));
  trial.run(3);
  EXPECT_THAT(calls, ElementsAre("outer before 3", "inner before 3", "runs", "inner after", "outer after"));
}

TEST(Trial, CountersAreReadNextToTheSamples) {
  Calls calls;
  NotedTrial trial(calls);
  trial.attach(std::make_shared<Noting>(calls, "counters"));
  trial.sampling_begins();
  trial.sampling_ends();
  EXPECT_THAT(calls, ElementsAre("counters before 1", "prepares", "counters begins", "counters after",
                                 "counters before 1", "counters ends", "gathers", "counters after"));
}

}  // namespace
}  // namespace assay::core

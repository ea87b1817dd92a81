// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The one shape of a benchmark, and its case. A benchmark class B declares, as static members:
//   Site, Settings             where it runs; a point as a struct, whose member `place` is the Site's Place
//   name, measures, headline   what it is
//   axes()                     what it sweeps
//   settings(point)            the only reader of a point's names. Throws a usage Error for bad words.
//   work(settings)             what one iteration does
// and executes: B(settings, site) prepares, enqueue() runs, check() verifies. Optional are the static
// derived(settings), impossible(settings), why on no machine, not_built(settings), which component this build
// lacks, unsupported(settings), why not here, representative(settings, point), seconds_needed(settings),
// min_samples, min_sample_seconds and remembers_unsupported, and the members signals(), sampling_begins(),
// sampling_ends(), metrics(measurement), facts(), links(), flows() and ranks(). Each static function but
// impossible and not_built may take what surrounds the module as its last argument (the machine, the team);
// name and measures may be such functions too.
#pragma once

#include <concepts>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/core/measure/benchmark.hpp"

namespace assay::core {

/// A site is made of its Place and is a condition of every trial there. Where B::enqueue(iterations) does not
/// return a Timing, Site::time(benchmark, iterations) runs it and takes the time.
template <class S>
concept SiteOfTrials =
    std::derived_from<S, Condition> && std::constructible_from<S, const typename S::Place&>;

template <class B>
concept Benchmark =
    SiteOfTrials<typename B::Site> && requires(B benchmark, const typename B::Settings& settings) {
      { settings.place } -> std::convertible_to<typename B::Site::Place>;
      { benchmark.check() } -> std::same_as<Verification>;
      requires std::constructible_from<B, const typename B::Settings&, typename B::Site&>;
    };

/// The trial of every benchmark class: its site with that site's conditions, and the benchmark on it.
template <Benchmark B>
class BenchmarkTrial final : public Trial {
 public:
  explicit BenchmarkTrial(const typename B::Settings& settings)
      : site_(settings.place), benchmark_(settings, site_) {
    attach(site_);
  }

  B& benchmark() { return benchmark_; }

 private:
  Timing do_run(std::int64_t iterations) override {
    if constexpr (requires {
                    { benchmark_.enqueue(iterations) } -> std::same_as<Timing>;
                  })
      return benchmark_.enqueue(iterations);
    else
      return site_.time(benchmark_, iterations);
  }
  Verification do_verify() override { return benchmark_.check(); }
  std::vector<Signal> do_signals() override {
    if constexpr (requires { benchmark_.signals(); }) return benchmark_.signals();
    return {};
  }
  void do_sampling_begins() override {
    if constexpr (requires { benchmark_.sampling_begins(); }) benchmark_.sampling_begins();
  }
  void do_sampling_ends() override {
    if constexpr (requires { benchmark_.sampling_ends(); }) benchmark_.sampling_ends();
  }
  std::vector<Metric> do_metrics(const Measurement& measurement) override {
    if constexpr (requires { benchmark_.metrics(measurement); }) return benchmark_.metrics(measurement);
    return {};
  }
  std::vector<Fact> do_facts() override {
    if constexpr (requires { benchmark_.facts(); }) return benchmark_.facts();
    return {};
  }
  std::vector<LinkReport> do_links() override {
    if constexpr (requires { benchmark_.links(); }) return benchmark_.links();
    return {};
  }
  std::vector<FlowReport> do_flows() override {
    if constexpr (requires { benchmark_.flows(); }) return benchmark_.flows();
    return {};
  }
  std::vector<RankReport> do_ranks() override {
    if constexpr (requires { benchmark_.ranks(); }) return benchmark_.ranks();
    return {};
  }

  typename B::Site site_;
  B benchmark_;
};

/// The site of benchmarks that take their time themselves.
struct OwnClock : Condition {
  struct Place {};
  explicit OwnClock(Place) {}
};

/// For benchmarks that need to know nothing around them.
struct Anywhere {};

/// The declarations of B, which is asked with its surroundings where it takes them.
template <class B, class Around>
struct Declared {
  using Settings = typename B::Settings;

  static std::string name(const Around& around) {
    if constexpr (requires { B::name(around); })
      return std::string(B::name(around));
    else
      return std::string(B::name);
  }
  static std::string measures(const Around& around) {
    if constexpr (requires { B::measures(around); })
      return std::string(B::measures(around));
    else
      return std::string(B::measures);
  }
  static std::vector<Axis> axes(const Around& around) {
    if constexpr (requires { B::axes(around); })
      return B::axes(around);
    else
      return B::axes();
  }
  static Settings settings(const Point& point, const Around& around) {
    if constexpr (requires { B::settings(point, around); })
      return B::settings(point, around);
    else
      return B::settings(point);
  }
  static Work work(const Settings& settings, const Around& around) {
    if constexpr (requires { B::work(settings, around); })
      return B::work(settings, around);
    else
      return B::work(settings);
  }
  static constexpr bool derives = requires(const Settings& s, const Around& a) { B::derived(s, a); } ||
                                  requires(const Settings& s) { B::derived(s); };
  static std::vector<Fact> derived(const Settings& settings, const Around& around) {
    if constexpr (requires { B::derived(settings, around); })
      return B::derived(settings, around);
    else
      return B::derived(settings);
  }
  static std::optional<std::string> impossible(const Settings& settings) {
    if constexpr (requires { B::impossible(settings); }) return B::impossible(settings);
    return std::nullopt;
  }
  static constexpr bool may_lack = requires(const Settings& settings) { B::not_built(settings); };
  static std::optional<std::string> not_built(const Settings& settings) {
    if constexpr (may_lack)
      if (!impossible(settings)) return B::not_built(settings);
    return std::nullopt;
  }
  static std::optional<std::string> unsupported(const Settings& settings, const Around& around) {
    if (auto reason = impossible(settings)) return reason;
    if (const auto component = not_built(settings)) return built_without(*component);
    if constexpr (requires { B::Site::unavailable(settings.place); })
      if (auto reason = B::Site::unavailable(settings.place)) return reason;
    if constexpr (requires { B::unsupported(settings, around); })
      return B::unsupported(settings, around);
    else if constexpr (requires { B::unsupported(settings); })
      return B::unsupported(settings);
    else
      return std::nullopt;
  }
};

/// Answers by the key of a point, for questions that are dear, or that a lost device could no longer answer.
class RememberedReasons {
 public:
  template <class Ask>
  std::optional<std::string> of(const Point& point, Ask ask) {
    const std::lock_guard lock(mutex_);
    const auto known = known_.find(point.key());
    return known != known_.end() ? known->second : known_[point.key()] = ask();
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::optional<std::string>> known_;
};

/// A case from the declarations of D, without `unsupported` and `prepare`.
template <class D, class Around = Anywhere>
Case declared_case(const Around& around = {}) {
  using Of = Declared<D, Around>;
  using Settings = typename D::Settings;
  Case made;
  made.name = Of::name(around);
  made.measures = Of::measures(around);
  made.headline = D::headline;
  made.axes = Of::axes(around);
  if constexpr (requires { D::min_samples; }) made.min_samples = D::min_samples;
  if constexpr (requires { D::min_sample_seconds; }) made.min_sample_seconds = D::min_sample_seconds;
  made.work = [around](const Point& point) { return Of::work(Of::settings(point, around), around); };
  if constexpr (Of::derives)
    made.derived = [around](const Point& point) { return Of::derived(Of::settings(point, around), around); };
  if constexpr (requires(const Settings& settings, const Point& point) {
                  D::representative(settings, point);
                })
    made.representative = [around](const Point& point) {
      return D::representative(Of::settings(point, around), point);
    };
  if constexpr (requires(const Settings& settings) { D::impossible(settings); })
    made.impossible = [around](const Point& point) { return Of::impossible(Of::settings(point, around)); };
  if constexpr (requires(const Settings& settings) { D::seconds_needed(settings, around); })
    made.seconds_needed = [around](const Point& point) {
      return D::seconds_needed(Of::settings(point, around), around);
    };
  return made;
}

/// The case of a benchmark class. `around` is copied into it.
template <Benchmark B, class Around = Anywhere>
Case case_of(const Around& around = {}) {
  using Of = Declared<B, Around>;
  Case made = declared_case<B>(around);
  if constexpr (Of::may_lack)
    made.not_built = [around](const Point& point) { return Of::not_built(Of::settings(point, around)); };
  made.unsupported = [around](const Point& point) {
    return Of::unsupported(Of::settings(point, around), around);
  };
  if constexpr (requires { B::remembers_unsupported; })
    made.unsupported = [reasons = std::make_shared<RememberedReasons>(), ask = made.unsupported](
                           const Point& point) { return reasons->of(point, [&] { return ask(point); }); };
  made.prepare = [around](const Point& point) -> std::unique_ptr<Trial> {
    return std::make_unique<BenchmarkTrial<B>>(Of::settings(point, around));
  };
  return made;
}

}  // namespace assay::core

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/run/tests/fake_cases.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iterator>
#include <thread>

#include "harness/core/error.hpp"

namespace assay::run::tests {
namespace {

class FakeTrial final : public core::Trial {
 public:
  FakeTrial(double seconds, core::Verification verdict) : seconds_(seconds), verdict_(std::move(verdict)) {}
  core::Timing do_run(std::int64_t iterations) override {
    const double seconds = seconds_ * static_cast<double>(iterations);
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    return {.seconds = seconds};
  }
  core::Verification do_verify() override { return verdict_; }
  std::vector<core::Metric> do_metrics(const core::Measurement&) override { return {{"extra_w", "W", 7.5}}; }
  std::vector<core::Fact> do_facts() override { return {{"cache_state", "cold"}}; }

 private:
  double seconds_;
  core::Verification verdict_;
};

/// Tells how many bytes it compared.
class VerifyingTrial final : public core::Trial {
 public:
  core::Timing do_run(std::int64_t iterations) override { return trial_.run(iterations); }
  core::Verification do_verify() override { return trial_.verify(); }
  std::vector<core::Metric> do_metrics(const core::Measurement&) override {
    return {{"verified_bytes", "B", 1e6}};
  }

 private:
  FakeTrial trial_{2e-4, {core::Verification::Result::right, "compared", ""}};
};

using Prepare = std::function<std::unique_ptr<core::Trial>(const core::Point&)>;

core::Case fake(const std::string& name, Prepare prepare) {
  core::Case benchmark;
  benchmark.name = "memory.fake." + name;
  benchmark.measures = "what happens when a point " + name;
  benchmark.headline = core::Headline::bandwidth_gb_per_s;
  benchmark.axes = {{"n",
                     "any number",
                     core::Domain::integers,
                     {core::Value{std::int64_t{1}}, core::Value{std::int64_t{2}}}}};
  benchmark.work = [](const core::Point&) { return core::Work{.bytes = 1e6, .bytes_counted = "read"}; };
  benchmark.unsupported = [](const core::Point&) { return std::nullopt; };
  benchmark.prepare = std::move(prepare);
  return benchmark;
}

std::unique_ptr<core::Trial> steady(double seconds) {
  return std::make_unique<FakeTrial>(seconds,
                                     core::Verification{core::Verification::Result::right, "counted", ""});
}

/// Those that take the module with them.
std::vector<core::Case> falling_cases() {
  using Trial = std::unique_ptr<core::Trial>;
  return {fake("crashes",
               [](const core::Point&) -> Trial {
                 signal(SIGSEGV, SIG_DFL);  // a sanitizer would catch it and exit
                 raise(SIGSEGV);
                 return nullptr;
               }),
          fake("hangs",
               [](const core::Point&) -> Trial {
                 for (;;) pause();
               }),
          fake("cannot_be_killed",
               [](const core::Point&) -> Trial {
                 setpgid(0, getpgid(getppid()));  // out of the group that the supervisor's signals reach
                 std::this_thread::sleep_for(std::chrono::seconds(20));
                 _exit(0);
               }),
          fake("exits", [](const core::Point&) -> Trial { _exit(77); }),
          fake("hangs_behind", [](const core::Point&) { return steady(2e-4); }),  // see fake_module.cpp
          fake("stops", [](const core::Point& point) {
            if (point.integer("n") == 1) raise(SIGSTOP);
            return steady(2e-4);
          })};
}

}  // namespace

std::vector<core::Case> fake_cases(const machine::Machine&) {
  using Trial = std::unique_ptr<core::Trial>;
  std::vector<core::Case> cases{
      fake("steady", [](const core::Point&) { return steady(2e-4); }),
      fake("slow", [](const core::Point&) { return steady(0.05); }),
      fake("fails",
           [](const core::Point&) -> Trial {
             throw core::Error(core::ErrorKind::system, "allocate 1 EiB: Cannot allocate memory", 12);
           }),
      fake("wrong",
           [](const core::Point&) -> Trial {
             return std::make_unique<FakeTrial>(
                 2e-4,
                 core::Verification{core::Verification::Result::wrong, "element 3: expected 6, read 7", ""});
           }),
      fake("unsupported", [](const core::Point&) { return steady(1e-4); }),
      fake("corruption", [](const core::Point&) -> Trial { return std::make_unique<VerifyingTrial>(); }),
      fake("corruption_self_test", [](const core::Point&) { return steady(2e-4); }),
      fake("fails_while_broken",
           [](const core::Point&) {
             if (std::getenv("ASSAY_FAKE_BROKEN") != nullptr)
               throw core::Error(core::ErrorKind::system, "the fake device is broken");
             return steady(2e-4);
           }),
      fake("lasts", [](const core::Point&) { return steady(0.5); })};
  cases[4].unsupported = [](const core::Point&) { return "no CUDA-capable device is detected"; };
  std::ranges::move(falling_cases(), std::back_inserter(cases));
  cases.push_back(cases[4]);
  cases.back().name = "memory.cuda.fake";
  std::vector<core::Case> absent = core::absent({fake("not_built", {})}, "CUDA");
  absent.front().name = "memory.cuda.not_built";
  cases.push_back(std::move(absent.front()));
  return cases;
}

}  // namespace assay::run::tests

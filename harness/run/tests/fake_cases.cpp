// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/run/tests/fake_cases.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <thread>

#include "harness/core/error.hpp"

namespace assay::run::tests {
namespace {

using Pass = std::function<void(double)>;

class FakeTrial final : public core::Trial {
 public:
  FakeTrial(const Pass& pass, double seconds, core::Verification verdict)
      : pass_(pass), seconds_(seconds), verdict_(std::move(verdict)) {}
  core::Timing do_run(std::int64_t iterations) override {
    const double seconds = seconds_ * static_cast<double>(iterations);
    pass_(seconds);
    return {.seconds = seconds};
  }
  core::Verification do_verify() override { return verdict_; }
  std::vector<core::Metric> do_metrics(const core::Measurement&) override { return {{"extra_w", "W", 7.5}}; }
  std::vector<core::Fact> do_facts() override { return {{"cache_state", "cold"}}; }

 private:
  Pass pass_;
  double seconds_;
  core::Verification verdict_;
};

/// Tells how many bytes it compared.
class VerifyingTrial final : public core::Trial {
 public:
  explicit VerifyingTrial(const Pass& pass)
      : trial_(pass, 2e-4, {core::Verification::Result::right, "compared", ""}) {}
  core::Timing do_run(std::int64_t iterations) override { return trial_.run(iterations); }
  core::Verification do_verify() override { return trial_.verify(); }
  std::vector<core::Metric> do_metrics(const core::Measurement&) override {
    return {{"verified_bytes", "B", 1e6}};
  }

 private:
  FakeTrial trial_;
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

std::unique_ptr<core::Trial> steady(const Pass& pass, double seconds) {
  return std::make_unique<FakeTrial>(pass, seconds,
                                     core::Verification{core::Verification::Result::right, "counted", ""});
}

/// Tells the test that asks for it, by a file with this process's number, that a point is where it stays.
void tell_that_it_stays() {
  if (const char* file = std::getenv("ASSAY_FAKE_STAYS")) std::ofstream(file) << getpid() << std::endl;
}

/// Those that take the module with them.
std::vector<core::Case> falling_cases(const Pass& pass) {
  using Trial = std::unique_ptr<core::Trial>;
  return {
      fake("crashes",
           [](const core::Point&) -> Trial {
             signal(SIGSEGV, SIG_DFL);  // a sanitizer would catch it and exit
             raise(SIGSEGV);
             return nullptr;
           }),
      fake("hangs",
           [](const core::Point&) -> Trial {
             tell_that_it_stays();
             for (;;) pause();
           }),
      fake("cannot_be_killed",
           [](const core::Point&) -> Trial {
             setpgid(0, getpgid(getppid()));  // out of the group that the supervisor's signals reach
             signal(SIGALRM, SIG_DFL);
             alarm(20);  // so that it does not outlive a test that fails by much
             tell_that_it_stays();
             for (;;) pause();
           }),
      fake("exits", [](const core::Point&) -> Trial { _exit(77); }),
      fake("hangs_behind", [=](const core::Point&) { return steady(pass, 2e-4); }),  // see fake_module.cpp
      fake("stops", [=](const core::Point& point) {
        if (point.integer("n") == 1) raise(SIGSTOP);
        return steady(pass, 2e-4);
      })};
}

}  // namespace

std::vector<core::Case> fake_cases(const machine::Machine&) {
  return fake_cases_passing(
      [](double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); });
}

std::vector<core::Case> fake_cases_passing(const Pass& pass) {
  using Trial = std::unique_ptr<core::Trial>;
  std::vector<core::Case> cases{
      fake("steady", [=](const core::Point&) { return steady(pass, 2e-4); }),
      fake("slow", [=](const core::Point&) { return steady(pass, 0.05); }),
      fake("fails",
           [](const core::Point&) -> Trial {
             throw core::Error(core::ErrorKind::system, "allocate 1 EiB: Cannot allocate memory", 12);
           }),
      fake("wrong",
           [=](const core::Point&) -> Trial {
             return std::make_unique<FakeTrial>(
                 pass, 2e-4,
                 core::Verification{core::Verification::Result::wrong, "element 3: expected 6, read 7", ""});
           }),
      fake("unsupported", [=](const core::Point&) { return steady(pass, 1e-4); }),
      fake("corruption", [=](const core::Point&) -> Trial { return std::make_unique<VerifyingTrial>(pass); }),
      fake("corruption_self_test", [=](const core::Point&) { return steady(pass, 2e-4); }),
      fake("fails_while_broken",
           [=](const core::Point&) {
             if (std::getenv("ASSAY_FAKE_BROKEN") != nullptr)
               throw core::Error(core::ErrorKind::system, "the fake device is broken");
             return steady(pass, 2e-4);
           }),
      fake("lasts", [=](const core::Point&) { return steady(pass, 0.5); })};
  cases[4].unsupported = [](const core::Point&) { return "no CUDA-capable device is detected"; };
  std::ranges::move(falling_cases(pass), std::back_inserter(cases));
  cases.push_back(cases[4]);
  cases.back().name = "memory.cuda.fake";
  std::vector<core::Case> absent = core::absent({fake("not_built", {})}, "CUDA");
  absent.front().name = "memory.cuda.not_built";
  cases.push_back(std::move(absent.front()));
  return cases;
}

}  // namespace assay::run::tests

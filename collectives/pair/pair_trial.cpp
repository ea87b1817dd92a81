// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/pair/pair_trial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "collectives/rank_bytes.hpp"
#include "harness/core/measure/measure.hpp"
#include "harness/core/names.hpp"
#include "harness/core/seconds_since.hpp"

namespace assay::collectives {
PairTrial::PairTrial(team::Team& team, Setup setup) : team_(team), setup_(std::move(setup)) {
  if (!is_end()) return;
  if (setup_.cpu >= 0) binding_ = std::make_unique<host::PinnedThreads>(std::vector<int>{setup_.cpu});
  outgoing_ = bytes_of_rank(team_.rank(), setup_.bytes);
  incoming_.resize(outgoing_.size());
}

PairTrial::Noted::Noted(const PairTrial& trial)
    : ring_(trial.setup_.post ? &trial.setup_.post->ring() : nullptr) {
  if (ring_ != nullptr) ring_->begins(Operation::send_receive, trial.setup_.bytes, core::steady_seconds());
}

PairTrial::Noted::~Noted() {
  if (ring_ != nullptr) ring_->done();
}

void PairTrial::meet() { signal_from(1); }

void PairTrial::signal_from(int rank) {
  std::array<std::byte, 1> signal{};
  if (team_.rank() == rank)
    start_send(signal);
  else
    start_receive(signal);
  wait();
}

void PairTrial::spoil_incoming() {
  if (!is_end()) return;
  const std::vector<std::byte> right = bytes_of_rank(1 - team_.rank(), setup_.bytes);
  std::ranges::transform(right, incoming_.begin(), [](std::byte one) { return ~one; });
}

core::Verification PairTrial::check() const {
  using Result = core::Verification::Result;
  if (!is_end() || !expects_) return {};
  if (std::string wrong = first_wrong_byte(1 - team_.rank(), incoming_); !wrong.empty())
    return {Result::wrong, std::move(wrong)};
  return {Result::right, "every byte of the last message that arrived"};
}

std::vector<core::Fact> PairTrial::facts() const {
  std::vector<core::Fact> facts{{"transport", setup_.transport_name}};
  if (is_end()) facts.emplace_back("cpu", setup_.cpu < 0 ? std::string("any") : std::to_string(setup_.cpu));
  if (!leads()) return facts;
  facts.emplace_back(core::names::ranks, std::int64_t{2});
  facts.emplace_back("hosts", fmt::format("{} {}", team_.host_of(0), team_.host_of(1)));
  facts.emplace_back("cache", "hot");
  return facts;
}

core::Timing PairStream::enqueue(std::int64_t iterations) {
  if (!is_end()) return {};
  const Noted noted(*this);
  if (!leads()) {
    meet();
    receive_all(iterations);
    signal_from(1);
    expect_arrivals();
    return {};
  }
  meet();
  const double began = core::steady_seconds();
  send_all(iterations);
  signal_from(1);
  sent_ += iterations;
  return {.seconds = core::steady_seconds() - began};
}

void PairStream::send_all(std::int64_t messages) {
  for (std::int64_t started = 0; started < messages;) {
    for (int i = 0; i < setup().tx_depth && started < messages; ++i, ++started) start_send(outgoing());
    wait();
  }
}

void PairStream::receive_all(std::int64_t messages) {
  for (std::int64_t started = 0; started < messages;) {
    for (int i = 0; i < setup().tx_depth && started < messages; ++i, ++started) start_receive(incoming());
    wait();
  }
}

void PairStream::sampling_begins() {
  spoil_incoming();
  sent_ = 0;
  cpu_.begins();
}

std::vector<core::Metric> PairStream::metrics(const core::Measurement& measurement) {
  const double cpu_s = cpu_.gathered_s(team(), is_end());
  if (!leads()) return {};
  std::vector<core::Metric> metrics;
  const core::QuantileInterval& time = measurement.interval;
  if (time.lower > 0)
    metrics.push_back({core::names::message_rate_m_per_s, "M/s", 1e-6 / time.estimate, 1e-6 / time.upper,
                       1e-6 / time.lower});
  const double bytes = static_cast<double>(sent_) * static_cast<double>(setup().bytes);
  if (auto metric = team::cpu_metric(cpu_s, bytes)) metrics.push_back(*std::move(metric));
  return metrics;
}

std::vector<core::Fact> PairStream::facts() const {
  std::vector<core::Fact> facts = PairTrial::facts();
  if (!leads()) return facts;
  facts.emplace_back("time_counts", "a sample's messages until rank 1 has said that it has them");
  facts.emplace_back("cpu_counts", team::cpu_counts);
  return facts;
}

core::Timing PairPingPong::enqueue(std::int64_t iterations) {
  if (!is_end()) return {};
  const Noted noted(*this);
  meet();
  expect_arrivals();
  core::Timing timing;
  for (std::int64_t i = 0; i < iterations; ++i) {
    if (!leads()) {
      receive();
      send();
      continue;
    }
    const double began = core::steady_seconds();
    send();
    receive();
    const double half_s = (core::steady_seconds() - began) / 2;
    timing.each_s.push_back(half_s);
    timing.seconds += half_s;
  }
  return timing;
}

std::vector<core::Fact> PairPingPong::facts() const {
  std::vector<core::Fact> facts = PairTrial::facts();
  if (leads()) facts.emplace_back("latency_counts", "half of the round trip");
  return facts;
}

}  // namespace assay::collectives

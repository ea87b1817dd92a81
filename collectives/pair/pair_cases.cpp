// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/pair/pair_cases.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

#include "collectives/measure/connected_ranks.hpp"
#include "collectives/pair/pair_trial.hpp"
#include "harness/core/error.hpp"
#include "harness/core/measure/case_of.hpp"
#include "harness/core/measure/within.hpp"
#include "harness/core/units.hpp"

namespace assay::collectives {
namespace {

using core::Axis;
using core::Domain;
using core::Value;

/// One of the cases, and who measures it.
struct AskedPair {
  CaseMaker maker;
  HostTransport transport = HostTransport::tcp;
};

struct PairSettings {
  AskedPair asked;
  std::int64_t bytes = 1;
  int tx_depth = 1;
  Waiting waiting = Waiting::polling;
  bool bound = true;
  core::OwnClock::Place place = {};
};

constexpr const char *polling = "polling", *apart = "apart";

PairSettings pair_settings(const core::Point& point, const AskedPair& asked) {
  return {.asked = asked,
          .bytes = core::within(point, "bytes", 1, core::gib),
          .waiting = point.text("completion") == polling ? Waiting::polling : Waiting::sleeping,
          .bound = point.text("cpus") == apart};
}

std::vector<Axis> pair_axes(std::initializer_list<std::int64_t> sizes) {
  return {{"bytes", "message size", Domain::sizes, std::vector<Value>(sizes.begin(), sizes.end())},
          {"completion",
           "how each end notices completion",
           Domain::words,
           {std::string(polling), std::string("events")},
           {polling, "events"}},
          {"cpus",
           "apart: each end is bound to one of its own; any: as the scheduler places them",
           Domain::words,
           {std::string(apart)},
           {apart, "any"}}};
}

std::string name_of(const AskedPair& asked, const char* benchmark) {
  return fmt::format("collectives.{}.{}", asked.transport == HostTransport::tcp ? "tcp" : "shared_memory",
                     benchmark);
}

std::string through(const AskedPair& asked) {
  return asked.transport == HostTransport::tcp ? "over TCP" : "through shared memory";
}

/// Two ends that poll on one CPU would wait for each other's time slice. -1: there is but one.
int cpu_of_end(const PairSettings& settings, int rank) {
  if (!settings.bound || rank > 1) return -1;
  try {
    return host::choose_cpus(2, -1)[static_cast<std::size_t>(rank)];
  } catch (const core::Error&) {
    return -1;
  }
}

PairTrial::Setup setup_of_pair(const PairSettings& settings) {
  ConnectedRanks connected = connect_pair(settings.asked.maker, settings.asked.transport, settings.waiting);
  return {.post = std::move(connected.post),
          .transport = std::move(connected.transport),
          .transport_name = std::move(connected.transport_name),
          .bytes = settings.bytes,
          .tx_depth = settings.tx_depth,
          .cpu = cpu_of_end(settings, settings.asked.maker.team->rank())};
}

/// The part that the cases of streams and of single messages share.
struct PairCase {
  using Site = core::OwnClock;
  using Settings = PairSettings;
  static core::Work work(const Settings& settings) {
    return {.bytes = static_cast<double>(settings.bytes), .messages = 1, .bytes_counted = "payload, once"};
  }
  static std::optional<std::string> impossible(const Settings& settings) {
    const CaseMaker& maker = settings.asked.maker;
    if (maker.around.ranks < 2) return "one rank has none to send to: --ranks 2 or more";
    if (settings.asked.transport == HostTransport::tcp || maker.team == nullptr) return std::nullopt;
    const std::string first = maker.team->host_of(0), second = maker.team->host_of(1);
    if (first == second) return std::nullopt;
    return fmt::format("rank 0 is on {} and rank 1 on {}: they share no memory", first, second);
  }
};

class PairBandwidth : public PairCase, public PairStream {
 public:
  static constexpr core::Headline headline = core::Headline::bandwidth_gb_per_s;
  static constexpr double min_sample_seconds = 5e-3;  // long compared with the round trip that ends it
  static std::string name(const AskedPair& asked) { return name_of(asked, "bandwidth"); }
  static std::string measures(const AskedPair& asked) {
    return "messages from rank 0 to rank 1 " + through(asked) + ": payload per second, CPU seconds per GB";
  }
  static std::vector<Axis> axes() {
    std::vector<Axis> axes = pair_axes({64, 4096, 65536, core::mib});
    axes.push_back({"tx_depth",
                    "messages that an end starts before it waits for them",
                    Domain::integers,
                    {std::int64_t{16}}});
    return axes;
  }
  static Settings settings(const core::Point& point, const AskedPair& asked) {
    constexpr std::int64_t deepest = 1 << 16;
    Settings settings = pair_settings(point, asked);
    settings.tx_depth = static_cast<int>(core::within(point, "tx_depth", 1, deepest));
    return settings;
  }
  PairBandwidth(const Settings& settings, Site&)
      : PairStream(*settings.asked.maker.team, setup_of_pair(settings)) {}
};

class PairLatency : public PairCase, public PairPingPong {
 public:
  static constexpr core::Headline headline = core::Headline::latency_us;
  static constexpr std::int64_t min_samples = 3000;  // p99.9 needs 2,995
  static constexpr double min_sample_seconds = 5e-3;
  static std::string name(const AskedPair& asked) { return name_of(asked, "latency"); }
  static std::string measures(const AskedPair& asked) {
    return "one message at a time between ranks 0 and 1 " + through(asked) + ": median, p99, p99.9, maximum";
  }
  static std::vector<Axis> axes() { return pair_axes({2, 64, 1024, 4096, 65536}); }
  static Settings settings(const core::Point& point, const AskedPair& asked) {
    return pair_settings(point, asked);
  }
  PairLatency(const Settings& settings, Site&)
      : PairPingPong(*settings.asked.maker.team, setup_of_pair(settings)) {}
};

}  // namespace

std::vector<core::Case> pair_cases(const CaseMaker& maker) {
  std::vector<core::Case> cases;
  for (const HostTransport transport : {HostTransport::tcp, HostTransport::shared_memory}) {
    cases.push_back(core::case_of<PairBandwidth>(AskedPair{maker, transport}));
    cases.push_back(core::case_of<PairLatency>(AskedPair{maker, transport}));
  }
  return cases;
}

}  // namespace assay::collectives

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// perftest and nvbandwidth: what links carry.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "harness/core/error.hpp"
#include "harness/front/cli/like/foreign_flags.hpp"
#include "harness/front/cli/like/known_tools.hpp"

namespace assay::cli {
namespace {

/// As of perftest 26.04.
constexpr std::array perftest_flags{
    ForeignFlag{"-s", "--size"},
    ForeignFlag{"-a", "--all", false},
    ForeignFlag{"-q", "--qp"},
    ForeignFlag{"-t", "--tx-depth"},
    ForeignFlag{"-l", "--post_list"},
    ForeignFlag{"-Q", "--cq-mod"},
    ForeignFlag{"-d", "--ib-dev"},
    ForeignFlag{"-i", "--ib-port"},
    ForeignFlag{"-R", "--rdma_cm", false},
    ForeignFlag{"-b", "--bidirectional", false},
    ForeignFlag{"-c", "--connection"},
    ForeignFlag{"-n", "--iters", true, "assay repeats a point until its interval is narrow"},
    ForeignFlag{"-D", "--duration", true, "assay repeats a point until its interval is narrow"},
    ForeignFlag{"-x", "--gid-index"},
    ForeignFlag{"-m", "--mtu"},
    ForeignFlag{"-S", "--sl"},
    ForeignFlag{"-T", "--tos"},
    ForeignFlag{"-I", "--inline_size"},
    ForeignFlag{"-e", "--events", false},
    ForeignFlag{"-r", "--rx-depth", true, "assay posts as many receives as it needs"},
    ForeignFlag{"-o", "--outs", true, "assay's reads are bounded by tx_depth and the device"},
    ForeignFlag{"-u", "--qp-timeout", true, "axis ack_timeout"},
    ForeignFlag{"-N", "--noPeak", false, "assay reports the steady state"},
    ForeignFlag{"-z", "--comm_rdma_cm", false, "assay exchanges addresses over TCP"},
    ForeignFlag{"-H", "--report-histogram", false, "assay's journal holds every sample"},
    ForeignFlag{"-U", "--report-unsorted", false, "assay's journal holds every sample in its order"},
    ForeignFlag{"-F", "--CPU-freq", false, "assay does not read the CPU's frequency"},
    ForeignFlag{"-p", "--port", true, "ports are those of assay-rdma serve: --hosts HOST:PORT"},
    ForeignFlag{"", "--report_gbits", false, "assay prints GB/s of 10^9 bytes; 1 GB/s is 8 Gb/s"},
    ForeignFlag{"", "--use_cuda"},
};

std::string sizes_of(const ForeignCommand& command, bool is_latency) {
  if (command.has("-a")) return "2B:8MiB:x2";
  return binary_size("-s", command.value("-s").value_or(is_latency ? "2" : "65536"));
}

struct PerftestAxis {
  std::string_view flag, axis;
  bool of_latency = true;
};
constexpr std::array perftest_axis_of{
    PerftestAxis{"-q", "qps", false},       PerftestAxis{"-t", "tx_depth", false},
    PerftestAxis{"-l", "post_list", false}, PerftestAxis{"-Q", "cq_moderation", false},
    PerftestAxis{"-x", "gid_index"},        PerftestAxis{"-m", "mtu"},
    PerftestAxis{"-S", "service_level"},    PerftestAxis{"-T", "traffic_class"},
    PerftestAxis{"-I", "inline_bytes"},
};

/// ",transport=ud"; "" for reliable connections, which are the default.
std::string transport_axis(const std::string& transport) {
  if (transport == "RC") return "";
  if (transport == "UC") return ",transport=uc";
  if (transport == "UD") return ",transport=ud";
  core::usage_error(fmt::format("like: -c {}: expected RC, UC or UD, which assay measures", transport));
}

std::string perftest_axes(const ForeignCommand& command, std::string_view operation, bool is_latency,
                          std::vector<std::string>& notes) {
  std::string axes = fmt::format("operation={},bytes={}", operation, sizes_of(command, is_latency));
  for (const PerftestAxis& one : perftest_axis_of) {
    const auto value = command.value(one.flag);
    if (value && is_latency && !one.of_latency)
      notes.push_back(fmt::format("{}: not of latency, of one message at a time", one.flag));
    else if (value)
      axes += fmt::format(",{}={}", one.axis, whole_number(one.flag, *value, 0, 1L << 20));
  }
  const auto device = command.value("-d"), port = command.value("-i");
  if (device) axes += fmt::format(",device={}{}", *device, port ? ":" + *port : "");
  if (port && !device) notes.push_back("-i: without -d, which port of which device is unknown");
  if (command.has("-R")) axes += ",connect=rdma_cm";
  if (command.has("-e")) axes += ",completion=events";
  if (command.has("--use_cuda")) axes += ",memory=cuda";
  return axes + transport_axis(command.value("-c").value_or("RC"));
}

struct NvbandwidthTest {
  std::string_view begins;  // of the test's name
  std::string_view case_name, axes;
};
/// As of nvbandwidth 0.8; the longest beginnings first.
constexpr std::array nvbandwidth_tests{
    NvbandwidthTest{"host_to_device_bidirectional_memcpy", "offload.cuda.copy", "direction=both"},
    NvbandwidthTest{"device_to_host_bidirectional_memcpy", "offload.cuda.copy", "direction=both"},
    NvbandwidthTest{"host_to_device_memcpy", "offload.cuda.copy", "direction=h2d"},
    NvbandwidthTest{"device_to_host_memcpy", "offload.cuda.copy", "direction=d2h"},
    NvbandwidthTest{"host_to_all_memcpy", "offload.cuda.node_copy", "direction=h2d"},
    NvbandwidthTest{"all_to_host_memcpy", "offload.cuda.node_copy", "direction=d2h"},
    NvbandwidthTest{"device_to_device_bidirectional_memcpy", "offload.cuda.peer_copy", "ways=both"},
    NvbandwidthTest{"device_to_device_memcpy", "offload.cuda.peer_copy", "ways=one"},
    NvbandwidthTest{"device_to_device_latency", "memory.cuda.link_latency", "memory=peer"},
    NvbandwidthTest{"host_device_latency", "memory.cuda.link_latency", "memory=host"},
    NvbandwidthTest{"device_local_copy", "memory.cuda.copy_engine", ""},
};

const NvbandwidthTest& test_named(const std::string& name) {
  for (const NvbandwidthTest& one : nvbandwidth_tests)
    if (name.starts_with(one.begins)) return one;
  core::usage_error(fmt::format("like: nvbandwidth -t {}: assay has no such case", name));
}

}  // namespace

LikeAnswer like_perftest(const ForeignCall& call, std::string_view operation) {
  const ForeignCommand command = read_foreign(call.words, perftest_flags, Positional::some, Joined::may_be);
  const bool is_latency = call.program.ends_with("_lat");
  const char* const measured = is_latency ? "latency" : command.has("-b") ? "bidirectional" : "bandwidth";
  LikeAnswer answer{.words = {}, .notes = command.notes};
  answer.words = {"assay",    "run",
                  "--plan",   "full",
                  "--filter", fmt::format("rdma.verbs.{}", measured),
                  "--axis",   perftest_axes(command, operation, is_latency, answer.notes)};
  if (command.rest.empty()) {
    answer.notes.push_back(
        "without a server's name perftest is the server: on that host run assay-rdma serve");
    return answer;
  }
  answer.words.insert(answer.words.end(), {"--hosts", command.rest.front()});
  answer.notes.push_back(fmt::format("on {} first: assay-rdma serve", command.rest.front()));
  answer.notes.push_back("the table as perftest prints it: assay show --style perftest");
  return answer;
}

LikeAnswer like_nvbandwidth(const ForeignCall& call, std::string_view) {
  constexpr std::array flags{
      ForeignFlag{"-t", "--testcase"},
      ForeignFlag{"-b", "--bufferSize"},
      ForeignFlag{"-i", "--testSamples", true, "assay repeats a point until its interval is narrow"},
      ForeignFlag{"-j", "--json", false, "assay show --format json prints JSON"},
      ForeignFlag{"-v", "--verbose", false, "records hold what it says"},
      ForeignFlag{"-s", "--skipVerification", false, "assay always checks results"}};
  const ForeignCommand command = read_foreign(call.words, flags, Positional::none, Joined::never);
  LikeAnswer answer{.words = {"assay", "run", "--plan", "full"}, .notes = command.notes};
  const auto name = command.value("-t");
  const std::string bytes =
      fmt::format("bytes={}MiB", positive_number("-b", command.value("-b").value_or("512")));
  if (!name) {
    answer.words.insert(answer.words.end(), {"--filter", "offload.cuda.*copy", "--axis", bytes});
    return answer;
  }
  const NvbandwidthTest& test = test_named(*name);
  std::vector<std::string> axes;
  if (test.case_name != "memory.cuda.link_latency") axes.push_back(bytes);
  if (!test.axes.empty()) axes.emplace_back(test.axes);
  if (test.case_name.starts_with("offload."))
    axes.emplace_back(name->ends_with("_sm") ? "by=sm" : "by=engine");
  answer.words.insert(answer.words.end(), {"--filter", std::string(test.case_name)});
  answer.words.insert(answer.words.end(), {"--axis", fmt::format("{}", fmt::join(axes, ","))});
  return answer;
}

}  // namespace assay::cli

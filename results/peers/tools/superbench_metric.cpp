// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/peers/tools/superbench_metric.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "results/peers/text/printed_number.hpp"

namespace assay::results::peers {
namespace {

std::vector<std::string_view> words_between(std::string_view text, char mark) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(mark, at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

struct NamedCollective {
  std::string_view tool, ours;
};
constexpr std::array superbench_collectives{
    NamedCollective{"allreduce", "all_reduce"},         NamedCollective{"allgather", "all_gather"},
    NamedCollective{"reducescatter", "reduce_scatter"}, NamedCollective{"alltoall", "all_to_all"},
    NamedCollective{"broadcast", "broadcast"},          NamedCollective{"reduce", "reduce"}};

PeerPoint rate_point(std::string case_name, double gb_per_s, const char* statistic) {
  PeerPoint point;
  point.case_name = std::move(case_name);
  point.metric = "bandwidth_gb_per_s";
  point.unit = "GB/s";
  point.value = gb_per_s;
  point.statistic = statistic;
  return point;
}

/// "ib_write_bw_8388608" (0.6 and later, Gb/s / 8), "ib_write_8388608_ib0_bw" (0.4, 0.5: 2^20 B/s / 1000
/// under the name of GB/s), "IB_write_8388608_Avg_0" (before: 2^20 B/s).
std::optional<PeerPoint> loopback_point(const SuperbenchKey& key, double value) {
  const auto words = words_between(key.metric, '_');
  if (words.size() < 4 || (words[0] != "ib" && words[0] != "IB")) return std::nullopt;
  const bool newer = words.size() == 4 && words[2] == "bw";
  const bool middle = words.size() == 5 && words[4] == "bw", older = words.size() == 5 && words[3] == "Avg";
  const auto bytes = whole_number(newer ? words[3] : words[2]);
  if (!bytes || !(newer || middle || older)) return std::nullopt;
  constexpr double mib = 1 << 20;
  const double unit = newer ? 1 : middle ? 1000 * mib * 1e-9 : mib * 1e-9;
  PeerPoint point =
      rate_point("peers.superbench.ib_loopback", value < 0 ? value : value * unit, "mean over the run");
  point.axes = {{"operation", std::string(words[1])}, {"bytes", *bytes}};
  auto port = key.rank;
  if (!newer) port = whole_number(middle && words[3].starts_with("ib") ? words[3].substr(2) : words[4]);
  if (middle && !port) point.axes.emplace_back("port", std::string(words[3]));
  if (port) point.axes.emplace_back("rank", *port);
  return point;
}

/// gemm-flops states GFLOP/s, cublaslt-gemm TFLOP/s.
PeerPoint gemm_point(const SuperbenchKey& key, double value) {
  const bool tera = key.benchmark == "cublaslt-gemm" || key.benchmark == "hipblaslt-gemm";
  PeerPoint point;
  point.case_name = tera ? "peers.superbench.cublaslt_gemm" : "peers.superbench.gemm_flops";
  point.axes.emplace_back("metric", key.metric);
  if (key.rank) point.axes.emplace_back("gpu", *key.rank);
  point.metric = "tflops";
  point.unit = "TFLOP/s";
  point.value = value < 0 || tera ? value : value * 1e-3;
  point.statistic = tera ? "as the tool printed" : "best";
  return point;
}

/// "gpu_0_pass", "abort"
std::optional<PeerPoint> burn_point(const SuperbenchKey& key, double value) {
  PeerPoint point;
  point.case_name = "peers.gpu_burn.burn";
  point.metric = "passed";
  point.value = value;
  const auto words = words_between(key.metric, '_');
  if (words.size() != 3 || words[0] != "gpu" || words[2] != "pass") return std::nullopt;
  const auto gpu = whole_number(words[1]);
  if (!gpu) return std::nullopt;
  point.axes.emplace_back("gpu", *gpu);
  return point;
}

/// "host_to_device_memcpy_ce_cpu0_gpu1_bw"
std::optional<PeerPoint> nvbandwidth_point(const SuperbenchKey& key, double value) {
  const auto words = words_between(key.metric, '_');
  const bool latency = words.back() == "lat";
  if (words.size() < 3 || (!latency && words.back() != "bw") || key.metric.find("_sum_") != std::string::npos)
    return std::nullopt;
  PeerPoint point = rate_point("peers.superbench.nvbandwidth", value, "as nvbandwidth printed");
  if (latency) point.metric = "latency_ns", point.unit = "ns";
  point.axes.emplace_back("metric", key.metric);
  return point;
}

}  // namespace

std::optional<SuperbenchKey> superbench_key(std::string_view key) {
  const std::size_t slash = key.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const std::string_view name = key.substr(0, slash);
  std::string_view metric = key.substr(key.rfind('/') + 1);
  SuperbenchKey parts;
  parts.benchmark = std::string(name.substr(0, name.find(':')));
  if (const std::size_t colon = name.find(':'); colon != std::string_view::npos)
    parts.annotation = std::string(name.substr(colon + 1));
  if (const std::size_t colon = metric.rfind(':'); colon != std::string_view::npos) {
    if (const auto rank = whole_number(metric.substr(colon + 1))) {
      parts.rank = rank;
      metric = metric.substr(0, colon);
    }
  }
  parts.metric = std::string(metric);
  return parts;
}

std::optional<SuperbenchCollective> superbench_collective(const SuperbenchKey& key) {
  if (key.benchmark != "nccl-bw" && key.benchmark != "rccl-bw") return std::nullopt;
  std::string_view metric = key.metric;
  const std::size_t end = metric.rfind('_');
  if (end == std::string_view::npos) return std::nullopt;
  SuperbenchCollective collective{
      .case_name = "", .quantity = std::string(metric.substr(end + 1)), .pair = ""};
  metric = metric.substr(0, end);
  const std::size_t before = metric.find_last_of("_:");
  const auto bytes =
      before == std::string_view::npos ? std::nullopt : whole_number(metric.substr(before + 1));
  if (!bytes || *bytes <= 0) return std::nullopt;
  collective.bytes = *bytes;
  const bool paired = metric[before] == ':';
  metric = metric.substr(0, before);
  const std::string_view name = metric.substr(0, metric.find('_'));
  if (paired) collective.pair = std::string(metric.substr(std::min(name.size() + 1, metric.size())));
  const auto* const found = std::ranges::find(superbench_collectives, name, &NamedCollective::tool);
  if (found == superbench_collectives.end()) return std::nullopt;
  collective.case_name = "collectives.nccl." + std::string(found->ours);
  collective.in_place = key.metric.find("in_place") != std::string::npos;
  return collective;
}

std::optional<PeerPoint> superbench_point(const SuperbenchKey& key, double value) {
  const std::string_view metric = key.metric;
  if (key.benchmark == "ib-loopback") return loopback_point(key, value);
  if (key.benchmark == "gemm-flops" ||
      ((key.benchmark == "cublaslt-gemm" || key.benchmark == "hipblaslt-gemm") && metric.ends_with("_flops")))
    return gemm_point(key, value);
  if (key.benchmark == "gpu-burn") return burn_point(key, value);
  if (key.benchmark == "nvbandwidth") return nvbandwidth_point(key, value);
  const bool rate = metric.ends_with("_bw") && (key.benchmark == "mem-bw" || key.benchmark == "gpu-copy-bw");
  if (!rate) return std::nullopt;
  PeerPoint point =
      rate_point("peers.superbench." + std::string(key.benchmark == "mem-bw" ? "mem_bw" : "gpu_copy_bw"),
                 value, "as the tool printed");
  point.axes.emplace_back("metric", key.metric);
  if (key.rank) point.axes.emplace_back("rank", *key.rank);
  return point;
}

std::string superbench_reason(std::int64_t code) {
  struct Code {
    std::int64_t code;
    std::string_view name;
  };
  constexpr std::array codes{
      Code{31, "MICROBENCHMARK_BINARY_NOT_EXIST"},       Code{32, "MICROBENCHMARK_EXECUTION_FAILURE"},
      Code{33, "MICROBENCHMARK_RESULT_PARSING_FAILURE"}, Code{34, "MICROBENCHMARK_UNSUPPORTED_ARCHITECTURE"},
      Code{36, "MICROBENCHMARK_MPI_INIT_FAILURE"},       Code{124, "timeout"}};
  const auto* const found = std::ranges::find(codes, code, &Code::code);
  return found == codes.end() ? "return code " + std::to_string(code) : std::string(found->name);
}

}  // namespace assay::results::peers

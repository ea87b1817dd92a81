// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/expected/causes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

namespace assay::results::expected {
namespace {

enum class Where { within_node, over_nodes, exchange, adapter, host_copy, peer_copy, memory, product };
enum class Only { any, reducing_switches, reducing_network, small };

struct KnownCause {
  Where where;
  std::string_view what;
  double least_loss, most_loss;
  std::string_view command;
  Only only = Only::any;
};

/// Losses follow from counts (1 of 18 NVLinks, 1 of 8 adapters, half of a PCIe link) or from published pairs:
/// NVLS off 367 of 480 GB/s on H200 and 682 of 838 on B200 (published.toml). Others are wide, and so fit
/// less.
constexpr KnownCause known_causes[] = {
    {Where::within_node, "NVSwitches do not reduce (NVLS is off or could not be set up)", 0.18, 0.26,
     "assay check (row gpu.fabric_manager); NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,NVLS on the same run",
     Only::reducing_switches},
    {Where::within_node, "one or two NVLinks of a GPU are down", 0.04, 0.12,
     "assay check (rows gpu.nvlink_state, gpu.nvlink_errors)"},
    {Where::within_node, "one GPU is slower: its clocks are limited by power or heat", 0.03, 0.20,
     "assay check (row gpu.throttle); assay-memory --filter 'memory.cuda.copy*' on each GPU"},
    {Where::within_node, "GPUs do not reach each other over NVLink: traffic goes by PCIe or host memory",
     0.85, 0.99, "NCCL_DEBUG=INFO on the same run: 'via P2P' or 'via SHM'; assay show copies"},
    {Where::exchange, "the message is too small for the full rate", 0.05, 0.90,
     "the same run with -b 8M -e 16G -f 2: the rate rises with the size", Only::small},
    {Where::exchange, "another job shares the GPUs or the links", 0.05, 0.60,
     "assay check (row gpu.processes); the same run on the idle node"},
    {Where::exchange, "few iterations, or no warm-up: first operations set up connections", 0.02, 0.35,
     "the same run with -w 20 -n 100"},
    {Where::over_nodes, "one of a node's adapters is down or not used", 0.10, 0.15,
     "assay check (rows rdma.present, rdma.port_state); NCCL_DEBUG=INFO: 'NET/IB : Using' names adapters"},
    {Where::over_nodes, "switches do not reduce (SHARP is off)", 0.10, 0.22,
     "NCCL_DEBUG=INFO on the same run: look for 'CollNet' or 'SHARP'", Only::reducing_network},
    {Where::over_nodes, "GPUDirect RDMA is off: data goes through host memory", 0.35, 0.75,
     "assay check (row gpu.peer_memory); NCCL_DEBUG=INFO: 'GDRDMA' must follow 'via NET/IB'"},
    {Where::over_nodes, "NCCL uses sockets in place of RDMA", 0.88, 0.995,
     "NCCL_DEBUG=INFO on the same run: 'NET/Socket' in place of 'NET/IB'"},
    {Where::over_nodes, "flows share links by hash while others are idle", 0.15, 0.55,
     "NCCL_IB_QPS_PER_CONNECTION=4 on the same run; assay show rdma_pairs"},
    {Where::over_nodes, "one cable or port of the fabric is slow", 0.03, 0.50,
     "assay fabric locate FABRIC --pairs pairs.csv of all pairs"},
    {Where::over_nodes, "PCIe access control (ACS) or an IOMMU sends peer traffic through the root", 0.30,
     0.70, "assay check (rows pcie.acs, pcie.iommu)"},
    {Where::adapter, "the adapter's PCIe link trained at half width or a generation below", 0.45, 0.55,
     "assay check (rows pcie.width, pcie.speed)"},
    {Where::adapter, "the path's MTU is 1,024 instead of 4,096", 0.02, 0.08,
     "assay check (row rdma.mtu); ibv_devinfo: active_mtu"},
    {Where::adapter, "one queue pair, or few outstanding messages, do not fill the link", 0.05, 0.40,
     "the same run with -q 4 -t 512"},
    {Where::adapter, "congestion: pauses, marks or lost packets", 0.05, 0.90,
     "assay show counters; ethtool -S for pause and cnp"},
    {Where::host_copy, "the GPU's PCIe link trained at half width or a generation below", 0.45, 0.55,
     "assay check (rows pcie.width, pcie.speed)"},
    {Where::host_copy, "host memory of the other NUMA node", 0.05, 0.35,
     "assay show copies: rates by NUMA node; numactl --membind on the same run"},
    {Where::host_copy, "pageable memory in place of pinned", 0.50, 0.90, "assay show copies: column memory"},
    {Where::peer_copy, "one or two NVLinks of a GPU are down", 0.04, 0.12,
     "assay check (rows gpu.nvlink_state, gpu.nvlink_errors)"},
    {Where::peer_copy, "GPUs do not reach each other over NVLink", 0.75, 0.99,
     "assay show copies; nvidia-smi topo -m"},
    {Where::peer_copy, "one GPU is slower: its clocks are limited", 0.03, 0.30,
     "assay check (row gpu.throttle); assay show copies"},
    {Where::memory, "clocks of memory are limited", 0.03, 0.40, "assay check (row gpu.throttle)"},
    {Where::memory, "rows of memory are being remapped, or ECC errors corrected", 0.01, 0.20,
     "assay check (rows gpu.row_remap, gpu.ecc_errors)"},
    {Where::memory, "another job uses the GPU", 0.05, 0.60, "assay check (row gpu.processes)"},
    {Where::product, "power or heat limits the clocks", 0.03, 0.30,
     "assay check (rows gpu.power_limit, gpu.throttle)"},
    {Where::product, "the shape leaves processors idle", 0.10, 0.80,
     "assay-gemm: the same product in larger shapes"},
    {Where::product, "data of high entropy draws more power than zeros", 0.05, 0.20,
     "assay-gemm --axis data=zeros,normal"},
};

constexpr std::int64_t small_bytes = std::int64_t{1} << 28;

bool is_at(const Question& question, Where where) {
  const bool exchange = is_collective(question.operation);
  switch (where) {
    case Where::within_node:
      return exchange && question.nodes <= 1;
    case Where::over_nodes:
      return exchange && question.nodes > 1;
    case Where::exchange:
      return exchange;
    case Where::adapter:
      return question.is_of_adapter();
    case Where::host_copy:
      return question.operation == "host_to_device" || question.operation == "device_to_host";
    case Where::peer_copy:
      return question.operation == "device_to_device";
    case Where::memory:
      return question.operation == "memory";
    case Where::product:
      return question.is_product();
  }
  return false;
}

bool is_possible(const Question& question, const System* system, const KnownCause& cause) {
  if (!is_at(question, cause.where)) return false;
  switch (cause.only) {
    case Only::any:
      return true;
    case Only::reducing_switches:
      return system && system->switches_reduce && question.operation == "all_reduce" && question.gpus > 4;
    case Only::reducing_network:
      return question.network_reduces();
    case Only::small:
      return question.bytes && *question.bytes < small_bytes;
  }
  return false;
}

/// The logarithm of the density of this loss.
double fit_of(const KnownCause& cause, double loss) {
  constexpr double softness = 0.02;
  const double outside = std::max({0.0, cause.least_loss - loss, loss - cause.most_loss}) / softness;
  return -std::log(cause.most_loss - cause.least_loss) - outside * outside / 2;
}

}  // namespace

std::vector<FittingCause> fitting_causes(const Question& question, const System* system, double loss) {
  std::vector<std::pair<double, const KnownCause*>> fits;
  for (const KnownCause& cause : known_causes)
    if (is_possible(question, system, cause)) fits.emplace_back(-fit_of(cause, loss), &cause);
  std::ranges::stable_sort(fits, {}, &std::pair<double, const KnownCause*>::first);
  constexpr std::size_t most = 3;
  if (fits.size() > most) fits.resize(most);
  std::vector<FittingCause> causes;
  for (const auto& [fit, cause] : fits)
    causes.push_back({std::string(cause->what),
                      fmt::format("{:.3g} to {:.3g} %", 100 * cause->least_loss, 100 * cause->most_loss),
                      std::string(cause->command)});
  return causes;
}

}  // namespace assay::results::expected

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Links, servers, buffers, routing and admission of a fabric file.
#include <fmt/format.h>

#include <array>

#include "model/fabric/file/fabric_sections.hpp"

namespace assay::model::fabric {

namespace {

constexpr double us_per_metre = 5e-3;  // light in glass

enum class PlanAge { fresh, stale };

constexpr auto buffer_words = core::words_of<BufferKind>("static", "shared", "voq");
constexpr auto hash_words = core::words_of<path::SwitchHash>("ideal", "crc32", "toeplitz", "xor16");
constexpr auto plan_words = core::words_of<PlanAge>("fresh", "stale");
constexpr auto use_words = core::words_of<QueuePairUse>("split", "round_robin");

enum class RoutingWord { ecmp, e_ecmp, pinned, te, flowlet, adaptive, spray, tables };
constexpr auto routing_words =
    core::words_of<RoutingWord>("ecmp", "e-ecmp", "pinned", "te", "flowlet", "adaptive", "spray", "tables");

/// A collective over RDMA leaves no gap between packets, so a flowlet is a message: ecmp.
RoutingKind kind_of(RoutingWord word) {
  switch (word) {
    case RoutingWord::e_ecmp:
    case RoutingWord::te:
      return RoutingKind::e_ecmp;
    case RoutingWord::pinned:
      return RoutingKind::pinned;
    case RoutingWord::adaptive:
    case RoutingWord::spray:
      return RoutingKind::adaptive;
    case RoutingWord::tables:
      return RoutingKind::tables;
    case RoutingWord::ecmp:
    case RoutingWord::flowlet:
      break;
  }
  return RoutingKind::ecmp;
}

void refuse_wrong_thresholds(const core::TomlSection& section, const SwitchBuffers& buffers) {
  if (buffers.pause_above_bytes < packet_payload_bytes)
    section.refuse("xoff", fmt::format("{} bytes are below one packet: expected at least {}",
                                       buffers.pause_above_bytes, packet_payload_bytes));
  if (buffers.resume_below_bytes >= buffers.pause_above_bytes)
    section.refuse("xon", fmt::format("{} bytes do not resume below xoff: expected less than {}",
                                      buffers.resume_below_bytes, buffers.pause_above_bytes));
  const double port = buffers.pause_above_bytes + buffers.headroom_bytes.value_or(0);
  if (buffers.memory_bytes && port > *buffers.memory_bytes)
    section.refuse(
        buffers.headroom_bytes ? "headroom" : "memory",
        fmt::format("a port needs {} bytes up to xoff and headroom above it: expected less than the "
                    "memory of the switch, {}",
                    port, *buffers.memory_bytes));
}

void refuse_with_go_back_n(const core::TomlSection& section, RoutingWord word) {
  enum class Reordering { accepted, go_back_n };
  const auto reordering = section.choice("reordering", core::words_of<Reordering>("accepted", "go-back-n"));
  const bool sprays = word == RoutingWord::spray || word == RoutingWord::adaptive;
  if (sprays && reordering == Reordering::go_back_n)
    section.refuse("reordering",
                   "go-back-n receivers discard what is out of order, and spraying collapses: expected "
                   "accepted, or another routing");
}

constexpr std::array<std::string_view, 6> buffer_keys = {"buffer", "xoff",   "xon",
                                                         "alpha",  "memory", "headroom"};

void read_buffers(const core::TomlSection& section, SwitchBuffers& buffers) {
  buffers.kind = section.choice("buffer", buffer_words).value_or(buffers.kind);
  if (const auto xoff = section.bytes("xoff")) {
    buffers.resume_below_bytes *= static_cast<double>(*xoff) / buffers.pause_above_bytes;
    buffers.pause_above_bytes = static_cast<double>(*xoff);
  }
  if (const auto xon = section.bytes("xon")) buffers.resume_below_bytes = static_cast<double>(*xon);
  buffers.alpha = section.above_zero("alpha").value_or(buffers.alpha);
  if (const auto memory = section.bytes("memory")) buffers.memory_bytes = static_cast<double>(*memory);
  if (const auto room = section.bytes("headroom")) buffers.headroom_bytes = static_cast<double>(*room);
  if (buffers.kind == BufferKind::shared && !buffers.memory_bytes)
    section.missing("memory", "the memory that ports share, as \"64MiB\"");
  refuse_wrong_thresholds(section, buffers);
}

/// The latency of switch and cable together.
double hop_latency_us(const core::TomlSection& section, double of_switch_us) {
  return section.at_least_zero("hop_latency_us").value_or(of_switch_us) +
         us_per_metre * section.at_least_zero("metres").value_or(0);
}

}  // namespace

void read_link(const core::TomlSection& root, FabricFile& fabric) {
  const auto section = root.table("link");
  if (!section) return;
  section->allow({"gbit_per_s", "metres", "hop_latency_us"});
  LinkSpeed& speed = fabric.link;
  fabric.link_metres = section->at_least_zero("metres").value_or(0);
  speed.gbit_per_s = section->above_zero("gbit_per_s").value_or(speed.gbit_per_s);
  speed.hop_latency_us = hop_latency_us(*section, speed.hop_latency_us);
}

void read_server(const core::TomlSection& root, FabricFile& fabric) {
  const auto section = root.table("host");
  if (!section) return;
  section->allow({"nics", "gpus", "nvlink_gb_per_s", "overhead_us", "message_gap_us", "addresses"});
  ServerShape& server = fabric.server;
  server.gpus = section->count("gpus").value_or(server.gpus);
  fabric.states_servers = section->has("gpus");
  if (const auto nics = section->count("nics"); nics && *nics != server.gpus)
    section->refuse("nics",
                    fmt::format("{} for {} GPUs: expected one NIC port for each", *nics, server.gpus));
  if (const auto speed = section->above_zero("nvlink_gb_per_s")) server.nvlink_bytes_per_us = 1000 * *speed;
  server.overhead_us = section->at_least_zero("overhead_us").value_or(0);
  server.message_gap_us = section->at_least_zero("message_gap_us").value_or(0);
}

void read_switches(const core::TomlSection& root, FabricFile& fabric) {
  const auto section = root.table("switch");
  if (!section) {
    fabric.assumed.emplace_back("switches that pause an input port above 512 KiB");
    return;
  }
  section->allow(buffer_keys);
  read_buffers(*section, fabric.switches);
}

void read_tiers(const core::TomlSection& root, FabricFile& fabric) {
  const auto tiers = root.table("tier");
  if (!tiers) return;
  for (const std::string& name : tiers->keys()) {
    const auto section = tiers->table(name);
    std::vector<std::string_view> keys = {"gbit_per_s", "metres", "hop_latency_us"};
    keys.insert(keys.end(), buffer_keys.begin(), buffer_keys.end());
    section->allow(keys);
    TierSettings tier{.where = tiers->where(name),
                      .name = name,
                      .gbit_per_s = section->above_zero("gbit_per_s"),
                      .switches = fabric.switches};
    if (tier.gbit_per_s && name == "aggregate" && std::holds_alternative<DataCentreShape>(fabric.shape))
      section->refuse("gbit_per_s", "the key ratio says how fast these links are: expected one of the two");
    if (section->has("metres") || section->has("hop_latency_us"))
      tier.hop_latency_us =
          hop_latency_us(*section, fabric.link.hop_latency_us - us_per_metre * fabric.link_metres);
    read_buffers(*section, tier.switches);
    fabric.tiers.push_back(std::move(tier));
  }
}

void read_routing(const core::TomlSection& root, FabricFile& fabric) {
  const auto section = root.table("routing");
  if (!section) {
    fabric.assumed.emplace_back("routing by ECMP with an ideal hash and one queue pair");
    return;
  }
  section->allow({"kind", "hash", "queue_pairs", "queue_pair_use", "same_seed", "spray_efficiency",
                  "reordering", "te_interval_s", "te_plan", "file", "lids"});
  const RoutingWord word = section->choice("kind", routing_words).value_or(RoutingWord::ecmp);
  fabric.routing.kind = kind_of(word);
  fabric.routing_word = routing_words.of(word);
  fabric.engineered = word == RoutingWord::te;
  static_cast<void>(section->above_zero("te_interval_s"));  // a stale plan lasts so long, a step much less
  fabric.plan_is_stale = section->choice("te_plan", plan_words).value_or(PlanAge::fresh) == PlanAge::stale;
  if (fabric.plan_is_stale && !fabric.engineered)
    section->refuse("te_plan", "there is a plan with kind te alone");
  fabric.states_hash = section->has("hash");
  fabric.routing.hash = section->choice("hash", hash_words).value_or(fabric.routing.hash);
  fabric.routing.queue_pairs = static_cast<int>(section->count("queue_pairs", 1, 4096).value_or(1));
  fabric.queue_pair_use = section->choice("queue_pair_use", use_words).value_or(fabric.queue_pair_use);
  fabric.routing.same_seed = section->yes_or_no("same_seed").value_or(false);
  fabric.spray_efficiency = section->share("spray_efficiency").value_or(fabric.spray_efficiency);
  refuse_with_go_back_n(*section, word);
}

void read_admission(const core::TomlSection& root, FabricFile& fabric) {
  const auto section = root.table("admission");
  if (!section) return;
  section->allow({"channels", "buffer", "wait_us"});
  AdmissionSettings admission;
  admission.channels = section->count("channels").value_or(1);
  const auto buffer = section->bytes("buffer");
  if (!buffer) section->missing("buffer", "the bytes of a channel, as \"512KiB\"");
  admission.buffer_bytes = static_cast<double>(*buffer);
  admission.wait_us = section->at_least_zero("wait_us").value_or(0);
  if (admission.window_bytes() < packet_payload_bytes)
    section->refuse("buffer", fmt::format("a window of {} bytes is below one packet: expected at least {}",
                                          admission.window_bytes(), packet_payload_bytes));
  fabric.admission = admission;
}

void read_faults(const core::TomlSection& root, FabricFile& fabric) {
  for (const char* const kind : {"failed", "degraded"}) {
    const bool degrades = std::string_view(kind) == "degraded";
    for (const core::TomlSection& section : root.tables(kind)) {
      if (degrades)
        section.allow({"link", "switch", "fraction", "seed", "factor"});
      else
        section.allow({"link", "switch", "fraction", "seed"});
      Fault fault;
      fault.link = section.word("link").value_or("");
      fault.node = section.word("switch").value_or("");
      fault.share = degrades ? section.share("fraction") : section.share_below_one("fraction");
      const int named = (fault.link.empty() ? 0 : 1) + (fault.node.empty() ? 0 : 1) + (fault.share ? 1 : 0);
      fault.where = section.where(section.has("switch")     ? "switch"
                                  : section.has("fraction") ? "fraction"
                                                            : "link");
      if (named != 1) section.refuse("link", "expected one of link, switch and fraction");
      fault.seed = section.count("seed", 0).value_or(1);
      if (degrades && !section.has("factor"))
        section.missing("factor", "the share of the speed that is left");
      fault.factor = section.share("factor").value_or(1);
      (degrades ? fabric.degraded : fabric.failed).push_back(std::move(fault));
    }
  }
}

}  // namespace assay::model::fabric

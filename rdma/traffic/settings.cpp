// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/traffic/settings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "harness/core/error.hpp"
#include "harness/core/measure/within.hpp"

namespace assay::rdma {
namespace {

using core::Axis;
using core::Domain;

int within(const core::Point& point, const char* name, std::int64_t least, std::int64_t most, int absent) {
  if (!point.has(name)) return absent;
  return static_cast<int>(core::within(point, name, least, most));
}

std::string word(const core::Point& point, const char* name, const std::string& absent) {
  return point.has(name) ? point.text(name) : absent;
}

std::string one_of(const core::Point& point, const char* name, const std::vector<std::string>& words) {
  std::string found = word(point, name, words.front());
  if (std::ranges::find(words, found) == words.end())
    core::usage_error(fmt::format("{}={}: expected one of {}", name, found, fmt::join(words, " ")));
  return found;
}

/// "host": base pages; "huge": transparent huge pages; "cuda": device memory by peer memory; "cuda_dmabuf":
/// device memory by dma-buf.
std::vector<std::string> memory_words() { return {"host", "huge", "cuda", "cuda_dmabuf"}; }

std::vector<std::string> completion_words() { return {"polling", "events"}; }
std::vector<std::string> connect_words() { return {"exchange", "rdma_cm"}; }

/// Above 8 KiB the wire is slower than completions; below, one completion for many spares the processor.
int automatic_moderation(std::int64_t bytes, int tx_depth) {
  constexpr std::int64_t small = 8192;
  return bytes > small ? 1 : std::max(1, tx_depth / 2);
}

/// Inline data saves the device a read of host memory; what devices of the day take without cost is small.
int automatic_inline(const Message& message, const Placement& placement) {
  constexpr std::int64_t small = 220;
  const bool possible = !fetches(message.operation) && !on_gpu(placement);
  return possible && message.bytes <= small ? static_cast<int>(message.bytes) : 0;
}

Posting posting_of(const core::Point& point, const Message& message, const Placement& placement) {
  Posting posting;
  posting.qps = within(point, "qps", 1, 16384, 1);
  posting.tx_depth = within(point, "tx_depth", 1, 1 << 20, 1);
  posting.post_list = within(point, "post_list", 1, 1024, 1);
  posting.cq_moderation = within(point, "cq_moderation", 0, 1 << 20, 1);
  if (posting.cq_moderation == 0)
    posting.cq_moderation = automatic_moderation(message.bytes, posting.tx_depth);
  posting.inline_bytes = within(point, "inline_bytes", -1, 1 << 16, -1);
  if (posting.inline_bytes < 0) posting.inline_bytes = automatic_inline(message, placement);
  posting.completion =
      one_of(point, "completion", completion_words()) == "events" ? Completion::events : Completion::polling;
  for (const auto& [name, value] :
       {std::pair{"post_list", posting.post_list}, {"cq_moderation", posting.cq_moderation}})
    if (value > posting.tx_depth)
      core::usage_error(
          fmt::format("{}={} is more than tx_depth={} keeps on the wire", name, value, posting.tx_depth));
  return posting;
}

Pairing pairing_of(const core::Point& point) {
  return {.rails = one_of(point, "rails", {"same", "cross"}) == "same" ? Rails::same : Rails::cross,
          .round = within(point, "round", all_rounds, 1 << 20, all_rounds),
          .within_node = one_of(point, "within_node", {"no", "yes"}) == "yes"};
}

PathSettings path_of(const core::Point& point) {
  PathSettings path;
  path.mtu_bytes = within(point, "mtu", 0, 4096, 0);
  path.gid_index = within(point, "gid_index", -1, 255, -1);
  path.traffic_class = within(point, "traffic_class", 0, 255, 0);
  path.service_level = within(point, "service_level", 0, 15, 0);
  path.flow_label = static_cast<std::uint32_t>(within(point, "flow_label", 0, (1 << 20) - 1, 0));
  return path;
}

/// An axis with the word "auto", its only default, for the value `automatic`.
Axis integer_or_auto(const char* name, const char* meaning, std::int64_t automatic) {
  return {name, meaning, Domain::integers, {automatic}, {}, {{"auto", automatic}}};
}

std::vector<Axis> memory_axes() {
  return {
      {"memory", "where messages lie", Domain::words, {"host"}, memory_words()},
      integer_or_auto("numa_node", "NUMA node of host memory (auto: first touch)", -1),
      {"cpu",
       "CPU that the measuring thread of every rank is bound to (auto: near the device, for each rank of a "
       "machine another one)",
       Domain::integers,
       {std::int64_t{near_cpu}},
       {},
       {{"auto", near_cpu}, {"any", any_cpu}}},
      integer_or_auto("gpu", "CUDA device of device memory (auto: of the rank's number on its node)",
                      automatic_gpu),
      {"slots",
       "distinct message buffers of a queue pair, used in turn",
       Domain::integers,
       {std::int64_t{1}}}};
}

}  // namespace

bool on_gpu(const Placement& placement) {
  return placement.memory == "cuda" || placement.memory == "cuda_dmabuf";
}

Settings settings_of(const core::Point& point) {
  Settings settings;
  settings.device = word(point, "device", "auto");
  if (one_of(point, "connect", connect_words()) == "rdma_cm") settings.connect = Connect::rdma_cm;
  settings.message = {.operation = operation_from(point.text("operation")),
                      .transport = transport_from(word(point, "transport", "rc")),
                      .bytes = point.integer("bytes")};
  if (atomic(settings.message.operation)) settings.message.bytes = atomic_bytes;
  if (settings.message.bytes < 1)
    core::usage_error(fmt::format("bytes={}: expected at least 1", settings.message.bytes));
  settings.placement.memory = one_of(point, "memory", memory_words());
  settings.placement.numa_node = within(point, "numa_node", -1, 1023, -1);
  settings.placement.cpu = within(point, "cpu", any_cpu, 1 << 16, any_cpu);
  settings.placement.gpu = within(point, "gpu", automatic_gpu, 1023, automatic_gpu);
  settings.placement.slots = within(point, "slots", 1, 1 << 20, 1);
  settings.posting = posting_of(point, settings.message, settings.placement);
  settings.pairing = pairing_of(point);
  settings.path = path_of(point);
  settings.retry.timeout = within(point, "ack_timeout", 1, 31, settings.retry.timeout);
  settings.retry.count = within(point, "retry_count", 0, 7, settings.retry.count);
  return settings;
}

Settings latency_settings(const core::Point& point) {
  constexpr int depth = 16;
  Settings settings = settings_of(point);
  settings.posting.qps = 1;
  settings.posting.tx_depth = depth;
  settings.placement.slots = ping_pong_slots;
  return settings;
}

std::vector<Axis> connection_axes() {
  std::vector<Axis> axes{
      {"device",
       "RDMA device of every rank: auto (nearest to its GPU), rail:0, mlx5_0, mlx5_0:1",
       Domain::words,
       {"auto"},
       {},
       {},
       "port"},
      {"transport", "connection service", Domain::words, {"rc"}, transport_words()},
      {"connect",
       "how queue pairs meet: by attributes that ranks exchange, or through rdma_cm",
       Domain::words,
       {"exchange"},
       connect_words()},
      {"completion", "how completions are noticed", Domain::words, {"polling"}, completion_words()},
      integer_or_auto("inline_bytes",
                      "inline size: message bytes copied into the work request (auto: small messages)", -1),
      integer_or_auto("mtu", "path MTU in bytes (auto: the ports' active MTU)", 0),
      integer_or_auto("gid_index", "GID of both sides (auto: RoCE v2, IPv4 first)", -1),
      {"traffic_class", "traffic class: DSCP times 4", Domain::integers, {std::int64_t{0}}},
      {"service_level", "service level, or RoCE priority", Domain::integers, {std::int64_t{0}}},
      {"flow_label",
       "flow label of a flow's first queue pair, the next has the next; RoCE v2 makes its UDP source port of "
       "it (0: of the QP numbers)",
       Domain::integers,
       {std::int64_t{0}}},
      {"ack_timeout",
       "an answer is waited for 4.096 us times 2 to this power before a retry (14: 67 ms)",
       Domain::integers,
       {std::int64_t{14}}},
      {"retry_count",
       "retries before a connection gives up (7: soft-RoCE never gives up)",
       Domain::integers,
       {std::int64_t{6}}}};
  for (Axis& axis : memory_axes()) axes.push_back(std::move(axis));
  return axes;
}

std::vector<Axis> posting_axes(std::int64_t default_qps, std::int64_t default_post_list) {
  return {{"qps", "queue pairs of a flow, used in turn", Domain::integers, {default_qps}},
          {"tx_depth", "messages a queue pair keeps on the wire", Domain::integers, {std::int64_t{128}}},
          {"post_list", "work requests of one posting call", Domain::integers, {default_post_list}},
          integer_or_auto("cq_moderation",
                          "messages for one completion (auto: half of tx_depth up to 8 KiB, else 1)", 0)};
}

std::vector<Axis> pair_axes() {
  return {{"rails", "rails that the two ranks of a pair are on", Domain::words, {"same"}, {"same", "cross"}},
          {"within_node", "also pair ranks of one node", Domain::words, {"no"}, {"no", "yes"}}};
}

std::vector<Axis> pairing_axes(std::int64_t default_round) {
  std::vector<Axis> axes = pair_axes();
  axes.push_back({"round",
                  "round of the tournament of nodes, whose pairs run at once (all: one after the other)",
                  Domain::integers,
                  {default_round},
                  {},
                  {{"all", std::int64_t{all_rounds}}}});
  return axes;
}

Axis operation_axis(std::vector<core::Value> defaults) {
  return {"operation", "verbs operation", Domain::words, std::move(defaults), operation_words()};
}

Axis bytes_axis(std::vector<core::Value> defaults) {
  return {"bytes", "message size", Domain::sizes, std::move(defaults)};
}

}  // namespace assay::rdma

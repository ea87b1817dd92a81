// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/tests/fixed_fabric.hpp"

#include <algorithm>
#include <cmath>

#include "results/tests/byte_sizes.hpp"

namespace assay::results::test {
namespace {

Fields axes_of(const std::string& operation, std::int64_t bytes, Fields more = {}) {
  Fields axes{{"operation", operation}, {"bytes", bytes}};
  axes.insert(axes.end(), more.begin(), more.end());
  axes.insert(axes.end(), {{"device", "auto"}, {"transport", "rc"}, {"inline_bytes", std::int64_t{-1}}});
  return axes;
}

const char* const four_hosts[] = {"node-a", "node-b", "node-c", "node-d"};

/// `ranks` hosts, whose links are clean.
void connect(PointRecord& record, int ranks = 2) {
  record.conditions = {{"host", four_hosts[0]}};
  for (int rank = 0; rank < ranks; ++rank) {
    if (rank > 0) record.ranks.push_back({rank, {{"host", four_hosts[rank]}}});
    record.links.push_back({.rank = rank, .link_class = LinkClass::clean, .watched = rank == 1 ? 41 : 43});
  }
}

/// The counter that rank 1 reports.
void spoil(PointRecord& record, LinkClass link_class, const char* counter, std::uint64_t moved,
           const char* about) {
  record.links[1].link_class = link_class;
  record.links[1].counters = {{.counter = counter,
                               .outcome = core::CounterReport::Outcome::moved,
                               .moved = moved,
                               .speaks_for = link_class,
                               .about = about}};
}

/// The ceiling of a 400 Gb/s port at MTU 4096: 82 bytes of headers, gap and preamble a packet.
double ceiling_gbit_per_s(std::int64_t bytes) {
  const double packets = std::ceil(static_cast<double>(bytes) / 4096);
  return 400 * static_cast<double>(bytes) / (static_cast<double>(bytes) + 82 * packets);
}

void add_port(PointRecord& record, double port_gb_per_s, std::int64_t bytes) {
  record.metrics.push_back({"port_gbit_per_s", "Gb/s", 8 * port_gb_per_s, {}, {}});
  record.metrics.push_back({"ceiling_gbit_per_s", "Gb/s", ceiling_gbit_per_s(bytes), {}, {}});
  record.metrics.push_back(
      {"percent_of_ceiling", "%", 800 * port_gb_per_s / ceiling_gbit_per_s(bytes), {}, {}});
}

/// `gb_per_s` of all flows at the pace of the slowest.
void stream(RunBuilder& builder, PointRecord record, double gb_per_s, std::int64_t bytes, int flows) {
  record.work_bytes = static_cast<double>(bytes * flows);
  record.bytes_counted = "payload, once, of all flows at the pace of the slowest";
  const double bytes_of_all = record.work_bytes;
  record.metrics.insert(record.metrics.begin(),
                        {"message_rate_m_per_s", "M/s", gb_per_s * 1e3 / static_cast<double>(bytes), {}, {}});
  builder.measured(
      std::move(record), bytes_of_all / gb_per_s * 1e-9,
      {"bandwidth_gb_per_s", "GB/s", [bytes_of_all](double s) { return bytes_of_all / s * 1e-9; }});
}

void add_verbs_latency(RunBuilder& builder) {
  const std::pair<const char*, double> operations[] = {{"write", 1.6}, {"send", 1.8}, {"read", 3.1}};
  for (const auto& [operation, us] : operations)
    for (const std::int64_t bytes : {2, 1024, 65536}) {
      auto record = builder.point("rdma.verbs.latency", axes_of(operation, bytes));
      connect(record);
      record.cold_first_s = 4.1e-5;
      const bool many = bytes == 2 && std::string(operation) == "write";
      builder.measured(record, us * 1e-6 + static_cast<double>(bytes) / 48e9,
                       {"latency_us", "us", [](double s) { return s * 1e6; }},
                       many         ? 3000
                       : bytes == 2 ? 300
                                    : 60);
    }
  for (const std::int64_t percent : {50, 95}) {
    auto record =
        builder.point("rdma.verbs.latency_under_load", axes_of("write", 65536, {{"load_percent", percent}}));
    connect(record);
    if (percent == 95)
      spoil(record, LinkClass::congested, "mlx5_0 rp_cnp_handled", 900, "the sender slowed down");
    builder.measured(record, percent == 50 ? 5e-6 : 4e-5,
                     {"latency_us", "us", [](double s) { return s * 1e6; }});
  }
}

void add_verbs_bandwidth(RunBuilder& builder) {
  const std::pair<const char*, double> operations[] = {{"write", 0.995}, {"send", 0.98}};
  for (const auto& [operation, share] : operations)
    for (const std::int64_t bytes : std::initializer_list<std::int64_t>{64, 4096, 65536, mib}) {
      auto record =
          builder.point("rdma.verbs.bandwidth", axes_of(operation, bytes, {{"qps", std::int64_t{1}}}));
      const bool lossy = bytes == 65536 && std::string(operation) == "send";
      connect(record);
      if (lossy)
        spoil(record, LinkClass::lossy, "mlx5_0 out_of_sequence", 12,
              "packets arrived in another order, or some were lost");
      const double rate = std::min(0.0045 * static_cast<double>(bytes),
                                   share * (lossy ? 0.8 : 1) * ceiling_gbit_per_s(bytes) / 8);
      add_port(record, rate, bytes);
      stream(builder, record, rate, bytes, 1);
    }
  auto unread = builder.point("rdma.verbs.bandwidth", axes_of("read", mib, {{"qps", std::int64_t{1}}}));
  connect(unread);
  unread.links[1] = {.rank = 1};
  unread.metrics.push_back({"port_gbit_per_s", "Gb/s", 360, {}, {}});
  stream(builder, unread, 45, mib, 1);
  for (const std::int64_t bytes : {std::int64_t{65536}, mib}) {
    auto record =
        builder.point("rdma.verbs.bidirectional", axes_of("write", bytes, {{"qps", std::int64_t{1}}}));
    connect(record);
    record.flows = {{.from = 0, .to = 1, .gb_per_s = 48}, {.from = 1, .to = 0, .gb_per_s = 48}};
    record.metrics.push_back({"median_flow_gb_per_s", "GB/s", 48, {}, {}});
    add_port(record, 48, bytes);
    stream(builder, record, 96, bytes, 2);
  }
}

void add_message_rate(RunBuilder& builder) {
  auto record = builder.point("rdma.verbs.message_rate", axes_of("write", 8, {{"qps", std::int64_t{4}}}));
  connect(record);
  record.work_bytes = 8;
  add_port(record, 1.44, 8);
  builder.measured(record, 1 / 180e6, {"message_rate_m_per_s", "M/s", [](double s) { return 1e-6 / s; }});
}

void add_pairs(RunBuilder& builder) {
  auto record = builder.point("rdma.verbs.pairs", axes_of("write", mib, {{"qps", std::int64_t{1}}}));
  connect(record, 4);
  spoil(record, LinkClass::lossy, "mlx5_1 packet_seq_err", 7, "the peer asked again");
  double next = 46;
  for (const int from : {0, 1, 2, 3})
    for (const int to : {0, 1, 2, 3}) {
      if (from == to) continue;
      const double rate = from == 2 && to == 3 ? 31 : (next += 0.1);
      record.flows.push_back({.from = from, .to = to, .gb_per_s = rate});
      if (rate < 40) record.flows.back().alone_gb_per_s = 32;
    }
  record.metrics.push_back({"median_flow_gb_per_s", "GB/s", 46.5, {}, {}});
  record.metrics.push_back({"slowest_flow_gb_per_s", "GB/s", 31, {}, {}});
  add_port(record, 47, mib);
  stream(builder, record, 372, mib, 12);
}

void add_incast(RunBuilder& builder) {
  auto record = builder.point(
      "rdma.verbs.incast", axes_of("write", mib, {{"senders", std::int64_t{2}}, {"qps", std::int64_t{1}}}));
  connect(record, 4);
  spoil(record, LinkClass::congested, "mlx5_0 np_cnp_sent", 4000, "marked packets arrived");
  record.flows = {{.from = 1, .to = 0, .gb_per_s = 26}, {.from = 2, .to = 0, .gb_per_s = 22}};
  record.metrics = {{"median_flow_gb_per_s", "GB/s", 24, {}, {}},
                    {"victim_latency_us", "us", 61, {}, {}},
                    {"victim_p99_latency_us", "us", 240, {}, {}},
                    {"victim_max_latency_us", "us", 800, {}, {}},
                    {"victim_messages", "", 1200, {}, {}}};
  add_port(record, 48, mib);
  stream(builder, record, 44, mib, 2);
}

}  // namespace

void add_fabric(RunBuilder& builder) {
  add_verbs_latency(builder);
  add_verbs_bandwidth(builder);
  add_message_rate(builder);
  add_pairs(builder);
  add_incast(builder);
  Fields datagram = axes_of("write", 64);
  datagram[3].second = "ud";
  builder.not_measured(builder.point("rdma.verbs.bandwidth", datagram), Status::unsupported,
                       "UD carries only send");
}

}  // namespace assay::results::test

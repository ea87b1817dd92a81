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

Fields clean() {
  return {{"host", "node-a"},
          {"link_class", "clean"},
          {"link_class_why", "clean: 43 counters watched"},
          {"rank1_host", "node-b"},
          {"rank1_link_class", "clean"},
          {"rank1_link_class_why", "clean: 41 counters watched"}};
}

/// Rank 1 tells this.
Fields with_class(const std::string& link_class, const std::string& why) {
  Fields conditions = clean();
  conditions[4].second = link_class;
  conditions[5].second = link_class + ": " + why;
  return conditions;
}

/// Of a 400 Gb/s port at MTU 4096: 82 bytes of headers, gap and preamble a packet.
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
      record.conditions = clean();
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
    record.conditions = percent == 50
                            ? clean()
                            : with_class("congested", "mlx5_0 rp_cnp_handled +900 (the sender slowed down)");
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
      record.conditions =
          lossy
              ? with_class("lossy",
                           "mlx5_0 out_of_sequence +12 (packets arrived in another order, or some were lost)")
              : clean();
      const double rate = std::min(0.0045 * static_cast<double>(bytes),
                                   share * (lossy ? 0.8 : 1) * ceiling_gbit_per_s(bytes) / 8);
      add_port(record, rate, bytes);
      stream(builder, record, rate, bytes, 1);
    }
  auto untold = builder.point("rdma.verbs.bandwidth", axes_of("read", mib, {{"qps", std::int64_t{1}}}));
  untold.conditions = with_class("unknown", "no counter of trouble could be read");
  untold.metrics.push_back({"port_gbit_per_s", "Gb/s", 360, {}, {}});
  stream(builder, untold, 45, mib, 1);
  for (const std::int64_t bytes : {std::int64_t{65536}, mib}) {
    auto record =
        builder.point("rdma.verbs.bidirectional", axes_of("write", bytes, {{"qps", std::int64_t{1}}}));
    record.conditions = clean();
    for (const auto* flow : {"flow_0_to_1_gb_per_s", "flow_1_to_0_gb_per_s"})
      record.metrics.push_back({flow, "GB/s", 48, {}, {}});
    record.metrics.push_back({"median_flow_gb_per_s", "GB/s", 48, {}, {}});
    add_port(record, 48, bytes);
    stream(builder, record, 96, bytes, 2);
  }
}

void add_message_rate(RunBuilder& builder) {
  auto record = builder.point("rdma.verbs.message_rate", axes_of("write", 8, {{"qps", std::int64_t{4}}}));
  record.conditions = clean();
  record.work_bytes = 8;
  add_port(record, 1.44, 8);
  builder.measured(record, 1 / 180e6, {"message_rate_m_per_s", "M/s", [](double s) { return 1e-6 / s; }});
}

Fields of_four_hosts(Fields conditions) {
  for (const auto* rank : {"rank2", "rank3"}) {
    const std::string name = rank;
    conditions.emplace_back(name + "_host", name == "rank2" ? "node-c" : "node-d");
    conditions.emplace_back(name + "_link_class", "clean");
    conditions.emplace_back(name + "_link_class_why", "clean: 43 counters watched");
  }
  return conditions;
}

void add_pairs(RunBuilder& builder) {
  auto record = builder.point("rdma.verbs.pairs", axes_of("write", mib, {{"qps", std::int64_t{1}}}));
  record.conditions = of_four_hosts(with_class("lossy", "mlx5_1 packet_seq_err +7 (the peer asked again)"));
  double next = 46;
  for (const int from : {0, 1, 2, 3})
    for (const int to : {0, 1, 2, 3}) {
      if (from == to) continue;
      const double rate = from == 2 && to == 3 ? 31 : (next += 0.1);
      record.metrics.push_back(
          {"flow_" + std::to_string(from) + "_to_" + std::to_string(to) + "_gb_per_s", "GB/s", rate, {}, {}});
    }
  record.metrics.push_back({"median_flow_gb_per_s", "GB/s", 46.5, {}, {}});
  record.metrics.push_back({"slowest_flow_gb_per_s", "GB/s", 31, {}, {}});
  record.metrics.push_back({"alone_2_to_3_gb_per_s", "GB/s", 32, {}, {}});
  add_port(record, 47, mib);
  stream(builder, record, 372, mib, 12);
}

void add_incast(RunBuilder& builder) {
  auto record = builder.point(
      "rdma.verbs.incast", axes_of("write", mib, {{"senders", std::int64_t{2}}, {"qps", std::int64_t{1}}}));
  record.conditions =
      of_four_hosts(with_class("congested", "mlx5_0 np_cnp_sent +4000 (marked packets arrived)"));
  record.metrics = {
      {"flow_1_to_0_gb_per_s", "GB/s", 26, {}, {}}, {"flow_2_to_0_gb_per_s", "GB/s", 22, {}, {}},
      {"median_flow_gb_per_s", "GB/s", 24, {}, {}}, {"victim_latency_us", "us", 61, {}, {}},
      {"victim_p99_latency_us", "us", 240, {}, {}}, {"victim_max_latency_us", "us", 800, {}, {}},
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

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/measured/tests/made_run.hpp"

#include <utility>

#include "harness/core/names.hpp"
#include "results/tests/run_builder.hpp"

namespace assay::model::fabric::measured::test {

namespace {

namespace names = core::names;
using results::Fields;
using results::PointRecord;
using results::test::RunBuilder;

constexpr int ranks = 8;
constexpr double mib = 1 << 20, packet_bytes = 4096;

class MadeRun {
 public:
  explicit MadeRun(const KnownPorts& ports) : ports_(ports), bytes_per_us_(1e3 * ports.goodput_gb_per_s) {}

  void add_messages() {
    builder_.begin(0, "rdma");
    for (const double bytes : {64.0, 256.0, 1024.0, 4096.0, 16384.0, 65536.0, 262144.0, mib}) {
      PointRecord record = between(2, "rdma.verbs.bandwidth", bytes);
      record.work_bytes = bytes;
      builder_.measured(std::move(record), 1e-6 * (ports_.gap_us + (bytes - 1) / bytes_per_us_),
                        {names::bandwidth_gb_per_s, "GB/s", [bytes](double s) { return bytes / s * 1e-9; }});
    }
    for (const double bytes : {2.0, 64.0, 1024.0, 4096.0, 65536.0}) {
      PointRecord latency = between(2, "rdma.verbs.latency", bytes);
      latency.metrics = {{names::host_posting_us, "us", ports_.overhead_us, {}, {}},
                         {names::host_taking_us, "us", ports_.overhead_us, {}, {}}};
      builder_.measured(std::move(latency),
                        1e-6 * (2 * ports_.overhead_us + 2 * ports_.hop_us + (bytes - 1) / bytes_per_us_),
                        {names::latency_us, "us", [](double s) { return s * 1e6; }});
    }
    builder_.measured(between(2, "rdma.verbs.message_rate", 8), 1e-6 * ports_.gap_us,
                      {names::message_rate_m_per_s, "M/s", [](double s) { return 1e-6 / s; }});
  }

  void add_patterns() {
    PointRecord incast = between(ranks, "rdma.verbs.incast", mib);
    for (int from = 1; from < ranks; ++from) incast.flows.push_back({.from = from, .to = 0, .gb_per_s = 1});
    stream(std::move(incast), ranks - 1, ranks - 1);
    PointRecord bisection = between(ranks, "rdma.verbs.bisection", mib);
    for (int from = 0; from < ranks; ++from)
      bisection.flows.push_back({.from = from, .to = (from + ranks / 2) % ranks, .gb_per_s = 1});
    stream(std::move(bisection), ranks, 1);
    PointRecord pairs = between(ranks, "rdma.verbs.pairs", mib);
    pairs.conditions.emplace_back(names::pairs_apart, "yes");
    for (int from = 0; from < ranks; ++from)
      for (int to = 0; to < ranks; ++to)
        if (from != to) pairs.flows.push_back({.from = from, .to = to, .gb_per_s = 1});
    stream(std::move(pairs), 2, 1);
    builder_.end();
  }

  void add_collectives() {
    builder_.begin(1, "collectives");
    for (const double bytes : {mib, 64 * mib}) {
      collective("collectives.assay.all_reduce", "ring", bytes, 2 * ring_us(bytes));
      collective("collectives.assay.all_gather", "ring", bytes, ports_.slow_all_gather * ring_us(bytes));
      collective("collectives.assay.reduce_scatter", "ring", bytes, ring_us(bytes));
    }
    collective("collectives.mpi.all_reduce", "", mib, ring_us(mib));
    collective("collectives.assay.all_reduce", "ring", mib, ring_us(mib), "nodes");
    builder_.end();
  }

  std::vector<results::Record> take() { return builder_.take(); }

 private:
  PointRecord between(int count, const std::string& name, double bytes) {
    PointRecord record = builder_.point(
        name,
        {{"operation", "write"}, {"bytes", static_cast<std::int64_t>(bytes)}, {"qps", std::int64_t{1}}});
    record.conditions = {{names::ranks, std::int64_t{count}}};
    for (int rank = 0; rank < count; ++rank)
      record.links.push_back({.rank = rank, .link_class = results::LinkClass::clean, .watched = 40});
    return record;
  }

  /// An iteration: a message of every flow, of which the busiest port carries so many.
  void stream(PointRecord record, int flows, int of_port) {
    record.work_bytes = flows * mib;
    const double bytes = record.work_bytes;
    builder_.measured(std::move(record), 1e-6 * of_port * mib / bytes_per_us_,
                      {names::bandwidth_gb_per_s, "GB/s", [bytes](double s) { return bytes / s * 1e-9; }});
  }

  /// n - 1 steps of a block each.
  double ring_us(double bytes) const {
    const double step_us = 2 * ports_.overhead_us + 2 * ports_.hop_us + packet_bytes / bytes_per_us_;
    return (ranks - 1) * (step_us + bytes / ranks / bytes_per_us_);
  }

  void collective(const std::string& name, const std::string& algorithm, double bytes, double us,
                  const std::string& groups = "all") {
    Fields axes = {{"bytes", static_cast<std::int64_t>(bytes)}, {"dtype", "fp32"}, {"groups", groups}};
    if (!algorithm.empty()) axes.insert(axes.begin(), {"algorithm", algorithm});
    PointRecord record = builder_.point(name, std::move(axes));
    record.conditions = {{names::ranks, std::int64_t{ranks}}, {names::nodes, std::int64_t{ranks}}};
    builder_.measured(std::move(record), 1e-6 * us, {names::time_us, "us", [](double s) { return s * 1e6; }});
  }

  KnownPorts ports_;
  double bytes_per_us_;
  RunBuilder builder_{"r1"};
};

}  // namespace

void make_store(const std::string& path, const KnownPorts& ports) {
  MadeRun run(ports);
  run.add_messages();
  run.add_patterns();
  run.add_collectives();
  results::Store store(path);
  store.add(run.take());
}

}  // namespace assay::model::fabric::measured::test

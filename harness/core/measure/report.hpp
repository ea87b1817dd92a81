// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A trial's report about one point: numbers, the conditions that held, and what the links, flows and ranks of
// a team did; and which parts of the machine it was about. Records hold the same types.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "harness/core/describe/field.hpp"

namespace assay::core {

/// A number in the record besides the headline. Bounds where an interval is known.
struct Metric {
  std::string name;  // carries its unit: busbw_gb_per_s
  std::string unit;  // as printed: "GB/s"
  double value = 0;
  std::optional<double> lower = {};
  std::optional<double> upper = {};
};
constexpr auto fields_of(Type<Metric>) {
  return std::tuple(Field<"name", &Metric::name>{identity}, Field<"unit", &Metric::unit>(),
                    Field<"value", &Metric::value>(), Field<"lower", &Metric::lower>(),
                    Field<"upper", &Metric::upper>());
}

using Scalar = std::variant<std::int64_t, double, std::string>;
/// A condition under which the point ran: ("algorithm", "cublaslt:17"), ("huge_page_bytes", 1073741824).
using Fact = std::pair<std::string, Scalar>;

struct Verification {
  enum class Result { right, wrong, not_checked };
  Result result = Result::not_checked;
  std::string why = {};     // what was compared, or the first mismatches
  std::string digest = {};  // digest of the output bits where the case keeps one (hexadecimal)
};
constexpr auto words_for(Type<Verification::Result>) {
  return words_of<Verification::Result>("right", "wrong", "not_checked");
}
constexpr auto fields_of(Type<Verification>) {
  return std::tuple(Field<"result", &Verification::result>(), Field<"why", &Verification::why>(),
                    Field<"digest", &Verification::digest>());
}

/// The state of a link by its counters during a measurement, in ascending severity. Unknown: counters of loss
/// or faults could not be read. That is worse than congestion that was seen, and not as bad as loss that was
/// seen.
enum class LinkClass { clean, congested, unknown, lossy, faulty };
constexpr auto words_for(Type<LinkClass>) {
  return words_of<LinkClass>("clean", "congested", "unknown", "lossy", "faulty");
}

/// The movement of one counter of a port during a measurement.
struct CounterReport {
  enum class Outcome { moved, moved_at_least, was_full, was_reset, not_read };
  std::string counter;  // "mlx5_0 out_of_sequence"; the port where it has no counter; empty: unknown which
  Outcome outcome = Outcome::not_read;
  std::uint64_t moved = 0;
  LinkClass speaks_for = LinkClass::clean;  // clean: informational; unknown: it could not be followed
  std::string about = {};                   // what it counts, or why it could not be followed
};
constexpr auto words_for(Type<CounterReport::Outcome>) {
  return words_of<CounterReport::Outcome>("moved", "moved_at_least", "was_full", "was_reset", "not_read");
}
constexpr auto fields_of(Type<CounterReport>) {
  return std::tuple(Field<"counter", &CounterReport::counter>(), Field<"outcome", &CounterReport::outcome>(),
                    Field<"moved", &CounterReport::moved>{from_zero},
                    Field<"class", &CounterReport::speaks_for>{
                        any_value.saying("the class that it counts against; clean: none")},
                    Field<"about", &CounterReport::about>{
                        any_value.saying("what it counts, or why it could not be followed")});
}

/// The counters of one rank's port, and the class that follows from them.
struct LinkReport {
  int rank = 0;
  LinkClass link_class = LinkClass::unknown;
  std::int64_t watched = 0;                  // counters of loss or faults that could be followed
  std::vector<CounterReport> counters = {};  // worst first; those that stood still are not listed
};
constexpr auto fields_of(Type<LinkReport>) {
  return std::tuple(Field<"rank", &LinkReport::rank>{from_zero}, Field<"class", &LinkReport::link_class>(),
                    Field<"watched", &LinkReport::watched>{
                        from_zero.saying("counters of loss or faults that could be followed")},
                    Field<"counters", &LinkReport::counters>{
                        any_value.saying("worst first; those that stood still are not listed")});
}

/// Fields by which switches distinguish a RoCE queue pair besides the addresses, in the direction of its
/// payload.
struct QueuePairReport {
  std::int64_t source_port = 0, destination_qpn = 0;  // UDP; 24 bits
  friend auto operator<=>(const QueuePairReport&, const QueuePairReport&) = default;
};
inline constexpr Terms udp_port{.lowest = 0, .highest = 0xffff};
inline constexpr Terms queue_pair_number{.lowest = 0, .highest = 0xffffff};

/// One flow among those that ran in a point. Rates of its payload; nothing where it was not measured so.
struct FlowReport {
  int from = 0, to = 0;                                      // ranks
  std::optional<double> gb_per_s = {}, alone_gb_per_s = {};  // among the others; run again by itself
  std::vector<QueuePairReport> queue_pairs = {};             // all of them; none: unknown
};
constexpr auto fields_of(Type<FlowReport>) {
  return std::tuple(
      Field<"from", &FlowReport::from>{from_zero}, Field<"to", &FlowReport::to>{from_zero},
      Field<"gb_per_s", &FlowReport::gb_per_s>(), Field<"alone_gb_per_s", &FlowReport::alone_gb_per_s>(),
      columns<&FlowReport::queue_pairs>(Field<"source_ports", &QueuePairReport::source_port>{udp_port.saying(
                                            "UDP source port of each queue pair, the way the payload goes")},
                                        Field<"destination_qpns", &QueuePairReport::destination_qpn>{
                                            queue_pair_number.saying("in the same order")}));
}

/// A part of the machine that a point measured, as its host calls it: a "gpu" "3", a "port" "mlx5_0:1".
struct UnitReport {
  std::string kind, id;
  friend bool operator==(const UnitReport&, const UnitReport&) = default;
};
constexpr auto fields_of(Type<UnitReport>) {
  return std::tuple(Field<"kind", &UnitReport::kind>{identity.saying("gpu, port")},
                    Field<"id", &UnitReport::id>{identity.saying("3, mlx5_0:1")});
}

/// The conditions of a rank other than 0, whose conditions are the point's own.
struct RankReport {
  int rank = 0;
  std::vector<Fact> facts;
};
constexpr auto fields_of(Type<RankReport>) {
  return std::tuple(Field<"rank", &RankReport::rank>{from_one}, Field<"conditions", &RankReport::facts>());
}

struct Report {
  std::vector<Metric> metrics;
  std::vector<Fact> facts;
  std::vector<LinkReport> links = {};
  std::vector<FlowReport> flows = {};
  std::vector<RankReport> ranks = {};
};

/// "lossy: mlx5_0 out_of_sequence +12 (...); mlx5_0 packet_seq_err +3 (...)", "clean: 43 counters watched",
/// "unknown: no counter of trouble could be read". Informational counters are left out.
std::string describe(const LinkReport& link);
/// describe() of the link without the class.
std::string reasons(const LinkReport& link);
/// "mlx5_0 out_of_sequence +12", "mlx5_0 symbol_error +3 at least", "mlx5_0 symbol_error was full ...".
std::string describe(const CounterReport& counter);

// The words in records, and back; nothing for a word that is not one of them.
std::string_view to_string(LinkClass link_class);
std::string_view to_string(CounterReport::Outcome outcome);
std::string_view to_string(Verification::Result result);
std::optional<LinkClass> link_class_from(std::string_view word);
std::optional<CounterReport::Outcome> counter_outcome_from(std::string_view word);
std::optional<Verification::Result> verification_result_from(std::string_view word);

}  // namespace assay::core

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// LogGP of verbs (Alexandrov, Ionescu, Schauser, Scheiman 1995): a message of k bytes arrives after
// o + (k-1) G + L + o, and the next one follows it after g + (k-1) G.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/fit/regression/accuracy.hpp"
#include "model/fit/regression/relative_fit.hpp"
#include "model/fit/rows/timing_rows.hpp"

namespace assay::model::fit {

/// LogGP parameters of one operation between two processes, with one way of posting.
struct LogGp {
  double one_way_us = 0;  // L + 2 o
  double gap_us = 0;      // g
  double gb_per_s = 0;    // 1 / G

  double time_us(VerbsRow::Kind kind, double size_bytes) const {
    return (kind == VerbsRow::Kind::latency ? one_way_us : gap_us) + (size_bytes - 1) * 1e-3 / gb_per_s;
  }
};

struct LogGpFit {
  struct Link {
    LogGp model;
    std::vector<Coefficient> coefficients;  // L_plus_2o_us, g_us, gb_per_s
    Coefficient overhead, latency;          // o_us and L_us
  };
  std::map<std::string, Link> links;  // by loggp_name()
  std::vector<std::string> left_out;  // one line each: what has no latencies, or no stream
  Errors held_out;                    // each fifth of the rows, by a fit of the others
};

/// "write memory=host, qps=1": an operation and a way of posting.
std::string loggp_name(const VerbsRow& stream);

/// The latencies and overheads of an operation serve each of its ways of posting. o is the median of the
/// overheads, between the least and the most, and L what two of them leave of L + 2 o. Without overheads o is
/// known to be no more than g (one CPU posts all messages of a stream) and than half of L + 2 o: both it and
/// L have bounds, no value (NaN), and are not supported; so has L where two overheads leave nothing. Throws a
/// usage error where no operation has both fewest_latency_sizes and fewest_stream_sizes.
LogGpFit fit_loggp(const Timings<VerbsRow>& timings, std::uint64_t seed);

inline constexpr std::size_t fewest_latency_sizes = 3, fewest_stream_sizes = 2;

}  // namespace assay::model::fit

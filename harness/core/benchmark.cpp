// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/benchmark.hpp"

#include "harness/core/error.hpp"
#include "harness/core/names.hpp"

namespace assay::core {

std::vector<Case> absent(std::vector<Case> declared, const std::string& why) {
  for (Case& one : declared) {
    one.unsupported = [why](const Point&) -> std::optional<std::string> { return why; };
    one.prepare = [why](const Point&) -> std::unique_ptr<Trial> { throw Error(ErrorKind::system, why); };
  }
  return declared;
}

std::string headline_name(Headline headline) {
  switch (headline) {
    case Headline::bandwidth_gb_per_s:
      return core::names::bandwidth_gb_per_s;
    case Headline::tflops:
      return core::names::tflops;
    case Headline::latency_ns:
      return core::names::latency_ns;
    case Headline::latency_us:
      return core::names::latency_us;
    case Headline::time_us:
      return core::names::time_us;
    case Headline::message_rate_m_per_s:
      return core::names::message_rate_m_per_s;
    case Headline::update_rate_gup_per_s:
      return "update_rate_gup_per_s";
    case Headline::connection_rate_per_s:
      return "connection_rate_per_s";
  }
  return "unknown";
}

std::string headline_unit(Headline headline) {
  switch (headline) {
    case Headline::bandwidth_gb_per_s:
      return "GB/s";
    case Headline::tflops:
      return "TFLOP/s";
    case Headline::latency_ns:
      return "ns";
    case Headline::latency_us:
    case Headline::time_us:
      return "us";
    case Headline::message_rate_m_per_s:
      return "M/s";
    case Headline::update_rate_gup_per_s:
      return "GUP/s";
    case Headline::connection_rate_per_s:
      return "1/s";
  }
  return "";
}

}  // namespace assay::core

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/measure/benchmark.hpp"

#include "harness/core/error.hpp"
#include "harness/core/names.hpp"

namespace assay::core {

std::string built_without(const std::string& component) { return "built without " + component; }

std::vector<Case> absent(std::vector<Case> declared, const std::string& component) {
  const std::string why = built_without(component);
  for (Case& one : declared) {
    one.not_built = [component](const Point&) { return component; };
    // Words that every other build refuses are refused here, too.
    one.unsupported = [why, work = one.work](const Point& point) {
      static_cast<void>(work(point));
      return why;
    };
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

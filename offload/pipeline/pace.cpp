// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/pipeline/pace.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "harness/core/error.hpp"

namespace assay::offload {
namespace {

constexpr double least_cap_gb_per_s = 0.001;

}  // namespace

double parse_cap(const std::string& text) {
  if (text == "unlimited") return unlimited;
  double cap = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, cap);
  if (error != std::errc() || rest != end || !std::isfinite(cap) || cap <= 0)
    core::usage_error(fmt::format("cap_gb_per_s={}: expected unlimited, or GB/s above 0", text));
  if (cap < least_cap_gb_per_s)
    core::usage_error(
        fmt::format("cap_gb_per_s={}: expected unlimited, or {} and more: copies would take hours", text,
                    least_cap_gb_per_s));
  return cap;
}

void Pace::resume(double now_s) { used_until_s_ = std::max(used_until_s_, now_s); }

double Pace::claim_s(std::int64_t bytes) {
  used_until_s_ += static_cast<double>(bytes) * seconds_per_byte_;
  return used_until_s_;
}

}  // namespace assay::offload

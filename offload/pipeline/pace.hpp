// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A token bucket: when the next piece of a paced copy may be moved. Pure: times are handed in, in seconds.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

namespace assay::offload {

inline constexpr double unlimited = std::numeric_limits<double>::infinity();

/// "unlimited", or GB/s above 0 ("5", "2.5"). Throws a usage Error that begins with "cap_gb_per_s=...".
double parse_cap(const std::string& text);

class Pace {
 public:
  /// A lane that was late may catch up by `burst_bytes`; nothing else is saved up. `gb_per_s` above 0.
  Pace(double gb_per_s, std::int64_t burst_bytes);

  /// Takes the next `bytes` of the lane's time; they may be moved from the returned time on, which is when a
  /// link of this pace would have delivered them.
  double claim_s(std::int64_t bytes, double now_s);

 private:
  double seconds_per_byte_, burst_s_;
  double used_until_s_ = -std::numeric_limits<double>::infinity();
};

}  // namespace assay::offload

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// When the pieces of a capped copy may be moved: each when a link of that rate would have delivered it. Pure:
// times are handed in, in seconds.
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
  /// `gb_per_s` above 0.
  explicit Pace(double gb_per_s) : seconds_per_byte_(1e-9 / gb_per_s) {}

  /// The link was idle until now: time that it did not use is gone.
  void resume(double now_s);
  /// Takes the next `bytes` of the link's time; returns when they may be moved. A mover that is late (its
  /// thread had no CPU) catches up, as a link would not have waited for it.
  double claim_s(std::int64_t bytes);

 private:
  double seconds_per_byte_;
  double used_until_s_ = -std::numeric_limits<double>::infinity();
};

}  // namespace assay::offload

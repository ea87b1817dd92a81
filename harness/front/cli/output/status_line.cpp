// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/output/status_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <utility>

#include "harness/core/seconds_since.hpp"
#include "harness/core/text/printable_stream.hpp"
#include "harness/core/units.hpp"

namespace assay::cli {

std::string time_left_text(std::size_t done, std::size_t of, double seconds) {
  if (done == 0 || done >= of) return "";
  const double left = std::round(seconds * static_cast<double>(of - done) / static_cast<double>(done));
  return left < 1 ? "" : fmt::format(", about {} left", core::format_seconds(left));
}

StatusLine::StatusLine(std::ostream& out, bool terminal, std::string what, Duration quiet, Duration period)
    : out_(out), what_(std::move(what)) {
  if (terminal)
    writer_ =
        std::jthread([this, quiet, period](const std::stop_token& stop) { rewrite(stop, quiet, period); });
}

StatusLine::~StatusLine() = default;

void StatusLine::show(std::size_t done, std::size_t of) {
  const std::scoped_lock lock(mutex_);
  if (done == 0) start_ = Clock::now();
  done_ = done == 0 ? 0 : std::max(done_, done);  // threads may come out of order
  of_ = of;
}

std::string StatusLine::text() const {
  const std::scoped_lock lock(mutex_);
  if (of_ == 0) return what_;
  return fmt::format("{}: step {} of {}{}", what_, std::min(done_ + 1, of_), of_,
                     time_left_text(done_, of_, core::seconds_since(start_)));
}

void StatusLine::rewrite(const std::stop_token& stop, Duration quiet, Duration period) {
  std::mutex asleep;
  std::unique_lock lock(asleep);
  bool written = false;
  for (Duration pause = quiet; !wake_.wait_for(lock, stop, pause, [&] { return stop.stop_requested(); });
       pause = period) {
    out_ << core::TerminalControl{"\r\033[K"} << text() << std::flush;
    written = true;
  }
  if (written) out_ << core::TerminalControl{"\r\033[K"} << std::flush;
}

}  // namespace assay::cli

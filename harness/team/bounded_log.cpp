// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/bounded_log.hpp"

#include <fmt/format.h>

#include <iostream>

#include "harness/team/wire/tcp_socket.hpp"

namespace assay::team {
namespace {

constexpr double log_window_s = 10;
constexpr int lines_per_window = 20;

}  // namespace

void BoundedLog::refused(const std::string& line) {
  look();
  if (lines_ >= lines_per_window) {
    ++without_line_;
    return;
  }
  ++lines_;
  write(line);
}

void BoundedLog::refused_at_the_door(const SocketAddress& from) {
  look();
  if (refusal_logged_) {
    ++without_line_;
    return;
  }
  refusal_logged_ = true;
  write(fmt::format("refused a caller from {}: too many callers from there, or in all", host_text(from)));
}

void BoundedLog::look() {
  if (!window_.passed()) return;
  close();
  window_ = Deadline(log_window_s);
  lines_ = 0;
  refusal_logged_ = false;
}

void BoundedLog::close() {
  if (without_line_ > 0) write(fmt::format("{} more callers were refused", without_line_));
  without_line_ = 0;
}

void BoundedLog::write(const std::string& line) const {
  if (write_)
    write_(line);
  else
    std::cerr << line + "\n";
}

}  // namespace assay::team

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Lines about callers that were refused, however many there are: 20 in 10 s, then a number.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "harness/team/wire/address.hpp"
#include "harness/team/wire/deadline.hpp"

namespace assay::team {

class BoundedLog {
 public:
  /// `write`: where a line goes; standard error where there is none.
  explicit BoundedLog(std::function<void(const std::string&)> write) : write_(std::move(write)) {}

  void refused(const std::string& line);
  /// Counts one more; only the first of ten seconds has a line.
  void refused_at_the_door(const SocketAddress& from);
  /// Says how many had no line, once ten seconds are over.
  void look();
  /// Says it at once, before an end.
  void close();
  bool owes_a_line() const { return without_line_ > 0; }

 private:
  void write(const std::string& line) const;

  std::function<void(const std::string&)> write_;
  Deadline window_{0};
  int lines_ = 0;
  long without_line_ = 0;
  bool refusal_logged_ = false;
};

}  // namespace assay::team

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The finding of a health check on one unit, and the verdict of all of them. What could not be read is a
// separate outcome: it never becomes a pass.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "results/judge/verdict/verdict.hpp"

namespace assay::health {

/// Statuses in order of severity.
enum class Status {
  absent,   // there is no such unit here
  passed,   // read, and good
  waived,   // the user asked not to look
  noticed,  // to be watched; the unit may serve
  unknown,  // could not be read, or could not be trusted
  failed,
};

using results::Action;

struct Advice {
  std::string meaning;
  Action action = Action::none;
};

struct Finding {
  std::string check = {};  // gpu.row_remap
  std::string unit = {};   // "GPU 3 0000:4b:00.0"; "" for the host
  Status status = Status::unknown;
  std::string evidence = {};  // what was read
  std::string meaning = {};
  Action action = Action::none;
  /// True if the finding is of a window of time: the next check no longer sees it, so that a failure, or what
  /// was unknown, stays until someone clears it.
  bool latches = false;
};

/// Collects what the checks find, under the name of the check that runs.
class Findings {
 public:
  void begin(std::string_view check) {
    check_ = check;
    most_ = Status::failed;
  }
  void add(Status status, const std::string& unit, const std::string& evidence, const Advice& advice = {},
           bool latches = false);
  void passed(const std::string& unit, const std::string& evidence) { add(Status::passed, unit, evidence); }
  void absent(const std::string& evidence) { add(Status::absent, "", evidence); }
  void unknown(const std::string& unit, const std::string& evidence, bool latches = false);
  /// Until the next call nothing is reported as more severe than this.
  void limit_to(Status most) { most_ = most; }

  std::vector<Finding> take() { return std::move(findings_); }

 private:
  std::string check_;
  Status most_ = Status::failed;
  std::vector<Finding> findings_;
};

std::string_view to_string(Status status);
/// Throws a usage Error naming `where` for any other word.
Action action_from(const std::string& word, const std::string& where);
Status status_from(const std::string& word, const std::string& where);

}  // namespace assay::health

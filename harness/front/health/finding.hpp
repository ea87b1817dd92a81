// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What a health check says of one unit, and what all of it adds up to. What could not be read is an outcome
// of its own: it never adds up to a pass.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "results/judge/verdict.hpp"

namespace assay::health {

/// In order of gravity.
enum class Status {
  absent,    // there is no such unit here
  passed,    // read, and well
  waived,    // the user asked not to look
  noticed,   // to be watched; the unit may serve
  not_told,  // could not be read, or could not be trusted
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
  Status status = Status::not_told;
  std::string evidence = {};  // what was read
  std::string meaning = {};
  Action action = Action::none;
  /// Of a window of time: the next check no longer sees it, so that a failure, or what was not told, stays
  /// until someone clears it.
  bool latches = false;
};

/// Collects what the checks say, under the name of the check that speaks.
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
  void not_told(const std::string& unit, const std::string& evidence, bool latches = false);
  /// Until the next call nothing is told as graver than this.
  void limit_to(Status most) { most_ = most; }

  std::vector<Finding> take() { return std::move(findings_); }

 private:
  std::string check_;
  Status most_ = Status::failed;
  std::vector<Finding> findings_;
};

/// FAIL where anything failed, else INCONCLUSIVE where anything was not told; PASS, or DEGRADED where
/// anything is to be watched; NOT_RUN where nothing was looked at.
std::string_view verdict_word(const std::vector<Finding>& findings);

std::string_view to_string(Status status);
/// Throws a usage Error naming `where` for a word that is none.
Action action_from(const std::string& word, const std::string& where);
Status status_from(const std::string& word, const std::string& where);

}  // namespace assay::health

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Tests of groups that a campaign has made so far, in a file: a resume takes their answers from it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "harness/front/campaign/nodes/groups.hpp"

namespace assay::campaign {

struct TestedGroup {
  Group nodes;
  bool passed = false;
  std::string why = {};  // one line, where it did not pass
};

class KeptTests {
 public:
  /// Reads what is there. A file that is damaged counts as far as it can be read.
  explicit KeptTests(std::filesystem::path file);

  /// Test `number` (from 1) of this group; null where it was not made yet.
  const TestedGroup* find(const Group& nodes, int number) const;
  void add(TestedGroup test);
  /// The latest failure of the group; "" where it has none.
  std::string why_failed(const Group& nodes) const;
  /// The latest failure of any group.
  const std::string& last_failure() const { return last_failure_; }

 private:
  void take(TestedGroup test);

  std::filesystem::path file_;
  std::string lines_, last_failure_;
  std::map<Group, std::vector<TestedGroup>> tests_;
};

}  // namespace assay::campaign

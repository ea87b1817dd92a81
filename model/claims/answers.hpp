// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The output of commands, each run once, several at the same time.
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace assay::model::claims {

class Answers {
 public:
  using Ask = std::function<nlohmann::json(const std::string& command)>;

  /// Runs all of them. What one throws, of() throws.
  Answers(std::vector<std::string> commands, const Ask& ask, unsigned threads);

  const nlohmann::json& of(const std::string& command) const;

 private:
  struct Answer {
    nlohmann::json json;
    std::string refused;  // why there is none
  };
  std::map<std::string, Answer> answers_;
};

}  // namespace assay::model::claims

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/claims/answers.hpp"

#include <exception>

#include "harness/core/error.hpp"
#include "harness/core/process/side_by_side.hpp"

namespace assay::model::claims {

Answers::Answers(std::vector<std::string> commands, const Ask& ask, unsigned threads) {
  std::vector<std::pair<const std::string, Answer>*> work;
  for (std::string& command : commands)
    if (const auto [at, is_new] = answers_.try_emplace(std::move(command)); is_new) work.push_back(&*at);
  const auto ask_one = [&](std::size_t at) {
    auto& [command, answer] = *work[at];
    try {
      answer.json = ask(command);
    } catch (const std::exception& error) {
      answer.refused = error.what();
    }
  };
  core::side_by_side(work.size(), ask_one, {.most = threads});
}

const nlohmann::json& Answers::of(const std::string& command) const {
  const Answer& answer = answers_.at(command);
  if (!answer.refused.empty()) core::usage_error(answer.refused);
  return answer.json;
}

}  // namespace assay::model::claims

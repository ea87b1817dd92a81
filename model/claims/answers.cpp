// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/claims/answers.hpp"

#include <algorithm>
#include <atomic>
#include <thread>

#include "harness/core/error.hpp"

namespace assay::model::claims {

Answers::Answers(std::vector<std::string> commands, const Ask& ask, unsigned threads) {
  std::vector<std::pair<const std::string, Answer>*> work;
  for (std::string& command : commands)
    if (const auto [at, is_new] = answers_.try_emplace(std::move(command)); is_new) work.push_back(&*at);
  std::atomic<std::size_t> next{0};
  std::vector<std::jthread> workers;
  for (unsigned i = 0; i < std::max(1U, threads); ++i)
    workers.emplace_back([&] {
      for (std::size_t mine = next++; mine < work.size(); mine = next++) {
        auto& [command, answer] = *work[mine];
        try {
          answer.json = ask(command);
        } catch (const std::exception& error) {
          answer.refused = error.what();
        }
      }
    });
}

const nlohmann::json& Answers::of(const std::string& command) const {
  const Answer& answer = answers_.at(command);
  if (!answer.refused.empty()) core::usage_error(answer.refused);
  return answer.json;
}

}  // namespace assay::model::claims

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/algorithms/algorithm_figures.hpp"

namespace assay::collectives {

AlgorithmFigures::AlgorithmFigures(const Algorithm& algorithm, const Problem& problem,
                                   const Schedule& schedule, int rank, std::int64_t element_bytes)
    : steps_(algorithm.steps(problem)),
      exact_(steps_are_exact(algorithm, problem)),
      messages_(algorithm.sent(problem, rank).messages),
      bytes_(algorithm.sent(problem, rank).elements * element_bytes),
      unlike_busbw_(algorithm.over_nodes || algorithm.name.ends_with("tree")) {
  const auto node = [&](int of) {
    return problem.node_of.empty() ? 0 : problem.node_of[static_cast<std::size_t>(of)];
  };
  for (const Step& step : schedule.steps)
    for (const Send& send : step.sends)
      (node(send.to) == node(rank) ? inside_ : across_) += send.from.count * element_bytes;
}

std::vector<core::Fact> AlgorithmFigures::facts() const {
  std::vector<core::Fact> facts{
      {exact_ ? "steps" : "steps_at_most", steps_}, {"messages_sent", messages_}, {"bytes_sent", bytes_}};
  if (unlike_busbw_)
    facts.emplace_back("busbw_is_wire_rate", "no: ranks send other amounts than busbw assumes");
  return facts;
}

}  // namespace assay::collectives

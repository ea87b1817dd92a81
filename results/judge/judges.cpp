// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/judges.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>
#include <variant>

#include "harness/core/error.hpp"

namespace assay::results {

std::span<const std::string> Evidence::files_of(std::string_view input) const {
  const auto found = files.find(input);
  return found == files.end() ? std::span<const std::string>() : found->second;
}

std::optional<double> Evidence::share_of(std::string_view input) const {
  const auto found = order.shares.find(input);
  return found == order.shares.end() ? std::nullopt : std::optional(found->second);
}

std::vector<Judged> ask_judges(const Evidence& evidence, Unjudgeable unjudgeable) {
  std::vector<Judged> all;
  for (const Judge& one : judges()) try {
      std::ranges::move(one.judge(evidence), std::back_inserter(all));
    } catch (const core::Error&) {
      throw;
    } catch (const std::runtime_error& error) {
      if (unjudgeable == Unjudgeable::throws) throw;
      all.push_back(open_judgement(std::string(one.name), error.what()));
    }
  return all;
}

std::vector<Judged> ask_judge(std::string_view name, const Evidence& evidence) {
  return std::ranges::find(judges(), name, &Judge::name)->judge(evidence);
}

void append(Verdicts& whole, Judged part) {
  if (part.only_notes)
    std::ranges::move(part.verdicts.notes, std::back_inserter(whole.notes));
  else
    append(whole, std::move(part.verdicts));
}

Judged with_table(Verdicts verdicts) {
  Table table = to_table(verdicts);
  std::erase_if(table.rows, [](const auto& row) {
    return std::get<std::string>(row.front()) == to_string(Verdict::pass);
  });
  return {std::move(verdicts), std::move(table)};
}

Judged open_judgement(const std::string& what, const std::string& because) {
  Verdicts open;
  open.rows.push_back({.kind = "judge",
                       .metric = what,
                       .verdict = Verdict::inconclusive,
                       .because = because,
                       .meaning = "what cannot be judged is not accepted",
                       .action = Action::retest});
  settle(open);
  Table table = to_table(open);
  table.title = what + ": " + because;
  return {std::move(open), std::move(table)};
}

}  // namespace assay::results

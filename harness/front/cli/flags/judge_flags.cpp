// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/flags/judge_flags.hpp"

#include "harness/front/answers/margin.hpp"
#include "harness/front/cli/flags/file_name.hpp"

namespace assay::cli {
namespace {

void add_input(CLI::App& app, const results::JudgeInput& input, JudgeFlags& flags) {
  const std::string name(input.name), flag(input.flag), about(input.about);
  if (input.kind == results::JudgeInput::Kind::share) {
    std::string& share = flags.shares[name] = input.otherwise;
    CLI::Option* option = app.add_option(flag, share, about)->type_name("SHARE");
    if (!share.empty()) option->capture_default_str();
    option->check([](const std::string& text) {
      return std::string(text.empty() ? "expected a share such as 2%, got an empty one" : "");
    });
    return;
  }
  const char* const type = input.tagged ? "KIND=FILE" : "FILE";
  CLI::Option* option = add_file(app, flag, flags.files[name], about, type);
  if (input.only_one) option->expected(1);
}

}  // namespace

void add_judge_flags(CLI::App& app, JudgeFlags& flags) {
  app.add_option("--filter", flags.filter, "judge only cases, or case/point, that match this glob")
      ->type_name("GLOB");
  add_fleet_margins(app, flags.margins);
  for (const results::Judge& judge : results::judges())
    for (const results::JudgeInput& input : judge.inputs) add_input(app, input, flags);
}

results::JudgeOrder order_from(const JudgeFlags& flags) {
  results::JudgeOrder order{.filter = flags.filter, .rules = fleet_rules_from(flags.margins)};
  for (const results::Judge& judge : results::judges())
    for (const results::JudgeInput& input : judge.inputs)
      if (const auto given = flags.shares.find(std::string(input.name));
          given != flags.shares.end() && !given->second.empty())
        order.shares[given->first] = answers::margin_from(std::string(input.flag), given->second);
  return order;
}

}  // namespace assay::cli

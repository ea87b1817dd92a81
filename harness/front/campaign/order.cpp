// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/campaign/order.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "harness/core/error.hpp"
#include "harness/core/text/json_from.hpp"
#include "harness/core/text/json_text.hpp"
#include "harness/front/suite/processes/base64.hpp"

namespace assay::campaign {
namespace {

constexpr std::size_t longest_word = 120'000;  // Linux takes 128 KiB (MAX_ARG_STRLEN)

void append(std::vector<std::string>& words, const std::string& flag,
            const std::vector<std::string>& values) {
  for (const std::string& value : values) {
    words.push_back(flag);
    words.push_back(value);
  }
}

Step check_step(const std::string& stage_run, const OrderExtras& extras) {
  Step step{.name = "check",
            .words = {"check", "--all", "--logbook", "{folder}/health.json", "--verdicts",
                      fmt::format("{{folder}}/{}.check.json", stage_run)}};
  if (!extras.expectation.empty()) append(step.words, "--expect", {"{folder}/expect.toml"});
  return step;
}

std::vector<std::string> selection_of(const Work& work, const std::string& plan_file) {
  std::vector<std::string> words{"--plan", plan_file};
  append(words, "--modules", work.modules);
  append(words, "--filter", work.filters);
  append(words, "--axis", work.axes);
  return words;
}

Step measure_step(const Stage& stage, const std::string& stage_run, const OrderExtras& extras) {
  const Work& work = stage.work;
  const std::string run_id = run_id_of(extras.campaign_id, stage_run, "{node}");
  std::vector<std::string> common{"--out", "{folder}", "--run-id", run_id};
  if (!extras.programs.empty()) append(common, "--programs", {extras.programs});
  if (work.is_burn_in()) {
    append(common, "--logbook", {"{folder}/health.json"});
    append(common, "--verdicts", {fmt::format("{{folder}}/{}.burn-in.json", stage_run)});
    if (!extras.expectation.empty()) append(common, "--expect", {"{folder}/expect.toml"});
  }
  Step step{.name = work.is_burn_in() ? "burn-in" : "run"};
  step.begun =
      fmt::format("{{folder}}/{}/{}", run_id, work.is_burn_in() ? "timeline.jsonl" : "journal.jsonl");
  step.words = {step.name};
  step.words.insert(step.words.end(), common.begin(), common.end());
  step.resumed = step.words;
  step.resumed.emplace_back("--resume");
  const auto selection = selection_of(work, "{folder}/" + plan_file_of(stage));
  step.words.insert(step.words.end(), selection.begin(), selection.end());
  if (!work.burn_in_for.empty()) append(step.words, "--for", {work.burn_in_for});
  if (work.burn_in_rounds > 0) append(step.words, "--rounds", {std::to_string(work.burn_in_rounds)});
  return step;
}

nlohmann::json json_of(const Order& order) {
  nlohmann::json json{{"stage", order.stage},
                      {"nodes_folder", order.nodes_folder},
                      {"nonce", order.nonce},
                      {"files", order.files},
                      {"steps", nlohmann::json::array()}};
  for (const Step& step : order.steps)
    json["steps"].push_back(
        {{"name", step.name}, {"words", step.words}, {"resumed", step.resumed}, {"begun", step.begun}});
  return json;
}

}  // namespace

std::string to_word(const Order& order) {
  std::string word = suite::to_base64(core::json_text(json_of(order)));
  if (word.size() > longest_word)
    core::usage_error(
        fmt::format("stage {}: its plan and expectation are {} bytes too long for a command line",
                    order.stage, word.size() - longest_word));
  return word;
}

Order order_from(const std::string& word) try {
  const auto text = suite::from_base64(word);
  if (!text) core::usage_error("--on-node: expected an order of assay campaign");
  const auto json = core::json_from<nlohmann::json>(*text);
  Order order{.stage = json.at("stage"), .nodes_folder = json.at("nodes_folder"), .nonce = json.at("nonce")};
  order.files = json.at("files").get<std::map<std::string, std::string>>();
  for (const auto& step : json.at("steps"))
    order.steps.push_back({step.at("name"), step.at("words"), step.at("resumed"), step.at("begun")});
  return order;
} catch (const nlohmann::json::exception&) {
  core::usage_error("--on-node: expected an order of assay campaign");
}

std::string stage_run_name(const Stage& stage, int run) {
  const int retest = stage.kind == StageKind::grow ? 0 : run - stage.work.runs;
  return retest > 0 ? fmt::format("{}-retest-{}", stage.name, retest) : fmt::format("{}-{}", stage.name, run);
}

std::string run_id_of(const std::string& campaign_id, const std::string& stage_run, const std::string& who) {
  return fmt::format("{}.{}.{}", campaign_id, stage_run, who);
}

Order order_of(const Stage& stage, int run, const OrderExtras& extras) {
  Order order{.stage = stage_run_name(stage, run)};
  if (!extras.expectation.empty()) order.files["expect.toml"] = extras.expectation;
  if (!stage.work.plan.empty()) order.files[plan_file_of(stage)] = stage.work.plan;
  if (stage.work.check && run == 1) order.steps.push_back(check_step(order.stage, extras));
  if (!stage.work.plan.empty()) order.steps.push_back(measure_step(stage, order.stage, extras));
  return order;
}

}  // namespace assay::campaign

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/bundle/evidence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "harness/core/files/input_file.hpp"
#include "harness/core/files/whole_file.hpp"
#include "harness/core/text/json_from.hpp"
#include "harness/core/text/json_text.hpp"
#include "results/bundle/tar.hpp"
#include "results/record/json/record_rules.hpp"

namespace assay::results {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char *description_name = "bundle.json", *records_name = "records.jsonl",
                     *damage_name = "damage.jsonl", *verdicts_name = "verdicts.json",
                     *text_name = "verdicts.txt";
constexpr const char* schema = "assay-bundle";

std::string description_of(const BundledEvidence& evidence) {
  Json comparisons = Json::array();
  for (const ComparisonRequest& one : evidence.order.comparisons)
    comparisons.push_back({{"a", one.a}, {"b", one.b}, {"margin", one.margin}, {"filter", one.filter}});
  const FleetRules& rules = evidence.order.rules;
  return core::json_text(Json{{"schema", schema},
                              {"version", bundle_version},
                              {"assay_version", evidence.assay_version},
                              {"source_revision", evidence.source_revision},
                              {"accept", evidence.order.accept},
                              {"filter", evidence.order.filter},
                              {"rules",
                               {{"most_suspects", rules.most_suspects},
                                {"margin", rules.margin},
                                {"site_margin", rules.site_margin},
                                {"family_error", rules.family_error},
                                {"pass_error", rules.pass_error}}},
                              {"shares", evidence.order.shares},
                              {"compare", comparisons}},
                         2) +
         "\n";
}

void read_description(const std::string& text, BundledEvidence& evidence) {
  require_unique_keys(text);
  const Json from = core::json_from<Json>(text);
  if (from.at("schema") != schema) throw std::runtime_error("its schema is not " + std::string(schema));
  if (const int version = from.at("version"); version != bundle_version)
    throw std::runtime_error(fmt::format(
        "version {}, and this program reads {}: replay it with the program that made it, assay {}", version,
        bundle_version, from.value("assay_version", "unknown")));
  evidence.assay_version = from.at("assay_version");
  evidence.source_revision = from.at("source_revision");
  evidence.order.accept = from.at("accept");
  evidence.order.filter = from.at("filter");
  const Json& rules = from.at("rules");
  evidence.order.rules = {.most_suspects = rules.at("most_suspects"),
                          .margin = rules.at("margin"),
                          .site_margin = rules.at("site_margin"),
                          .family_error = rules.at("family_error"),
                          .pass_error = rules.at("pass_error")};
  for (const auto& [input, share] : from.at("shares").items()) evidence.order.shares[input] = share;
  for (const Json& one : from.at("compare"))
    evidence.order.comparisons.push_back({one.at("a"), one.at("b"), one.at("margin"), one.at("filter")});
}

std::string lines_of(const std::vector<RunDoubt>& damage) {
  std::string lines;
  for (const RunDoubt& one : damage) {
    Json line{{"run", one.run_id}, {"host", one.host}, {"where", one.where}, {"what", one.what}};
    if (one.kind == DoubtKind::clock) line["kind"] = "clock";
    lines += core::json_text(line) + "\n";
  }
  return lines;
}

std::vector<RunDoubt> damage_in(const std::string& lines) {
  std::vector<RunDoubt> damage;
  std::istringstream stream(lines);
  for (std::string line; std::getline(stream, line);) {
    const Json from = core::json_from<Json>(line);
    const DoubtKind kind = from.value("kind", "") == "clock" ? DoubtKind::clock : DoubtKind::damaged_line;
    damage.push_back({kind, from.at("run"), from.at("host"), from.at("where"), from.at("what")});
  }
  return damage;
}

void refuse_one_name_twice(const std::vector<Member>& members) {
  for (std::size_t i = 0; i < members.size(); ++i)
    for (std::size_t j = i + 1; j < members.size(); ++j)
      if (members[i].name == members[j].name)
        throw std::runtime_error(fmt::format("two files of one name: {}", members[i].name));
}

/// The input of the judge that reads files of that folder; null where none does.
const JudgeInput* input_named(const std::string& folder) {
  for (const Judge& judge : judges())
    for (const JudgeInput& input : judge.inputs)
      if (input.kind != JudgeInput::Kind::share && input.name == folder) return &input;
  return nullptr;
}

/// Puts each member where it belongs.
void take(Member member, BundledEvidence& evidence) {
  if (member.name == description_name) return read_description(member.content.text(), evidence);
  if (member.name == records_name) return void(evidence.records = std::move(member.content));
  if (member.name == damage_name) return void(evidence.damage = damage_in(member.content.text()));
  if (member.name == verdicts_name) return void(evidence.verdicts = std::move(member.content));
  if (member.name == text_name) return void(evidence.text = std::move(member.content));
  const std::string folder = member.name.substr(0, member.name.find('/'));
  if (input_named(folder) == nullptr)
    throw std::runtime_error("it holds " + member.name + ", which this program does not know");
  evidence.files[folder].push_back(std::move(member));
}

/// The last part of a path, of characters that a member's name may have.
std::string plain_name(const std::string& file) {
  std::string name = std::filesystem::path(file).filename().string();
  std::ranges::replace_if(
      name,
      [](char byte) { return !std::isalnum(static_cast<unsigned char>(byte)) && byte != '.' && byte != '-'; },
      '_');
  // ".." could lead elsewhere: a member's name has none.
  for (std::size_t at = 0; (at = name.find("..", at)) != std::string::npos;) name[at + 1] = '_';
  return name.substr(0, 80);
}

}  // namespace

Member member_from(const std::string& folder, const std::string& file) {
  if (const JudgeInput* const input = input_named(folder); input != nullptr && input->tagged) {
    const TaggedName tagged = tagged_name(file);
    if (tagged.tag.empty() || tagged.name.empty())
      throw std::runtime_error(fmt::format("{} {}: expected KIND=FILE", input->flag, file));
    return {folder + "/" + plain_name(tagged.tag) + "=" + plain_name(tagged.name), read_tagged(tagged)};
  }
  return {folder + "/" + plain_name(file), core::read_whole_file(file)};
}

std::string pack(const BundledEvidence& evidence, const core::ByteSink& sink) {
  std::vector<Member> members;
  members.push_back({description_name, description_of(evidence)});
  members.push_back({records_name, evidence.records});
  if (!evidence.damage.empty()) members.push_back({damage_name, lines_of(evidence.damage)});
  for (const auto& [input, files] : evidence.files) std::ranges::copy(files, std::back_inserter(members));
  members.push_back({verdicts_name, evidence.verdicts});
  members.push_back({text_name, evidence.text});
  refuse_one_name_twice(members);
  std::string seal = add_chain(members);
  write_tar(members, sink);
  return seal;
}

Bundle read_bundle(const std::string& file) {
  core::InputFile input(file, "a file that assay bundle wrote");
  return unpack(std::bind_front(&core::InputFile::read, &input), file);
}

Bundle unpack(const core::ByteSource& bytes, const std::string& where) {
  std::vector<Member> members = from_tar(bytes, where);
  // Not within the braces of `bundle`: where it throws, gcc 12 destroys what stands before it twice.
  std::string seal = require_intact(members, where);
  Bundle bundle{{}, std::move(seal)};
  members.resize(members.size() - 2);
  try {
    if (members.front().name != description_name)
      throw std::runtime_error("it does not begin with bundle.json");
    refuse_one_name_twice(members);
    for (Member& member : members) take(std::move(member), bundle.evidence);
  } catch (const std::exception& error) {
    throw std::runtime_error(fmt::format("{}: no bundle that can be read: {}", where, error.what()));
  }
  return bundle;
}

}  // namespace assay::results

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/locate/location_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/core/text/json_text.hpp"

namespace assay::model::fabric::locate {

namespace {

using Json = nlohmann::ordered_json;

constexpr double doubtful = 0.05;       // probability of another element that asks for more pairs
constexpr std::size_t most_shown = 16;  // names in a line

ElementId first_of(const LocationReport& report, const Alternative& one) {
  return report.incidence->members(one.of_class).front();
}

std::string name_of(const LocationReport& report, const Alternative& one) {
  return report.elements->name(first_of(report, one));
}

std::string_view kind_of(const LocationReport& report, const Alternative& one) {
  return to_string(report.elements->kind(first_of(report, one)));
}

std::string names_of(const LocationReport& report, std::span<const ElementId> elements) {
  std::string names;
  for (std::size_t at = 0; at < std::min(elements.size(), most_shown); ++at)
    names += (at == 0 ? "" : ", ") + report.elements->name(elements[at]);
  if (elements.size() > most_shown) names += fmt::format(" and {} more", elements.size() - most_shown);
  return names;
}

std::string lead(const LocationReport& report) {
  const std::vector<Suspect>& suspects = report.location.suspects;
  if (suspects.empty())
    return fmt::format(
        "no element is shown to be slow: noise alone explains {} measurements as well as the best element "
        "does, with probability {:.2g}\n",
        report.measurements, report.location.chance.probability(report.location.next_gain));
  std::string names;
  for (const Suspect& one : suspects) {
    const std::size_t alike = report.incidence->members(one.named.of_class).size() - 1;
    names += fmt::format(
        "{}{}{} keeps {:.3g} of its rate", names.empty() ? "" : "; ", name_of(report, one.named),
        alike == 0 ? "" : fmt::format(", or one of {} not distinguished from it,", alike), one.named.factor);
  }
  return names + "\n";
}

void add_suspect(std::string& text, const LocationReport& report, std::size_t at) {
  const Suspect& one = report.location.suspects[at];
  text += fmt::format(
      "\n{}. {} {}: factor {:.3f} (95 %: {:.3f} to {:.3f}), probability {:.3f}, by chance {:.1g}; "
      "{} measurements cross it\n",
      at + 1, kind_of(report, one.named), name_of(report, one.named), one.named.factor, one.factor_low,
      one.factor_high, one.named.probability, one.chance, crossing(report, one.named));
  if (const std::string others = not_distinguished(report, one.named, first_of(report, one.named));
      !others.empty())
    text += "   these measurements cannot distinguish it from " + others + "\n";
  for (std::size_t other = 0; other < std::min(one.others.size(), most_shown); ++other)
    text += "   or " + text_of(report, one.others[other]) + "\n";
  for (const NextPair& pair : report.next[at]) text += "   measure next: " + text_of(report, pair) + "\n";
}

Json json_of(const LocationReport& report, const Alternative& one) {
  Json members = Json::array();
  for (const ElementId member : report.incidence->members(one.of_class))
    members.push_back(report.elements->name(member));
  return {{"element", name_of(report, one)},
          {"kind", kind_of(report, one)},
          {"factor", one.factor},
          {"probability", one.probability},
          {"measurements", crossing(report, one)},
          {"not_distinguished", members}};
}

Json json_of(const LocationReport& report, const NextPair& pair) {
  Json json = {{"from", report.elements->name_of_node(pair.source)},
               {"to", report.elements->name_of_node(pair.destination)}};
  if (pair.ports) {
    json["source_port"] = pair.ports->source_port;
    json["destination_qpn"] = pair.ports->destination_qpn;
  }
  json["bits"] = pair.bits;
  return json;
}

Json json_of(const LocationReport& report, std::size_t at) {
  const Suspect& one = report.location.suspects[at];
  Json json = json_of(report, one.named);
  json["factor_low"] = one.factor_low;
  json["factor_high"] = one.factor_high;
  json["chance"] = one.chance;
  json["gain"] = one.gain;
  json["others"] = Json::array();
  for (const Alternative& other : one.others) json["others"].push_back(json_of(report, other));
  json["next_pairs"] = Json::array();
  for (const NextPair& pair : report.next[at]) json["next_pairs"].push_back(json_of(report, pair));
  return json;
}

}  // namespace

std::size_t crossing(const LocationReport& report, const Alternative& one) {
  return report.incidence->rows_of(one.of_class).size();
}

std::string not_distinguished(const LocationReport& report, const Alternative& one, ElementId named) {
  std::vector<ElementId> others = report.incidence->members(one.of_class);
  std::erase(others, named);
  return names_of(report, others);
}

std::string text_of(const LocationReport& report, const Alternative& one) {
  return fmt::format("{} {}: factor {:.3f}, probability {:.3f}", kind_of(report, one), name_of(report, one),
                     one.factor, one.probability);
}

std::string text_of(const LocationReport& report, const NextPair& pair) {
  std::string text = fmt::format("{} to {}", report.elements->name_of_node(pair.source),
                                 report.elements->name_of_node(pair.destination));
  if (pair.ports)
    text += fmt::format(", UDP source port {}, destination QP {}", pair.ports->source_port,
                        pair.ports->destination_qpn);
  return text + fmt::format(": {:.2f} bits", pair.bits);
}

LocationReport locate_and_report(const Router& router, const Elements& elements, const Incidence& incidence,
                                 std::span<const Measurement> measurements, const LocateSettings& settings,
                                 const NextPairSettings& next) {
  LocationReport report{
      .router = &router, .elements = &elements, .incidence = &incidence, .location = {}, .next = {}};
  report.location = locate(incidence, measurements, settings);
  report.measurements = measurements.size();
  for (const Suspect& one : report.location.suspects) {
    const bool sure =
        incidence.members(one.named.of_class).size() == 1 && one.named.probability > 1 - doubtful;
    report.next.push_back(sure ? std::vector<NextPair>()
                               : next_pairs(router, elements, incidence, one, report.location.noise, next));
  }
  return report;
}

std::string to_text(const LocationReport& report) {
  std::string text = lead(report);
  for (std::size_t at = 0; at < report.location.suspects.size(); ++at) add_suspect(text, report, at);
  const Location& location = report.location;
  text += fmt::format(
      "\n{} measurements ({}), each {}; level {:.3f} of what the fabric should do; noise {:.2f} %, Student's "
      "t with {:.0f} degrees of freedom\n",
      report.measurements, report.origin,
      report.concurrency == Concurrency::alone ? "alone" : "with the others of its round", location.level,
      100 * location.noise.scale, location.noise.degrees);
  if (report.rule == QueuePairRule::average)
    text +=
        "a flow's rate is taken as the average over its queue pairs, which explains more than the slowest\n";
  if (!report.ports_left_out.empty())
    text += fmt::format("ports are recorded and left out: {}\n", report.ports_left_out);
  for (const std::string& one : report.assumed) text += one + "\n";
  if (report.addresses_assumed)
    text += "addresses of hosts are assumed, from 10.0.0.0 on: host.addresses of the fabric states them\n";
  if (report.known_paths < report.flows)
    text += fmt::format("{} of {} flows have no known path: equal-cost links are not distinguished by them\n",
                        report.flows - report.known_paths, report.flows);
  const std::vector<LinkId>& unseen = report.incidence->unseen();
  if (!unseen.empty())
    text += fmt::format("{} of {} links are crossed by no measurement, and nothing is known of them: {}\n",
                        unseen.size(), report.elements->topology().links(), names_of(report, unseen));
  return text;
}

std::string to_json(const LocationReport& report) {
  const Location& location = report.location;
  Json json = {{"origin", report.origin},
               {"measurements", report.measurements},
               {"flows", report.flows},
               {"known_paths", report.known_paths},
               {"concurrency", report.concurrency == Concurrency::alone ? "alone" : "together"},
               {"queue_pair_rule", report.rule == QueuePairRule::slowest ? "slowest" : "average"},
               {"ports_left_out", !report.ports_left_out.empty()},
               {"addresses_assumed", report.addresses_assumed},
               {"assumed", report.assumed},
               {"level", location.level},
               {"noise", {{"scale", location.noise.scale}, {"degrees", location.noise.degrees}}},
               {"threshold", location.threshold},
               {"next_gain", location.next_gain}};
  json["suspects"] = Json::array();
  for (std::size_t at = 0; at < location.suspects.size(); ++at)
    json["suspects"].push_back(json_of(report, at));
  json["unseen"] = Json::array();
  for (const LinkId link : report.incidence->unseen()) json["unseen"].push_back(report.elements->name(link));
  return core::json_text(json, 2) + "\n";
}

}  // namespace assay::model::fabric::locate

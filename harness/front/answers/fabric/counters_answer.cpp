// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/answers/fabric/counters_answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>

#include "harness/core/error.hpp"
#include "harness/core/files/whole_file.hpp"
#include "harness/core/text/json_from.hpp"
#include "harness/core/text/json_text.hpp"
#include "harness/front/answers/fabric/located_pairs.hpp"
#include "harness/front/answers/verdict_word.hpp"
#include "model/fabric/counters/cable_errors.hpp"
#include "model/fabric/locate/paths/elements.hpp"

namespace assay::answers {
namespace {

namespace counters = model::fabric::counters;
namespace fabric = model::fabric;

using CountersJson = nlohmann::ordered_json;
using counters::CableErrors;
using counters::CableState;

constexpr std::size_t most_cables_shown = 20, most_waiting_shown = 5;

/// All words of the JSON of assay fabric locate: names of links, switches and hosts among them.
void collect_words(const CountersJson& json, std::set<std::string>& words) {
  if (json.is_string()) words.insert(json.get<std::string>());
  if (json.is_structured())
    for (const CountersJson& one : json) collect_words(one, words);
}

class CountersReport {
 public:
  explicit CountersReport(const CountersQuestion& question) : question_(question), site_(read_site()) {
    const counters::GuidsOfLids lids =
        counters::guids_of_lids(fabric::site::read_ib_list(core::read_whole_file(list_file()), list_file()));
    const auto before = counters::read_port_counters(question.before, lids);
    const auto after = counters::read_port_counters(question.after, lids);
    notes_ = before.notes;
    notes_.insert(notes_.end(), after.notes.begin(), after.notes.end());
    if (before.bad_ports_alone || after.bad_ports_alone)
      notes_.emplace_back(
          "ibqueryerrors lists ports above its thresholds alone: of the others, nothing is known");
    errors_ = counters::cable_errors(
        site_, before, after, {.seconds = question.seconds, .bit_error_rate = question.bit_error_rate});
    for (const CableErrors& one : errors_) ++counts_[static_cast<std::size_t>(one.state)];
    if (!question.located.empty()) read_located();
  }

  CountersAnswer answer() const { return {text(), core::json_text(json(), 2) + "\n", holds()}; }

 private:
  std::string list_file() const { return results::tagged_name(question_.topology).name; }
  fabric::site::SiteFabric read_site() const {
    if (results::tagged_name(question_.topology).tag != "ibnetdiscover")
      core::usage_error(fmt::format("--topology {}: expected ibnetdiscover=FILE: other lists have no GUIDs",
                                    question_.topology));
    fabric::FabricFile rules;
    rules.link.gbit_per_s = question_.gbit_per_s;
    return site_of(rules, results::EvidenceFile{question_.topology}, question_.ports);
  }
  void read_located() {
    const auto json = core::json_or_discarded<CountersJson>(core::read_whole_file(question_.located));
    if (json.is_discarded())
      core::usage_error(fmt::format("{}: expected the JSON of assay fabric locate", question_.located));
    if (json.is_object() && json.contains("suspects")) collect_words(json.at("suspects"), located_);
    if (located_.empty()) notes_.push_back(fmt::format("{}: names no suspect", question_.located));
  }
  std::size_t count(CableState state) const { return counts_[static_cast<std::size_t>(state)]; }

  std::string name_of(const CableErrors& one) const { return site_.topology.name_of_link(one.cable); }
  /// Whether locate's suspects name the cable or one of its links, by names of the site or of the topology.
  bool is_located(const CableErrors& one) const {
    const auto names = [&](const fabric::locate::Elements& elements) {
      const fabric::LinkId back = site_.topology.reverse(one.cable);
      return located_.contains(elements.name(elements.of_cable(one.cable))) ||
             located_.contains(elements.name(one.cable)) || located_.contains(elements.name(back));
    };
    return !located_.empty() && (names(by_site_) || names(by_topology_));
  }
  std::string ends_text(const CableErrors& one) const {
    const auto& ports = site_.cable_ports[one.cable];
    return fmt::format("{} port {} to {} port {}", site_.names[site_.topology.from(one.cable)], ports.lower,
                       site_.names[site_.topology.to(one.cable)], ports.upper);
  }

  std::optional<bool> holds() const {
    if (count(CableState::faulty) > 0) return false;
    return count(CableState::sound) == errors_.size() ? std::optional(true) : std::nullopt;
  }
  std::string lead() const {
    return fmt::format(
        "{}: of {} cables, {} faulty, {} sound, {} undecided, {} unknown; limit: {:g} symbol errors "
        "a bit, over {:g} s (95 %)\n",
        verdict_word(holds()), errors_.size(), count(CableState::faulty), count(CableState::sound),
        count(CableState::undecided), count(CableState::unknown), question_.bit_error_rate,
        question_.seconds);
  }

  std::string text() const {
    std::string text = lead();
    std::size_t shown = 0;
    for (const CableErrors& one : errors_) {
      if (one.state == CableState::sound || shown++ >= most_cables_shown) break;
      const double hours = question_.seconds / 3600;
      text += fmt::format(
          "{}{}: {}; {} symbol errors ({:.3g} an hour; {:.2g} to {:.2g} a bit), down {}, recovered {}, "
          "other errors {}{}{}\n",
          shown == 1 ? "\n" : "", core::word_of(one.state), ends_text(one), one.symbol_errors,
          static_cast<double>(one.symbol_errors) / hours, one.lower, one.upper, one.link_downs,
          one.recoveries, one.other_errors, one.reason.empty() ? "" : "; " + one.reason,
          is_located(one) ? "; assay fabric locate names it, too" : "");
    }
    text += waiting_text();
    for (const std::string& note : notes_) text += note + "\n";
    return text;
  }

  std::vector<CableErrors> waiting() const {
    std::vector<CableErrors> all;
    for (const CableErrors& one : errors_)
      if (one.wait_per_s > 0 || one.discards > 0) all.push_back(one);
    std::ranges::stable_sort(all, std::greater<>(), &CableErrors::wait_per_s);
    return all;
  }
  std::string waiting_text() const {
    const std::vector<CableErrors> all = waiting();
    if (all.empty()) return "";
    std::string text = "\ncongestion, no fault of these cables (PortXmitWait in the switch's ticks):\n";
    for (std::size_t at = 0; at < std::min(most_waiting_shown, all.size()); ++at)
      text += fmt::format("  {}: waited {:.4g} ticks/s, {} packets discarded\n", ends_text(all[at]),
                          all[at].wait_per_s, all[at].discards);
    return text;
  }

  CountersJson json() const {
    CountersJson json = {{"verdict", verdict_word(holds())},
                         {"seconds", question_.seconds},
                         {"bit_error_rate_limit", question_.bit_error_rate},
                         {"cables", CountersJson::array()}};
    for (const CableErrors& one : errors_)
      json["cables"].push_back({{"cable", name_of(one)},
                                {"ends", ends_text(one)},
                                {"state", core::word_of(one.state)},
                                {"symbol_errors", one.symbol_errors},
                                {"bits", one.bits},
                                {"symbol_errors_a_bit", {{"lower", one.lower}, {"upper", one.upper}}},
                                {"link_downs", one.link_downs},
                                {"recoveries", one.recoveries},
                                {"other_errors", one.other_errors},
                                {"discards", one.discards},
                                {"wait_ticks_per_s", one.wait_per_s},
                                {"reason", one.reason},
                                {"located", is_located(one)}});
    json["notes"] = notes_;
    return json;
  }

  const CountersQuestion& question_;
  fabric::site::SiteFabric site_;
  fabric::locate::Elements by_site_{site_.topology, 1, site_.names}, by_topology_{site_.topology, 1};
  std::vector<CableErrors> errors_;
  std::array<std::size_t, 4> counts_{};
  std::set<std::string> located_;
  std::vector<std::string> notes_;
};

}  // namespace

CountersAnswer judge_counters(const CountersQuestion& question) { return CountersReport(question).answer(); }

}  // namespace assay::answers

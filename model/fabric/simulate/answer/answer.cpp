// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/simulate/answer/answer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <set>

#include "harness/core/error.hpp"
#include "harness/core/statistics/statistics.hpp"
#include "harness/core/units.hpp"
#include "model/fabric/routing/route_rule.hpp"
#include "model/fabric/sharing/timeline_parts.hpp"
#include "model/fabric/simulate/answer/answer_tables.hpp"
#include "model/fabric/simulate/answer/shape_findings.hpp"
#include "model/fabric/simulate/jobs.hpp"
#include "model/fabric/simulate/steps/bursts.hpp"

namespace assay::model::fabric {

namespace {

constexpr std::size_t most_named = 16;

double low_of(const std::vector<double>& of_seeds) { return core::quantile_of(of_seeds, 0.05); }
double high_of(const std::vector<double>& of_seeds) { return core::quantile_of(of_seeds, 0.95); }

std::string what_of(const Scenario& scenario, const Simulation& simulation) {
  std::vector<const Operation*> traffic;
  for (const OperationTimes& one : simulation.operations)
    if (one.operation->kind != OperationKind::compute) traffic.push_back(one.operation);
  if (simulation.operations.size() == 1) return traffic.empty() ? "compute" : traffic.front()->text();
  return fmt::format("{}, {} operations", scenario.workload().name, simulation.operations.size());
}

constexpr double noticeable = 1.005;  // over the others

/// "host118 at leaf7", where it is slower than the quickest of those that take part.
std::string slowest_host(const Scenario& scenario, const Simulation& simulation) {
  const Topology& topology = scenario.model().topology();
  double quickest_us = std::numeric_limits<double>::infinity();
  NodeId worst = 0;
  for (NodeId host = 0; host < simulation.hosts.size(); ++host) {
    const double time_us = simulation.hosts[host].time_us;
    if (time_us > 0) quickest_us = std::min(quickest_us, time_us);
    if (time_us > simulation.hosts[worst].time_us) worst = host;
  }
  if (simulation.hosts.empty() || !(simulation.hosts[worst].time_us > noticeable * quickest_us)) return "";
  return fmt::format("{} at {} is the slowest", topology.name_of(worst),
                     topology.name_of(topology.leaf_of(worst)));
}

/// "leaf9>host150, at 25 % of the rate of its tier, needs the longest".
std::string degraded_text(const FabricModel& model, LinkId busiest, const std::vector<TierLoad>& tiers) {
  const auto has_it = [&](const TierLoad& tier) {
    return std::ranges::find(tier.links, busiest) != tier.links.end();
  };
  const std::vector<LinkId>& tier = std::ranges::find_if(tiers, has_it)->links;
  const auto capacity = [&](LinkId link) { return model.capacity(link); };
  const double share = capacity(busiest) / capacity(std::ranges::max(tier, {}, capacity));
  if (share * noticeable >= 1) return "";
  return fmt::format("{}, at {:.0f} % of the rate of its tier, needs the longest",
                     model.name_of_link(busiest), 100 * share);
}

/// "; host118 at leaf7 is the slowest, leaf131>spine4 carries 2.6 times the mean of its tier".
std::string slowest_text(const Scenario& scenario, const Simulation& simulation) {
  const FabricModel& model = scenario.model();
  const std::vector<TierLoad> tiers = tier_loads(model, simulation.bytes_of_links);
  const std::vector<BusyLink> busiest = busiest_links(model, simulation.bytes_of_links, tiers, 1);
  std::vector<std::string> parts;
  if (!busiest.empty()) parts.push_back(degraded_text(model, busiest.front().link, tiers));
  parts.push_back(slowest_host(scenario, simulation));
  if (!busiest.empty() && busiest.front().over_mean > noticeable)
    parts.push_back(fmt::format("{} carries {:.2f} times the mean of its tier",
                                model.name_of_link(busiest.front().link), busiest.front().over_mean));
  std::erase(parts, "");
  return parts.empty() ? "" : fmt::format("; {}", fmt::join(parts, ", "));
}

std::string links_allow_text(const Simulation& simulation) {
  if (simulation.even_us <= 0) return "";
  return fmt::format(", {:.0f} % of what the links allow",
                     100 * simulation.even_us / core::quantile_of(simulation.time_us, 0.5));
}

/// "; 'training' takes 1.3 times as long as alone": the job that loses most, where one does.
std::string sharing_text(const Scenario& scenario, const Simulation& simulation) {
  if (simulation.jobs.size() < 2) return "";
  std::vector<double> slowdowns;
  for (const JobTimes& one : simulation.jobs) slowdowns.push_back(core::quantile_of(slowdown_of(one), 0.5));
  const auto worst = std::ranges::max_element(slowdowns);
  const std::string& name =
      scenario.workload().jobs[static_cast<std::size_t>(worst - slowdowns.begin())].name;
  if (*worst < noticeable) return "; no job loses by the others";
  return fmt::format("; '{}' takes {:.2f} times as long as alone", name, *worst);
}

/// Notes how often occupancy sharing ended before rates settled; the figures are of a random permutation of
/// 24,576 GPUs over four queue pairs, against 40 rounds.
void append_settling(const Settling& settling, std::vector<std::string>& notes) {
  if (settling.unsettled > 0)
    notes.push_back(
        fmt::format("Occupancy sharing: in {} of {} solutions, what links are allowed had not settled after "
                    "{} rounds. More rounds have moved the last end by up to 14 %, the mean end by 3 %.",
                    settling.unsettled, settling.solutions, Occupancy::most_rounds));
}

/// The figure is of an all-to-all of 24,576 GPUs over four queue pairs.
void append_drawn(const Simulation& simulation, std::vector<std::string>& notes) {
  const auto is_drawn = [](const OperationTimes& one) {
    return std::ranges::any_of(one.steps, &StepTimes::drawn);
  };
  if (std::ranges::any_of(simulation.operations, is_drawn))
    notes.push_back(fmt::format(
        "Of more than {} million flows at once, how many take each link is drawn, not hashed one by "
        "one: loads over hash seeds have the same distribution, those of one seed differ. On 24,576 "
        "GPUs the time of seed 1 differed by 0.004 %.",
        most_hashed_flows / 1'000'000));
}

/// The figures are of a random permutation of 24,576 GPUs over four queue pairs, against batches of 2 %.
void append_batches(const Simulation& simulation, std::vector<std::string>& notes) {
  const auto has_many = [](const OperationTimes& one) {
    return std::ranges::any_of(one.steps, [](const StepTimes& step) {
      return step.flows > many_flows && step.rule != SharingRuleKind::bound;
    });
  };
  if (std::ranges::any_of(simulation.operations, has_many))
    notes.push_back(fmt::format(
        "Where links join more than {} flows, rates change once for all that end within {:.0f} % of their "
        "time. Against {:.0f} % that has moved the last end by 2.3 %, the mean end by 0.5 %.",
        many_flows, 100 * batch_of_many, 100 * default_batch));
}

/// Every line says that its times are not only simulated.
void say_scaled(const std::string& to, Answer& answer) {
  const std::string opening = fmt::format("Scaled to {}: ", to);
  answer.sentence = opening + answer.sentence;
  for (std::string& note : answer.notes) note = opening + note;
  for (results::Table& table : answer.tables) table.title = opening + table.title;
}

}  // namespace

results::Number number_of(const std::vector<double>& of_seeds, double scale) {
  const double median = scale * core::quantile_of(of_seeds, 0.5);
  if (std::ranges::min(of_seeds) == std::ranges::max(of_seeds)) return {median};
  return {median, scale * low_of(of_seeds), scale * high_of(of_seeds)};
}

std::string time_text(const std::vector<double>& time_us) {
  const std::string median = core::format_seconds(1e-6 * core::quantile_of(time_us, 0.5));
  if (time_us.size() < 2) return median + " (1 hash seed)";
  if (std::ranges::min(time_us) == std::ranges::max(time_us))
    return fmt::format("{} (with each of {} hash seeds)", median, time_us.size());
  return fmt::format("{} ({} to {} over {} hash seeds)", median, core::format_seconds(1e-6 * low_of(time_us)),
                     core::format_seconds(1e-6 * high_of(time_us)), time_us.size());
}

std::vector<std::string> origin_notes(const FabricFile& fabric) {
  std::vector<std::string> notes;
  for (const MeasuredPorts& ports : fabric.measured)
    if (!ports.source.empty()) notes.push_back(fmt::format("{}.", ports.source));
  if (!fabric.assumed.empty())
    notes.push_back(fmt::format("Assumed, not measured: {}.", fmt::join(fabric.assumed, "; ")));
  return notes;
}

std::vector<std::string> notes_of(const FabricFile& fabric, const std::vector<SharingRuleKind>& rules,
                                  std::uint32_t seeds) {
  std::vector<std::string> notes;
  const bool sprays = fabric.routing.kind == RoutingKind::adaptive;
  for (const SharingRuleKind rule : rules)
    notes.push_back(fmt::format("Simulated by flows under {} sharing. Known error: {}.", rule_words.of(rule),
                                known_error(rule, sprays)));
  if (seeds > 1) notes.push_back(fmt::format("Median and 5 to 95 % of hash seeds 1 to {}.", seeds));
  for (std::string& note : origin_notes(fabric)) notes.push_back(std::move(note));
  if (fabric.rate_control)
    notes.emplace_back(
        "DCQCN is fair sharing, and on the link that needs the longest what its flows lose after they start "
        "at line rate; where streams overlap, without that loss.");
  return notes;
}

/// Notes what each step or message waits for.
void append_waits(const Scenario& scenario, const Simulation& simulation, std::vector<std::string>& notes) {
  notes.emplace_back(simulation.overlaps
                         ? "Where streams overlap, each message waits for those of its rank before it; "
                           "elsewhere each step begins when the one before it has ended on every rank."
                         : "Each step begins when the one before it has ended on every rank.");
  if (simulation.alike_as_one)
    notes.push_back(fmt::format(
        "Streams that overlap have more than {} messages: equal steps between the same two ranks are "
        "simulated as one, with all of their bytes and latencies.",
        most_graph_flows));
  if (simulation.overlaps && scenario.model().file().server.message_gap_us > 0)
    notes.emplace_back("Where streams overlap, the gap between messages is not simulated.");
}

namespace {

/// Ranks in several parts of a fabric that has not failed.
void refuse_parts(const Scenario& scenario, const std::set<NodeId>& ranks) {
  const FabricModel& model = scenario.model();
  std::vector<std::vector<NodeId>> parts = parts_of_hosts(model.topology());
  for (std::vector<NodeId>& part : parts)
    std::erase_if(part, [&](NodeId host) { return !ranks.contains(host); });
  std::erase_if(parts, [](const std::vector<NodeId>& part) { return part.empty(); });
  if (parts.size() > 1)
    core::usage_error(fmt::format("{}: links: no cable joins {}: expected one between all that have ranks",
                                  model.file().file, parts_text(model.topology(), parts)));
}

}  // namespace

std::optional<Answer> cut_off_answer(const Scenario& scenario) {
  const FabricModel& model = scenario.model();
  if (model.file().failed.empty()) {
    refuse_parts(scenario, {scenario.host_of_rank().begin(), scenario.host_of_rank().end()});
    return std::nullopt;
  }
  const Router router(model.topology(), {});
  const std::vector<NodeId> cut = router.next_hops().cut_off(model.topology());
  const std::set<NodeId> ranks(scenario.host_of_rank().begin(), scenario.host_of_rank().end());
  std::vector<std::string> names;
  for (const NodeId host : cut)
    if (ranks.contains(host)) names.push_back(model.topology().name_of(host));
  if (names.empty()) return std::nullopt;
  const std::size_t count = names.size();
  if (count > most_named) names.resize(most_named);
  const std::string named = fmt::format("{}{}", fmt::join(names, ", "), count > most_named ? ", ..." : "");
  Answer answer{.sentence = fmt::format("{} of {} ranks are cut off from others by failures: {}", count,
                                        ranks.size(), named),
                .holds = false};
  answer.json = finding_json(answer.sentence, names);
  return answer;
}

Answer simulation_answer(const Scenario& scenario, const Simulation& simulation,
                         const SimulationOptions& options,
                         const std::optional<std::vector<Change>>& changes) {
  Answer answer{
      .sentence = fmt::format("{}: {}{}{}{}", what_of(scenario, simulation), time_text(simulation.time_us),
                              links_allow_text(simulation), sharing_text(scenario, simulation),
                              slowest_text(scenario, simulation)),
      .notes = notes_of(scenario.model().file(), simulation.rules, options.seeds)};
  append_settling(simulation.settling, answer.notes);
  append_drawn(simulation, answer.notes);
  append_batches(simulation, answer.notes);
  if (simulation.goodput_ends)
    answer.notes.push_back(fmt::format("With the goodput at the ends of its interval: {} to {}.",
                                       core::format_seconds(1e-6 * simulation.goodput_ends->fastest_us),
                                       core::format_seconds(1e-6 * simulation.goodput_ends->slowest_us)));
  append_waits(scenario, simulation, answer.notes);
  if (changes && simulation.scaled_to.empty() && hosts_decide(simulation))
    answer.notes.emplace_back(
        "No change of the network would help: the links of hosts alone need as long, within 0.1 %.");
  if (!changes)
    answer.notes.emplace_back(
        "What would help most is not simulated for this many flows, nor where streams "
        "overlap; assay fabric compare does it for what is named.");
  answer.tables.push_back(operation_table(simulation));
  if (simulation.jobs.size() > 1) answer.tables.push_back(job_table(scenario, simulation));
  if (results::Table steps = step_table(simulation); !steps.rows.empty())
    answer.tables.push_back(std::move(steps));
  if (results::Table paused = pause_table(scenario, simulation); !paused.rows.empty())
    answer.tables.push_back(std::move(paused));
  const std::vector<OperationBursts> bursts = bursts_of(scenario, simulation);
  if (!bursts.empty()) answer.tables.push_back(burst_table(bursts));
  if (results::Table congested = congestion_table(scenario, simulation); !congested.rows.empty())
    answer.tables.push_back(std::move(congested));
  append_load_tables(scenario, simulation, answer.tables);
  if (!simulation.hosts.empty()) answer.tables.push_back(rank_table(scenario, simulation));
  if (changes && !changes->empty()) answer.tables.push_back(change_table(*changes));
  if (!simulation.scaled_to.empty()) say_scaled(simulation.scaled_to, answer);
  answer.json = simulation_json(scenario, simulation, bursts, answer, changes);
  return answer;
}

}  // namespace assay::model::fabric

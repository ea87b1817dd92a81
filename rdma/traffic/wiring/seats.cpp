// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/traffic/wiring/seats.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "harness/core/error.hpp"
#include "harness/core/text/json_from.hpp"
#include "harness/core/text/json_text.hpp"
#include "harness/machine/topology/rails.hpp"
#include "harness/team/agree.hpp"
#include "rdma/traffic/bound_cpu.hpp"

namespace assay::rdma {
namespace {

using Json = nlohmann::json;

std::string variable(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? "" : text;
}

std::vector<std::string> words_of(const std::string& list) {
  std::vector<std::string> words;
  std::istringstream text(list);
  for (std::string word; std::getline(text, word, ',');)
    if (!word.empty()) words.push_back(word);
  return words;
}

std::optional<int> number_in(const std::string& text) {
  int number = 0;
  const char* end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, number);
  return error == std::errc{} && last == end && number >= 0 ? std::optional(number) : std::nullopt;
}

/// The NUMA node of the CPUs that this process may use; -1 where they are of several nodes.
int numa_node_of(const machine::Machine& machine) {
  std::set<int> nodes;
  for (const machine::NumaNode& node : machine.numa)
    if (!node.cpus.empty()) nodes.insert(node.id);
  return nodes.size() == 1 ? *nodes.begin() : -1;
}

/// A rank as all others hear of it.
struct Presence {
  std::string host;
  long process = 0;
  machine::LocalRank place;
};

std::vector<Presence> meet(team::Team& team, const machine::Machine& machine) {
  const auto answers = team::agree(team, [&] {
    return core::json_text(Json{{"host", team.host_of(team.rank()) + " " + this_machine()},
                                {"process", static_cast<long>(getpid())},
                                {"numa_node", numa_node_of(machine)}});
  });
  std::vector<Presence> ranks;
  for (const std::string& answer : answers) {
    const Json json = core::json_from<Json>(answer);
    ranks.push_back({json.at("host"), json.at("process"), {.numa_node = json.at("numa_node")}});
  }
  return ranks;
}

bool shares_process(const std::vector<Presence>& ranks, std::size_t rank) {
  return std::ranges::count_if(ranks, [&](const Presence& other) {
           return other.host == ranks[rank].host && other.process == ranks[rank].process;
         }) > 1;
}

/// The machine's ranks as this one counts them: those of its own process are on other nodes.
struct Neighbours {
  std::vector<machine::LocalRank> ranks;
  std::size_t own = 0;
};

Neighbours neighbours_of(const std::vector<Presence>& ranks, std::size_t own) {
  if (shares_process(ranks, own)) return {{ranks[own].place}, 0};
  Neighbours found;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    if (ranks[rank].host != ranks[own].host) continue;
    if (rank == own) found.own = found.ranks.size();
    found.ranks.push_back(ranks[rank].place);
  }
  return found;
}

/// Each rank's GPU is the one of its own number, or the one that all were asked for. Returns this rank's, as
/// CUDA counts it.
int give_gpus(Neighbours& neighbours, const machine::Machine& machine, int asked) {
  const bool is_automatic = asked == automatic_gpu;
  for (std::size_t local = 0; local < neighbours.ranks.size(); ++local)
    neighbours.ranks[local].gpu = is_automatic ? static_cast<int>(local) : asked;
  const VisibleGpu own = visible_gpu(is_automatic ? static_cast<int>(neighbours.own) : asked,
                                     variable("CUDA_VISIBLE_DEVICES"), machine);
  neighbours.ranks[neighbours.own].gpu = own.index;
  return is_automatic ? own.cuda : asked;
}

std::vector<const machine::Hca*> rails_of_node(const machine::Machine& machine) try {
  return machine::rails_of(machine, words_of(variable("ASSAY_RDMA_RAILS")));
} catch (const core::Error& error) {
  core::usage_error(fmt::format("ASSAY_RDMA_RAILS: {}", error.what()));
}

std::string rail_named(const std::string& asked, std::span<const machine::Hca* const> rails) {
  if (rails.empty()) core::usage_error(fmt::format("device={}: this node has no RDMA device", asked));
  const auto number = number_in(asked.substr(rail_prefix.size()));
  if (!number || static_cast<std::size_t>(*number) >= rails.size())
    core::usage_error(
        fmt::format("device={}: expected a rail of this node, rail:0 to rail:{}", asked, rails.size() - 1));
  return machine::port_name(*rails[static_cast<std::size_t>(*number)]);
}

int rail_of(const std::string& device, std::span<const machine::Hca* const> rails) {
  const std::string port = device.find(':') == std::string::npos ? device + ":1" : device;
  for (std::size_t rail = 0; rail < rails.size(); ++rail)
    if (machine::port_name(*rails[rail]) == port) return static_cast<int>(rail);
  return -1;
}

Settings settle(const machine::Machine& machine, const Settings& asked, Neighbours neighbours) {
  const auto rails = rails_of_node(machine);
  Settings own = asked;
  own.placement.gpu = give_gpus(neighbours, machine, asked.placement.gpu);
  own.adapter.reason = "named";
  if (const std::string named = variable("ASSAY_RDMA_DEVICE"); asked.device == "auto" && !named.empty()) {
    own.device = named;
    own.adapter.reason = "named by ASSAY_RDMA_DEVICE";
  } else if (asked.device.starts_with(rail_prefix)) {
    own.device = rail_named(asked.device, rails);
  } else if (asked.device == "auto") {
    own.adapter.reason = "the first active port";
    if (const auto choice = machine::choose_adapter(machine, rails, neighbours.ranks, neighbours.own)) {
      own.device = choice->device;
      own.adapter.reason = choice->reason;
    }
  }
  own.adapter.rail = rail_of(own.device, rails);
  return own;
}

}  // namespace

VisibleGpu visible_gpu(int local, const std::string& visible, const machine::Machine& machine) {
  const std::vector<std::string> words = words_of(visible);
  if (words.empty()) return {local, local};
  const int ordinal = local % static_cast<int>(words.size());
  const std::string& word = words[static_cast<std::size_t>(ordinal)];
  if (const auto number = number_in(word)) return {ordinal, *number};
  for (const machine::Gpu& gpu : machine.gpus)
    if (gpu.uuid == word) return {ordinal, gpu.index};
  return {ordinal, local};
}

Seats take_seats(team::Team& team, const machine::Machine& machine, const Settings& asked) {
  const std::vector<Presence> ranks = meet(team, machine);
  Seats seats;
  const auto answers = team::agree(team, [&] {
    seats.own = settle(machine, asked, neighbours_of(ranks, static_cast<std::size_t>(team.rank())));
    return core::json_text(Json{{"device", seats.own.device}, {"rail", seats.own.adapter.rail}});
  });
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    const Json json = core::json_from<Json>(answers[rank]);
    const std::string across = shares_process(ranks, rank) ? fmt::format(" rank {}", rank) : "";
    seats.ranks.push_back({ranks[rank].host + across, json.at("device"), json.at("rail")});
  }
  return seats;
}

Settings seated_alone(const machine::Machine& machine, const Settings& asked) {
  return settle(machine, asked, {{{.numa_node = numa_node_of(machine)}}, 0});
}

}  // namespace assay::rdma

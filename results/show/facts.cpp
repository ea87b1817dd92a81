// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/show/facts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/core/in_order.hpp"
#include "harness/core/units.hpp"

namespace assay::results {
namespace {

using Json = nlohmann::ordered_json;

const char* const not_known = "not known";

/// The value at a path of keys, null where there is none; never throws on a document of another shape.
const Json& at(const Json& object, std::initializer_list<const char*> path) {
  static const Json nothing;
  const Json* here = &object;
  for (const char* key : path) {
    if (!here->is_object() || !here->contains(key)) return nothing;
    here = &here->at(key);
  }
  return *here;
}

std::string text(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_integer()) return std::to_string(value.get<std::int64_t>());
  if (value.is_number()) return number_text({value.get<double>()});
  return "";
}

std::string or_unknown(const std::string& value) { return value.empty() ? not_known : value; }

std::int64_t integer(const Json& value) { return value.is_number() ? value.get<std::int64_t>() : 0; }

/// "251.6 GiB": sizes of memory are never round.
std::string gib_text(const Json& bytes) {
  if (!bytes.is_number()) return not_known;
  return fmt::format("{:.1f} GiB", bytes.get<double>() / (1024.0 * 1024 * 1024));
}

std::string joined(const std::vector<std::string>& words, const char* between = ", ") {
  std::string all;
  for (const auto& word : words)
    if (!word.empty()) all.append(all.empty() ? "" : between).append(word);
  return all;
}

std::string count_text(const Json& count, const std::string& noun) {
  if (!count.is_number()) return "";
  return core::counted(integer(count), noun);
}

std::string processor_text(const Json& cpu) {
  return or_unknown(
      joined({text(at(cpu, {"model"})), count_text(at(cpu, {"sockets"}), "socket"),
              count_text(at(cpu, {"cores"}), "core"), count_text(at(cpu, {"threads"}), "thread")}));
}

std::string clock_text(const Json& cpu) {
  const auto mhz = [&](const char* key, const char* what) {
    const Json& value = at(cpu, {key});
    return value.is_number() ? fmt::format("{} {:.0f} MHz", what, value.get<double>()) : std::string();
  };
  const std::string governor = text(at(cpu, {"governor"}));
  return or_unknown(joined({mhz("base_mhz", "base"), mhz("max_mhz", "max"), mhz("current_mhz", "at start"),
                            governor.empty() ? "" : "governor " + governor}));
}

std::string caches_text(const Json& cpu) {
  std::vector<std::string> words;
  const Json& caches = at(cpu, {"caches"});
  for (const Json& cache : caches.is_array() ? caches : Json::array()) {
    if (text(at(cache, {"type"})) == "instruction") continue;
    words.push_back(fmt::format("L{} {} x {}", integer(at(cache, {"level"})),
                                integer(at(cache, {"instances"})),
                                bytes_text(integer(at(cache, {"bytes"})))));
  }
  return or_unknown(joined(words));
}

std::string memory_text(const Json& machine) {
  const Json& numa = at(machine, {"numa"});
  const std::string nodes =
      numa.is_array() ? core::counted(static_cast<std::int64_t>(numa.size()), "NUMA node") : "";
  const std::string pages = text(at(machine, {"memory", "transparent_huge_pages"}));
  return joined({gib_text(at(machine, {"memory", "bytes"})), nodes,
                 pages.empty() ? "" : "transparent huge pages " + pages});
}

std::string gpu_text(const Json& gpu) {
  const auto number = [&](const char* key, const char* unit) {
    const Json& value = at(gpu, {key});
    return value.is_number() ? fmt::format("{:.0f} {}", value.get<double>(), unit) : std::string();
  };
  const Json& pcie = at(gpu, {"pcie"});
  const std::string link =
      at(pcie, {"width"}).is_number()
          ? fmt::format("PCIe {} GT/s x{}", text(at(pcie, {"speed_gt_per_s"})), integer(at(pcie, {"width"})))
          : "";
  return joined({text(at(gpu, {"name"})), gib_text(at(gpu, {"memory_bytes"})), number("sm_count", "SMs"),
                 number("power_limit_w", "W limit"), link});
}

/// Equal devices are listed once, with their count.
void add_devices(Facts& facts, const std::string& name, const Json& devices,
                 std::string (*describe)(const Json&)) {
  core::InOrder<std::string, int> kinds;
  for (const Json& device : devices.is_array() ? devices : Json::array()) ++kinds[describe(device)];
  for (const auto& [description, count] : kinds)
    facts.emplace_back(name, fmt::format("{} x {}", count, description));
}

std::string hca_text(const Json& hca) {
  const auto named = [&](const char* what, const char* key) {
    const std::string value = text(at(hca, {key}));
    return value.empty() ? "" : what + value;
  };
  const bool software = at(hca, {"software"}).is_boolean() && at(hca, {"software"}).get<bool>();
  return joined({text(at(hca, {"part"})), software ? "software device" : "", text(at(hca, {"link_layer"})),
                 // A software device reports a rate that says nothing about its speed.
                 software ? "" : text(at(hca, {"rate"})), text(at(hca, {"state"})),
                 named("MTU ", "mtu_bytes"), named("firmware ", "firmware")});
}

/// Ports that are alike are listed once, with their devices: "2 x ...: mlx5_0, mlx5_1".
void add_hcas(Facts& facts, const Json& hcas) {
  core::InOrder<std::string, std::vector<std::string>> kinds;
  for (const Json& hca : hcas.is_array() ? hcas : Json::array()) {
    const std::string port = text(at(hca, {"port"}));
    kinds[hca_text(hca)].push_back(text(at(hca, {"device"})) +
                                   (port.empty() || port == "1" ? "" : ":" + port));
  }
  for (const auto& [description, names] : kinds)
    facts.emplace_back("HCA", fmt::format("{} x {}: {}", names.size(), description, joined(names)));
}

std::string versions_text(const Json& versions) {
  std::vector<std::string> words;
  if (versions.is_object())
    for (const auto& [component, version] : versions.items())
      words.push_back(component + " " + text(version));
  if (versions.is_array())
    for (const Json& one : versions)
      words.push_back(text(at(one, {"component"})) + " " + text(at(one, {"version"})));
  return or_unknown(joined(words));
}

}  // namespace

Facts machine_facts(const Json& machine) {
  Facts facts;
  const std::string product = text(at(machine, {"product"})),
                    virtualization = text(at(machine, {"virtualization"}));
  facts.emplace_back("host", or_unknown(text(at(machine, {"host"}))));
  if (const std::string fabric = text(at(machine, {"fabric"})); !fabric.empty()) {
    facts.emplace_back("fabric", fabric);  // simulated: no node
    return facts;
  }
  if (!product.empty()) facts.emplace_back("product", product);
  facts.emplace_back("processor", processor_text(at(machine, {"cpu"})));
  facts.emplace_back("clocks", clock_text(at(machine, {"cpu"})));
  facts.emplace_back("caches", caches_text(at(machine, {"cpu"})));
  facts.emplace_back("memory", memory_text(machine));
  const std::size_t before = facts.size();
  add_devices(facts, "GPU", at(machine, {"gpus"}), gpu_text);
  if (facts.size() == before) {
    const std::string why = text(at(machine, {"gpu_unavailable"}));
    facts.emplace_back("GPU", !why.empty() ? "none: " + why : machine.is_object() ? "none found" : not_known);
  }
  add_hcas(facts, at(machine, {"hcas"}));
  facts.emplace_back("system",
                     or_unknown(joined({text(at(machine, {"os"})), text(at(machine, {"kernel"})),
                                        virtualization.empty() ? "" : "virtual: " + virtualization})));
  facts.emplace_back("libraries", versions_text(at(machine, {"versions"})));
  return facts;
}

std::vector<std::string> machine_notes(const Json& machine) {
  std::vector<std::string> notes;
  const Json& all = at(machine, {"notes"});
  for (const Json& note : all.is_array() ? all : Json::array()) notes.push_back(text(note));
  return notes;
}

std::vector<CacheLevel> cache_levels(const Json& machine) {
  std::vector<CacheLevel> levels;
  const Json& caches = at(machine, {"cpu", "caches"});
  for (const Json& cache : caches.is_array() ? caches : Json::array())
    if (text(at(cache, {"type"})) != "instruction" && integer(at(cache, {"bytes"})) > 0)
      levels.push_back(
          {"host", fmt::format("L{}", integer(at(cache, {"level"}))), integer(at(cache, {"bytes"}))});
  const Json& gpus = at(machine, {"gpus"});
  if (gpus.is_array() && !gpus.empty() && integer(at(gpus[0], {"l2_bytes"})) > 0)
    levels.push_back({"cuda", "L2", integer(at(gpus[0], {"l2_bytes"}))});
  std::stable_sort(levels.begin(), levels.end(),
                   [](const auto& a, const auto& b) { return a.bytes < b.bytes; });
  return levels;
}

Json machine_of(const RunPoints& run) {
  for (const ContextRecord& context : run.contexts())
    if (context.machine.is_object()) return context.machine;
  return nullptr;
}

std::string points_text(const StoredRun& run) {
  return fmt::format("{} ok, {} unsupported, {} failed, {} wrong, {} timed out", run.ok, run.unsupported,
                     run.failed, run.wrong, run.timeout);
}

Facts run_facts(const RunPoints& run) {
  std::vector<std::string> modules, plans, versions, commands;
  bool resumed = false;
  const auto add_new = [](std::vector<std::string>& words, const std::string& word) {
    if (!word.empty() && std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
  };
  for (const ContextRecord& context : run.contexts()) {
    add_new(modules, context.module);
    add_new(plans, context.plan_name);
    add_new(versions, context.assay_version +
                          (context.source_revision.empty() ? "" : " (" + context.source_revision + ")"));
    add_new(commands, joined(context.command_line, " "));
    resumed = resumed || context.resumed;
  }
  Facts facts{{"run", run.stored().run_id},
              {"origin", run.origin()},
              {"started", run.stored().started},
              {"plan", or_unknown(joined(plans))},
              {"modules", or_unknown(joined(modules))},
              {"points", points_text(run.stored())},
              {"ended", run.ending() + (resumed ? ", resumed" : ", not resumed")},
              {"assay", or_unknown(joined(versions))}};
  for (const auto& command : commands) facts.emplace_back("command", command);
  return facts;
}

}  // namespace assay::results

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/health/tests/planted_fault.hpp"

#include <fmt/format.h>

#include <fstream>
#include <sstream>

#include "harness/core/text/json_from.hpp"
#include "harness/front/health/check_node.hpp"
#include "harness/front/health/tests/healthy_trees.hpp"

namespace assay::health {
namespace {

using nlohmann::json;

json to_json(const toml::node& node) {
  std::ostringstream text;
  node.visit([&](const auto& value) {
    if constexpr (toml::is_table<decltype(value)> || toml::is_array<decltype(value)>)
      text << toml::json_formatter(value);
    else
      text << toml::json_formatter(toml::array{value});
  });
  return core::json_from<json>(text.str());
}

/// One entry a line, by key: what `over` says goes over `base`.
std::string overridden(const std::string& base, const std::string& over) {
  std::istringstream lines(base);
  const std::string keys = "\n" + over;
  std::string text = over + "\n";
  for (std::string line; std::getline(lines, line);)
    if (keys.find("\n" + line.substr(0, line.find(' ')) + " ") == std::string::npos) text += line + "\n";
  return text;
}

}  // namespace

std::vector<PlantedFault> planted_faults(const std::string& file) {
  std::vector<PlantedFault> faults;
  const toml::table table = toml::parse_file(file);
  for (const toml::node& row : *table["fault"].as_array())
    faults.push_back({*row.as_table()->at("name").value<std::string>(), *row.as_table()});
  return faults;
}

Patient::Patient(const std::string& tree)
    : tree_(tree), expectation_(expectation_of(tree)), gpus_(build_healthy(tree, node_)) {}

std::string Patient::path(std::string alias) const {
  const std::string pci = "/sys/bus/pci/devices/";
  if (!alias.starts_with("@")) return alias;
  const auto slash = alias.find('/');
  const std::string name = alias.substr(1, slash - 1), rest = alias.substr(slash);
  const int index = name.back() - '0';
  if (name.starts_with("gpu")) return fmt::format("{}0000:{}3:00.0{}", pci, index + 1, rest);
  if (name.starts_with("nic")) return fmt::format("{}0000:{}5:00.0{}", pci, index + 1, rest);
  if (name.starts_with("switch")) return fmt::format("{}0000:{}1:00.0{}", pci, index + 1, rest);
  return fmt::format("/sys/class/infiniband/mlx5_{}/ports/1{}", index, rest);
}

void Patient::plant_nvlinks(const toml::table& change) {
  for (const char* where : {"nvlink", "nvlink_everywhere"}) {
    const toml::table* link = change[where].as_table();
    if (link == nullptr) continue;
    json patch = to_json(*link);
    const auto at = patch.at("link").get<std::size_t>();
    const bool everywhere = !patch.contains("gpu");
    const std::size_t of = everywhere ? 0 : patch.at("gpu").get<std::size_t>();
    patch.erase("gpu");
    patch.erase("link");
    for (std::size_t gpu = 0; gpu < gpus_["gpus"].size(); ++gpu)
      if (everywhere || gpu == of) gpus_["gpus"][gpu]["nvlinks"][at].merge_patch(patch);
  }
}

void Patient::plant_bytes(const toml::table& change) {
  const toml::table* files = change["bytes"].as_table();
  if (files == nullptr) return;
  for (const auto& [name, places] : *files) {
    std::fstream file(node_.root() + path(std::string(name.str())),
                      std::ios::in | std::ios::out | std::ios::binary);
    for (const auto& [at, value] : *places.as_table()) {
      file.seekp(std::stol(std::string(at.str())));
      file.put(static_cast<char>(*value.value<std::int64_t>()));
    }
  }
}

void Patient::append_log(const toml::table& change) {
  const toml::array* lines = change["log"].as_array();
  if (lines == nullptr) return;
  std::ofstream log(node_.root() + "/dev/kmsg", std::ios::app);
  for (const toml::node& line : *lines) {
    log << fmt::format("3,{0},{1},-;{2}\n", next_record_, 6000000 + next_record_, *line.value<std::string>());
    ++next_record_;
  }
}

void Patient::plant(const toml::table& change) {
  if (const toml::table* gpus = change["gpus"].as_table())
    for (const auto& [index, patch] : *gpus)
      gpus_["gpus"][static_cast<std::size_t>(std::stoul(std::string(index.str())))].merge_patch(
          to_json(patch));
  plant_nvlinks(change);
  if (const toml::array* lost = change["lost"].as_array())
    for (std::size_t at = lost->size(); at-- > 0;)
      gpus_["gpus"].erase(static_cast<std::size_t>(*(*lost)[at].value<std::int64_t>()));
  if (const auto why = change["unavailable"].value<std::string>()) gpus_["unavailable"] = *why;
  if (const toml::table* files = change["files"].as_table())
    for (const auto& [name, text] : *files)
      node_.write(path(std::string(name.str())), *text.value<std::string>() + "\n");
  plant_bytes(change);
  if (const toml::array* removed = change["remove"].as_array())
    for (const toml::node& name : *removed) node_.remove(path(*name.value<std::string>()));
  append_log(change);
}

void Patient::expect(const std::string& lines) { expectation_ = overridden(expectation_, lines); }

void Patient::forget_expectation() { expectation_ = "source = \"nobody\"\n"; }

std::vector<Finding> Patient::check(const toml::table& meanwhile) {
  const std::string expected = node_.root() + "/expect.toml", gpus = node_.root() + "/gpus.json";
  std::ofstream(expected) << expectation_;
  CheckOrder order;
  order.expected = read_expectation(expected);
  order.logbook = logbook();
  order.read = [&] {
    std::ofstream(gpus) << gpus_.dump();
    return read_snapshot(node_.root(), read_gpu_table(gpus));
  };
  order.wait = [&] { plant(meanwhile); };
  order.utc = "2026-11-21T12:00:00.000Z";
  return check_node(order);
}

}  // namespace assay::health

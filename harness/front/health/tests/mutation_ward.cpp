// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/health/tests/mutation_ward.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include "harness/core/error.hpp"
#include "harness/front/health/finding_verdicts.hpp"

namespace assay::health {
namespace {

std::string text_of_file(const std::string& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// The kernel's cache of counters is waited for, here for nothing.
void forget_lifespans(Patient& patient) {
  const std::filesystem::path ports = patient.node().root() + "/sys/class/infiniband";
  if (!std::filesystem::exists(ports)) return;
  for (const auto& device : std::filesystem::directory_iterator(ports))
    patient.node().remove("/sys/class/infiniband/" + device.path().filename().string() +
                          "/ports/1/hw_counters/lifespan");
}

}  // namespace

MutationWard::MutationWard(const std::string& tree) : tree_(tree), patient_(tree) {
  forget_lifespans(patient_);
  all_is_well("the machine as it was built");
}

MutationWard::~MutationWard() {
  std::filesystem::remove(patient_.logbook());
  all_is_well("the machine after its mutations");
  std::cout << fmt::format("{}: {} mutations\n", tree_, tried_);
  testing::Test::RecordProperty("mutations_of_" + tree_, tried_);
}

std::optional<std::string_view> MutationWard::verdict() {
  try {
    return verdict_word(patient_.check());
  } catch (const core::Error&) {
    return std::nullopt;
  }
}

void MutationWard::nothing_passes(const std::string& what) {
  ++tried_;
  const auto said = verdict();
  EXPECT_TRUE(!said || *said == "FAIL" || *said == "INCONCLUSIVE") << what << " ends in " << *said;
}

void MutationWard::all_is_well(const std::string& what) {
  const auto said = verdict();
  ASSERT_TRUE(said) << what << " is refused";
  EXPECT_EQ(*said, "PASS") << what;
  std::filesystem::remove(patient_.logbook());
}

void MutationWard::file(const std::string& path, const std::optional<std::string>& text,
                        const std::string& what) {
  files({path}, text, what);
}

void MutationWard::files(const std::vector<std::string>& paths, const std::optional<std::string>& text,
                         const std::string& what) {
  std::vector<std::string> before;
  for (const std::string& path : paths) {
    before.push_back(text_of_file(patient_.node().root() + path));
    if (text)
      patient_.node().write(path, *text);
    else
      patient_.node().remove(path);
  }
  std::filesystem::remove(patient_.logbook());
  nothing_passes(fmt::format("{}{}: {}", paths.front(), paths.size() > 1 ? " and its equals" : "", what));
  for (std::size_t at = 0; at < paths.size(); ++at) patient_.node().write(paths[at], before[at]);
}

void MutationWard::gpus(const std::function<void(nlohmann::json&)>& change, const std::string& what) {
  const nlohmann::json before = patient_.gpus();
  change(patient_.gpus());
  std::filesystem::remove(patient_.logbook());
  nothing_passes(what);
  patient_.gpus() = before;
}

}  // namespace assay::health

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A build that has everything, beside what one without CUDA or liburing would list.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

#include "offload/tests/case_lists.hpp"
#include "offload/tests/points_of.hpp"

namespace assay::offload {
namespace {

/// As cases() of the least build has them, without the host's that need no component.
std::vector<core::Case> declared(const Surroundings& around) {
  std::vector<core::Case> all;
  for (const auto& list : {checkpoint_declarations_cases, device_checkpoint_declarations_cases,
                           copy_declarations_cases, device_pipeline_declarations_cases,
                           device_workload_declarations_cases, device_interference_declarations_cases})
    std::ranges::move(list(around), std::back_inserter(all));
  return all;
}

void expect_alike(const core::Axis& seen, const core::Axis& expected) {
  EXPECT_EQ(seen.name, expected.name);
  EXPECT_EQ(seen.meaning, expected.meaning);
  EXPECT_EQ(seen.domain, expected.domain);
  EXPECT_EQ(seen.values, expected.values);
  EXPECT_EQ(seen.choices, expected.choices);
  EXPECT_EQ(seen.aliases, expected.aliases);
  EXPECT_EQ(seen.unit_kind, expected.unit_kind);
}

void expect_alike(const core::Case& seen, const core::Case& expected) {
  SCOPED_TRACE(expected.name);
  EXPECT_EQ(seen.name, expected.name);
  EXPECT_EQ(seen.measures, expected.measures);
  EXPECT_EQ(seen.headline, expected.headline);
  EXPECT_EQ(seen.min_samples, expected.min_samples);
  EXPECT_EQ(seen.min_sample_seconds, expected.min_sample_seconds);
  ASSERT_EQ(seen.axes.size(), expected.axes.size());
  for (std::size_t axis = 0; axis < seen.axes.size(); ++axis)
    expect_alike(seen.axes[axis], expected.axes[axis]);
  EXPECT_EQ(points_of(seen), points_of(expected));
  for (const core::Point& point : core::sweep(expected.axes)) {
    ASSERT_EQ(seen.work(point).bytes, expected.work(point).bytes);
    ASSERT_EQ(seen.work(point).bytes_counted, expected.work(point).bytes_counted);
  }
}

TEST(OffloadDeclarations, AreWhatTheCasesOfAFullBuildSay) {
  const ModuleSettings settings;
  machine::Machine machine;
  machine.numa.resize(2);
  for (int id = 0; id < 2; ++id) {
    machine::NumaNode& node = machine.numa[static_cast<std::size_t>(id)];
    node.id = id;
    node.bytes = 1;
    node.cpus = {id};
  }
  const Surroundings around{.module = &settings, .machine = machine};
  const std::vector<core::Case> all = cases(around);
  auto next = all.begin();
  for (const core::Case& one : declared(around)) {
    next = std::find_if(next, all.end(), [&](const core::Case& made) { return made.name == one.name; });
    ASSERT_NE(next, all.end()) << one.name << " is not there, or not in its place";
    expect_alike(*next, one);
  }
}

}  // namespace
}  // namespace assay::offload

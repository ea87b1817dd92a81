// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/workload/chakra/traced_groups.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.hpp"
#include "model/workload/chakra/process_groups.hpp"

namespace assay::model::workload {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using training::Traffic;

/// One exchange in group "g", whose ranks the trace states.
Trace trace_in(std::vector<std::uint32_t> members, std::uint64_t size = 0) {
  return {.file = "t.et",
          .nodes = {{.id = 4, .traffic = Traffic::all_reduce, .bytes = 8, .group = "g"}},
          .groups = {{"g", {.ranks = std::move(members), .size = size}}}};
}
TracedGroups single(const Trace& trace, std::uint32_t ranks) { return {std::span(&trace, 1), ranks}; }

TEST(TracedGroups, OfOneTraceAreOfTheFormThatItStates) {
  const auto text = [](std::vector<std::uint32_t> members, std::uint32_t ranks) {
    const Trace trace = trace_in(std::move(members));
    const TracedGroups groups = single(trace, ranks);
    EXPECT_THAT(groups.notes(), ElementsAre(HasSubstr("every rank is taken to be in a group of that form")));
    return groups.of(0);
  };
  EXPECT_EQ(text({0, 1}, 8), "0:8:1:2");
  EXPECT_EQ(text({2, 3}, 8), "0:8:1:2");
  EXPECT_EQ(text({1, 5}, 8), "0:8:4:2");
  EXPECT_EQ(text({0, 1, 8, 9}, 16), "0:16:1:2:8:2");
}

TEST(TracedGroups, OfOneTraceThatDoNotDivideTheRanksStandAlone) {
  for (const std::vector<std::uint32_t>& members :
       {std::vector<std::uint32_t>{0, 1, 3}, std::vector<std::uint32_t>{1, 2}, {0, 1, 2}}) {
    const Trace trace = trace_in(members);
    const TracedGroups groups = single(trace, 8);
    EXPECT_THAT(groups.notes(), ElementsAre(HasSubstr("so others are in none")));
    EXPECT_EQ(groups.size_of(0), members.size());
  }
}

TEST(TracedGroups, OfOneTraceThatItDoesNotListAreTold) {
  const Trace small = trace_in({}, 2), whole = trace_in({}, 8);
  EXPECT_THAT(single(small, 8).notes(), ElementsAre("group 'g' is taken for all 8 ranks: the trace does not "
                                                    "list its ranks"));
  EXPECT_TRUE(single(whole, 8).notes().empty());
  Trace unstated = small;
  unstated.groups.clear();
  EXPECT_EQ(single(unstated, 8).notes().size(), 1U);
  unstated.nodes[0].group = "0";
  EXPECT_TRUE(single(unstated, 8).notes().empty());
}

TEST(TracedGroups, OfSeveralTracesAreWhatEachStates) {
  std::vector<Trace> traces{trace_in({0, 2}), trace_in({1, 3}), trace_in({0, 2}), trace_in({1, 3})};
  EXPECT_EQ(TracedGroups(traces, 4).of(0), "0+2 1+3");
  for (Trace& trace : traces) trace.groups.clear();
  EXPECT_EQ(TracedGroups(traces, 4).of(0), "0:4:1:4");
}

TEST(TracedGroups, WithARankBeyondTheLastAreRefused) {
  const Trace trace = trace_in({0, 8});
  EXPECT_THROW(single(trace, 8), core::Error);
}

TEST(ProcessGroups, AreReadInEveryForm) {
  for (const char* text :
       {R"([{"pg_name": "1", "ranks": [0, 1]}])", R"(['[{"pg_name": "1", "ranks": [0, 1]}]'])",
        R"(["[{\"pg_name\": \"1\", \"ranks\": [0, 1]}]"])",
        R"([{"pg_name": 1, "ranks": [1, 0, 1], "pg_desc": "x"}])"}) {
    const auto groups = process_groups(text);
    ASSERT_TRUE(groups) << text;
    EXPECT_THAT(groups->at("1").ranks, ElementsAre(0, 1)) << text;
  }
  EXPECT_EQ(process_groups(R"(['[{"pg_name": "it\'s", "ranks": [], "group_size": 4}]'])")->at("it's").size,
            4U);
}

TEST(ProcessGroups, OfOtherFormsAreNone) {
  for (const char* text : {"", "[", "['']", "[1]", "{}", R"([{"ranks": []}])", R"([{"pg_name": "1"}])",
                           R"([{"pg_name": "1", "ranks": [-1]}])", R"([{"pg_name": "1", "ranks": ["0"]}])"})
    EXPECT_FALSE(process_groups(text)) << text;
}

}  // namespace
}  // namespace assay::model::workload

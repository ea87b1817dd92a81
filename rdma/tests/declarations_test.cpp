// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Cases that a build without libibverbs lists, beside what runs.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

#include "harness/core/tests/declaration_text.hpp"
#include "rdma/pair_declarations.hpp"
#include "rdma/pattern_declarations.hpp"
#include "rdma/tests/fake_verbs.hpp"

namespace assay::rdma {
namespace {

using core::tests::declaration_texts;

TEST(Declarations, AreThoseOfTheCasesThatRun) {
  const fake::FakeVerbs verbs;
  const machine::Machine machine;
  const Surroundings around{.machine = &machine, .ranks = 5};
  std::vector<core::Case> declared = pair_declarations_cases(around);
  std::ranges::move(pattern_declarations_cases(around), std::back_inserter(declared));
  EXPECT_EQ(declaration_texts(declared), declaration_texts(cases(around)));
}

}  // namespace
}  // namespace assay::rdma

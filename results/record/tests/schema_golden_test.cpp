// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The published schemas are those of the descriptions.
#include <gtest/gtest.h>

#include "results/record/tests/record_schema.hpp"
#include "results/tests/golden.hpp"

namespace assay::results {
namespace {

TEST(RecordSchemas, AreThoseOfTheFieldsThatAreWrittenAndRead) {
  for (const char* kind : {"context", "point", "end"})
    test::expect_golden(std::string("../../record/schema/") + kind + ".schema.json", test::schema_text(kind));
}

}  // namespace
}  // namespace assay::results

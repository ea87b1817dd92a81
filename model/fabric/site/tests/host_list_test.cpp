// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/site/host_list.hpp"

#include <gtest/gtest.h>

#include "model/fabric/site/tests/refused.hpp"

namespace assay::model::fabric::site {
namespace {

using Names = std::vector<std::string>;

TEST(HostList, TakesANameInQuotesUnchanged) {
  EXPECT_EQ(expand_host_list(R"("a,b",n[1-2],"r[1]","say ""hi""")", ""),
            (Names{"a,b", "n1", "n2", "r[1]", "say \"hi\""}));
  EXPECT_EQ(expand_host_list("a\"b,c", ""), (Names{"a\"b", "c"})) << "quotes open a name at its start only";
}

TEST(HostList, ReadsWhatItWrites) {
  const Names names{"plain", "with blanks (rack 3)", "node02,x", "node03[1]", "[",    "]",
                    "\"",    "\"quoted\"",           "a\"b",     "node'00'",  "a,,b", "back\\slash"};
  EXPECT_EQ(expand_host_list(host_list_of(names), ""), names);
  EXPECT_EQ(host_list_of(Names{"n1", "n 2"}), "n1,n 2");
}

TEST(HostList, RefusesQuotesThatDoNotMatch) {
  const auto parse = [](const std::string& text) { expand_host_list(text, "f:1"); };
  expect_refused(parse, "\"a", "f:1: the quotes of '\"a' do not match");
  expect_refused(parse, "\"a\"b,c", "f:1: expected a comma behind the quotes, got 'b,c'");
  expect_refused(parse, "\"\"", "has an empty name");
  expect_refused(parse, "\"a\",", "has an empty name");
  expect_refused(parse, "\"" + std::string(254, 'x') + "\"", "names of at most 253 characters");
}

}  // namespace
}  // namespace assay::model::fabric::site

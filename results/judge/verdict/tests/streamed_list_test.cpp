// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/verdict/streamed_list.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/core/text/json_from.hpp"

namespace assay::results {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct ReadDocument {
  std::vector<std::string> elements;
  std::string rest, error;
};

/// A few bytes at a time.
core::ByteSource in_small_pieces(const std::string& text) {
  return [source = core::source_of(text)](char* to, std::size_t size) mutable {
    return source(to, std::min(size, std::size_t{3}));
  };
}

ReadDocument read_document(const std::string& text) {
  ReadDocument read;
  try {
    read.rest = parse_streaming(in_small_pieces(text), "rows", [&](const nlohmann::ordered_json& element) {
                  read.elements.push_back(element.dump());
                }).dump();
  } catch (const std::runtime_error& error) {
    read.error = error.what();
  }
  return read;
}

TEST(StreamedList, GivesEachElementAndTheRest) {
  const ReadDocument read = read_document(
      R"({"b": {"rows": [1]}, "rows": [{"x": [{}, 1.5], "rows": [2]}, "text", null, [3], -4], "a": [[], true]})");
  EXPECT_THAT(read.elements, ElementsAre(R"({"x":[{},1.5],"rows":[2]})", "\"text\"", "null", "[3]", "-4"));
  EXPECT_EQ(read.rest, R"({"b":{"rows":[1]},"rows":[],"a":[[],true]})");
}

TEST(StreamedList, LeavesWhatIsNotThatListAsItIs) {
  for (const char* text : {"[[1],[2]]", R"({"rows":{"rows":[1]}})", R"({"rows":3,"other":[1]})",
                           R"([{"rows":[1]}])", "7", "{}"}) {
    const ReadDocument read = read_document(text);
    EXPECT_EQ(read.rest, text);
    EXPECT_THAT(read.elements, IsEmpty());
  }
}

TEST(StreamedList, RefusesWhatIsCutOffAndWhatFollows) {
  const std::string whole = R"({"a": "é", "rows": [{"x": 1}, 2], "b": 1e3})";
  EXPECT_EQ(read_document(whole).error, "");
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_THAT(read_document(whole.substr(0, size)).error, HasSubstr("parse error")) << size;
  EXPECT_THAT(read_document(whole + "}").error, HasSubstr("parse error"));
  EXPECT_THAT(read_document("[1e999]").error, HasSubstr("number overflow"));
}

TEST(StreamedList, SaysTheSameOfBadTextAsAReaderOfTheWhole) {
  for (const std::string text :
       {"", "{\"rows\": [1, 2,]}", "{\"rows\": [\"\xff\"]}", "{\n\n  rows}", "[1e999]"})
    try {
      ADD_FAILURE() << core::json_from<nlohmann::ordered_json>(text);
    } catch (const std::exception& error) {
      EXPECT_EQ(read_document(text).error, error.what());
    }
}

TEST(StreamedList, RefusesAKeyThatIsThereTwice) {
  for (const char* text :
       {R"({"k": 1, "rows": [], "k": 2})", R"({"rows": [{"k": 1, "x": {}, "k": 1}]})", R"([{"k": 1, "k":)"})
    EXPECT_EQ(read_document(text).error, "key 'k' is there twice");
  EXPECT_EQ(read_document(R"({"rows": [1], "rows": []})").error, "key 'rows' is there twice");
  EXPECT_EQ(read_document(R"({"rows": [{"k": 1}, {"k": 1}], "k": {"k": 1}})").error, "");
}

}  // namespace
}  // namespace assay::results

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Written records conform to the published JSON Schemas, by the judgement of an independent validator.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cmath>
#include <cstdio>

#include "results/record/journal.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

const std::string source = ASSAY_SOURCE_DIR;

struct Outcome {
  int exit_code = -1;
  std::string output;
};

Outcome shell(const std::string& command) {
  Outcome outcome;
  FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
  if (!pipe) return outcome;
  char buffer[4096];
  while (const std::size_t got = std::fread(buffer, 1, sizeof buffer, pipe))
    outcome.output.append(buffer, got);
  const int status = ::pclose(pipe);
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

Outcome validate(const std::string& lines) {
  const test::TemporaryFolder folder;
  test::write_text(folder / "lines", lines);
  return shell("python3 '" + source + "/results/tests/validate.py' '" + source +
               "/results/record/schema' < '" + (folder / "lines").string() + "'");
}

bool validator_is_there() { return shell("python3 -c 'import jsonschema'").exit_code == 0; }

TEST(Schema, WrittenRecordsConform) {
  if (!validator_is_there()) GTEST_SKIP() << "python3-jsonschema is not installed";
  auto odd = test::sample_point();
  odd.status = Status::wrong;
  odd.reason = "element 7 differs";
  odd.samples_s = {NAN, 0.5};
  odd.sm_cycles = {1000, 1001};
  odd.conditions.emplace_back("watts", NAN);
  odd.time.reset();
  odd.units = {{"gpu", "3"}, {"port", "mlx5_0:1"}};
  std::string lines;
  for (const Record& record : {Record(test::sample_context()), Record(test::sample_point()),
                               Record(test::unsupported_point()), Record(odd), Record(test::sample_end())})
    lines += to_line(record) + "\n";
  const Outcome outcome = validate(lines);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
}

TEST(Schema, ARecordThatBreaksItIsRefused) {
  if (!validator_is_there()) GTEST_SKIP() << "python3-jsonschema is not installed";
  std::string line = to_line(test::sample_point());
  line.replace(line.find("\"status\":\"ok\""), 13, "\"status\":\"no\"");
  EXPECT_EQ(validate(line + "\n").exit_code, 1);
  auto silent = test::unsupported_point();
  silent.reason = "";
  EXPECT_EQ(validate(to_line(silent) + "\n").exit_code, 1);
}

}  // namespace
}  // namespace assay::results

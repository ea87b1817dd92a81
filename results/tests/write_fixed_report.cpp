// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Writes a made-up report, for a person to look at: write_fixed_report FILE
// [run|judged|copies|contests|overlap|fleet] [NODES]. The fixed run; the same with verdicts and a burn-in; a
// fleet of 3,000 nodes with planted faults, measured four times and judged. Everything says "simulated".
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include "results/judge/acceptance/acceptance.hpp"
#include "results/report/fleet.hpp"
#include "results/report/report.hpp"
#include "results/tests/fixed_contests.hpp"
#include "results/tests/fixed_copies.hpp"
#include "results/tests/fixed_overlap.hpp"
#include "results/tests/fixed_run.hpp"
#include "results/tests/fixed_timeline.hpp"
#include "results/tests/fixed_verdicts.hpp"
#include "results/tests/sample_records.hpp"
#include "results/tests/synthetic/synthetic_fleet.hpp"

namespace assay::results {
namespace {

void write_run(const char* file, const std::vector<Record>& records, const ReportContent& content = {}) {
  const test::TemporaryFolder folder;
  Store store(folder / "store.db");
  store.add(records);
  test::write_text(file, report_html(RunPoints(store), content));
}

void write_fleet(const char* file, int nodes) {
  SyntheticFleet made({.nodes = nodes}, 1);
  made.plant({0.05, 0.1}, 2);
  MeasuredFleet measured;
  measured.first = made.fleet();
  measured.origin = "simulated";
  for (int again = 0; again < 3; ++again) measured.again.push_back(made.measure_again());
  const FleetOccasion occasion{"2026-01-02T03:04:05.000Z", "2026-01-03T03:04:05.000Z", 4L * nodes};
  test::write_text(
      file, fleet_report_html(occasion, {measured}, {.verdicts = {verdicts_of(accept(measured, {}))}}));
}

void write(const char* file, const std::string& what, int nodes) {
  if (what == "fleet")
    write_fleet(file, nodes);
  else if (what == "judged")
    write_run(file, test::fixed_run(),
              {.verdicts = test::fixed_verdicts(), .timeline = test::fixed_timeline()});
  else if (what == "copies")
    write_run(file, test::fixed_copies());
  else if (what == "contests")
    write_run(file, test::fixed_contests());
  else if (what == "overlap")
    write_run(file, test::fixed_overlap());
  else
    write_run(file, test::fixed_run());
}

}  // namespace
}  // namespace assay::results

int main(int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') {
    std::fprintf(stderr,
                 "usage: write_fixed_report FILE [run|judged|copies|contests|overlap|fleet] [NODES]\n");
    return 2;
  }
  try {
    assay::results::write(argv[1], argc > 2 ? argv[2] : "run", argc > 3 ? std::atoi(argv[3]) : 3000);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "write_fixed_report: %s\n", error.what());
    return 1;
  }
  return 0;
}

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Records a second at which the journals of a fleet are read into a store that is new: import_rate FOLDER
// [NODES] [POINTS_PER_NODE]. The journals are made up, every context says "simulated", and they are written
// into FOLDER only where it does not hold them yet.
#include <fmt/format.h>
#include <time.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>

#include "results/store/store.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

constexpr std::size_t samples = 20;

/// A point of that node, with times that have all their digits.
PointRecord point_of(const std::string& run, int sequence) {
  PointRecord point = test::sample_point(run, sequence);
  point.point = {{"gpu", std::int64_t{sequence % 8}}, {"bytes", std::int64_t{1} << (sequence / 8 % 40)}};
  point.key = fmt::format("gpu={},bytes={}", sequence % 8, std::int64_t{1} << (sequence / 8 % 40));
  point.case_name = fmt::format("memory.cuda.copy_{}", sequence / 8);
  point.samples_s.clear();
  for (std::size_t i = 0; i < samples; ++i)
    point.samples_s.push_back(0.1 + 1e-3 * std::sin(static_cast<double>(i) + sequence));
  return point;
}

void write_journal(const std::filesystem::path& path, int node, int points) {
  const std::string run = fmt::format("run-{}", node);
  ContextRecord context = test::sample_context(run);
  context.host = fmt::format("node{}", node);
  context.origin = Origin::simulated;
  std::ofstream file(path, std::ios::binary);
  file << to_line(context) << '\n';
  for (int i = 0; i < points; ++i) file << to_line(point_of(run, i)) << '\n';
  EndRecord end = test::sample_end(run);
  end.points = points;
  file << to_line(end) << '\n';
}

/// CPU time of this thread, or of all threads.
double cpu_seconds(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

int measure(const std::filesystem::path& folder, int nodes, int points) {
  std::filesystem::create_directories(folder);
  std::vector<std::filesystem::path> journals;
  std::uintmax_t bytes = 0;
  for (int node = 0; node < nodes; ++node) {
    journals.push_back(folder / fmt::format("node{}-{}.jsonl", node, points));
    if (!std::filesystem::exists(journals.back())) write_journal(journals.back(), node, points);
    bytes += std::filesystem::file_size(journals.back());
  }
  const std::filesystem::path file = folder / "store.sqlite";
  std::filesystem::remove(file);
  const double all = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID), own = cpu_seconds(CLOCK_THREAD_CPUTIME_ID);
  const auto start = std::chrono::steady_clock::now();
  Store store(file);
  std::int64_t added = 0;
  for (const ImportSummary& summary : store.import_journals(journals)) added += summary.added;
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const double us_per_record = 1e6 / static_cast<double>(added);
  const double all_s = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID) - all;
  const double writer_s = cpu_seconds(CLOCK_THREAD_CPUTIME_ID) - own;
  fmt::print("{} journals, {} records, {:.0f} bytes a record: {:.2f} s, {:.0f} records/s\n", nodes, added,
             static_cast<double>(bytes) / static_cast<double>(added), seconds,
             static_cast<double>(added) / seconds);
  fmt::print("CPU time a record: {:.2f} us that write the store, {:.2f} us that read journals\n",
             writer_s * us_per_record, (all_s - writer_s) * us_per_record);
  fmt::print("store: {:.0f} bytes a record\n",
             static_cast<double>(std::filesystem::file_size(file)) / static_cast<double>(added));
  return 0;
}

}  // namespace
}  // namespace assay::results

int main(int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') {
    fmt::print(stderr, "usage: import_rate FOLDER [NODES] [POINTS_PER_NODE]\n");
    return 2;
  }
  try {
    return assay::results::measure(argv[1], argc > 2 ? std::atoi(argv[2]) : 3000,
                                   argc > 3 ? std::atoi(argv[3]) : 320);
  } catch (const std::exception& error) {
    fmt::print(stderr, "import_rate: {}\n", error.what());
    return 1;
  }
}

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Every line of a fault, in the first window of a node and in a later one, at every priority; every way in
// which the log can be damaged.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "harness/front/health/finding_verdicts.hpp"
#include "harness/front/health/kernel_log/kernel_events.hpp"
#include "harness/front/health/tests/kernel_line_samples.hpp"
#include "harness/front/health/tests/mutation_ward.hpp"

namespace assay::health {
namespace {

constexpr const char* kmsg = "/dev/kmsg";

std::string log_of(MutationWard& ward) {
  std::ifstream stream(ward.patient().node().root() + kmsg);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// As the kernel writes what is not printable.
std::string escaped(const std::string& text) {
  std::string all;
  for (const char letter : text) all += letter == '\\' ? "\\x5c" : std::string(1, letter);
  return all;
}

/// In the window of a check that has a logbook.
void later_log(MutationWard& ward, const std::string& text, const std::string& what) {
  const std::string before = log_of(ward);
  std::filesystem::remove(ward.patient().logbook());
  ward.all_is_well("the log as it was");
  ASSERT_EQ(verdict_word(ward.patient().check()), "PASS");
  ward.patient().node().write(kmsg, text);
  ward.nothing_passes(what);
  ward.patient().node().write(kmsg, before);
  std::filesystem::remove(ward.patient().logbook());
}

TEST(MutatedKernelLog, WithALineOfAFaultDoesNotPassAtAnyPriority) {
  MutationWard ward("host");
  const std::string before = log_of(ward);
  for (const GraveKernelLine& sample : grave_kernel_lines()) {
    const auto event = recognise(sample.text);
    if (sample.status == "noticed" || (event && event->scope == EventScope::in_service))
      continue;  // DEGRADED
    for (const int priority : {0, 2, 3, 6, 30})
      ward.file(kmsg, before + fmt::format("{},3,6000000,-;{}\n", priority, escaped(sample.text)),
                sample.text);
    later_log(ward, before + fmt::format("4,3,6000000,-;{}\n", escaped(sample.text)),
              "later: " + sample.text);
  }
}

TEST(MutatedKernelLog, WithAnUnknownLineOfGravePriorityDoesNotPass) {
  MutationWard ward("host");
  const std::string before = log_of(ward);
  for (const char* text : {"something that nobody has seen before", "x", "fan 3 stopped", ""})
    for (const int priority : {0, 1, 2, 24, 25, 26})
      ward.file(kmsg, before + fmt::format("{},3,6000000,-;{}\n", priority, text), text);
}

TEST(MutatedKernelLog, OfAHealthyStartPasses) {
  Patient patient("host");
  std::string log;
  int sequence = 0;
  for (const BenignKernelLine& sample : benign_kernel_lines())
    log += fmt::format("{0},{1},{1}000,-;{2}\n", sample.level, sequence++, escaped(sample.text));
  patient.node().write(kmsg, log);
  const auto findings = patient.check();
  for (const Finding& finding : findings)
    EXPECT_LT(finding.status, Status::noticed) << finding.check << ": " << finding.evidence;
}

TEST(MutatedKernelLog, CutAtAnyByteDoesNotPassBesideALogbook) {
  MutationWard ward("host");
  const std::string whole = log_of(ward);
  for (std::size_t bytes = 0; bytes < whole.size(); ++bytes)
    later_log(ward, whole.substr(0, bytes), fmt::format("cut after {} bytes", bytes));
}

TEST(MutatedKernelLog, CutWithinALineDoesNotPassOnAFirstCheck) {
  MutationWard ward("host");
  const std::string whole = log_of(ward);
  for (std::size_t bytes = 0; bytes < whole.size(); ++bytes)
    if (bytes == 0 || whole[bytes - 1] != '\n')
      ward.file(kmsg, whole.substr(0, bytes), fmt::format("cut after {} bytes", bytes));
}

TEST(MutatedKernelLog, WithADamagedByteDoesNotPass) {
  MutationWard ward("host");
  const std::string whole = log_of(ward);
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (const char damage : {'\0', '\x01', '\x80'}) {
      std::string text = whole;
      text[at] = damage;
      ward.file(kmsg, text, fmt::format("byte {} damaged", at));
    }
}

TEST(MutatedKernelLog, WithRecordsGoneTwiceOrOutOfOrderDoesNotPass) {
  MutationWard ward("host");
  const std::string zero = "5,0,0,-;a\n", one = "6,1,1000,-;b\n", two = "6,2,2000,-;c\n",
                    three = "6,3,3,-;d\n";
  for (const std::string& log :
       {one + two, zero + two, zero + two + three, zero + one + three, two, zero + zero + one,
        zero + two + one, one + zero + two, zero + one + one + two, zero + one + two + zero,
        std::string("garbage\n") + zero + one, zero + "\x01\n" + one, zero + one + " no continuation\n",
        std::string("\n"), std::string(" \n")})
    ward.file(kmsg, log, log);
}

TEST(MutatedKernelLog, ThatIsNoFileDoesNotPass) {
  MutationWard ward("host");
  const std::string before = log_of(ward);
  ward.file(kmsg, std::nullopt, "gone");
  ward.patient().node().make_unreadable(kmsg);
  ward.nothing_passes("a folder");
  ward.patient().node().remove(kmsg);
  ward.patient().node().write(kmsg, before);
}

}  // namespace
}  // namespace assay::health

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A module of fake cases, under the name of a real one, for the tests of the suite and the front end: the
// name that the program was started by, so that links to it are modules of their own.
#include <unistd.h>

#include <iostream>
#include <streambuf>
#include <string>
#include <string_view>

#include "harness/run/module_main.hpp"
#include "harness/run/tests/fake_cases.hpp"

namespace {

/// Standard output at which the program hangs once it tells of a point of the case "hangs_behind": its record
/// is written then, and the next point has not begun.
class HangingOutput final : public std::streambuf {
 public:
  explicit HangingOutput(std::streambuf* to) : to_(to) {}

 protected:
  int overflow(int byte) override { return to_->sputc(static_cast<char>(byte)); }
  std::streamsize xsputn(const char* text, std::streamsize size) override {
    const std::streamsize written = to_->sputn(text, size);
    to_->pubsync();
    const std::string_view line(text, static_cast<std::size_t>(size));
    if (line.starts_with('[') && line.find("fake.hangs_behind") != std::string_view::npos)
      for (;;) pause();
    return written;
  }
  int sync() override { return to_->pubsync(); }

 private:
  std::streambuf* to_;
};

}  // namespace

int main(int argc, char** argv) {
  static HangingOutput output(std::cout.rdbuf());
  std::cout.rdbuf(&output);
  const std::string program = argv[0];
  const std::string module = program.substr(program.rfind("assay-") + 6);
  const auto cases = [&](const assay::machine::Machine& machine) {
    auto all = assay::run::tests::fake_cases(machine);
    for (auto& benchmark : all) benchmark.name.replace(0, benchmark.name.find('.'), module);
    return all;
  };
  return assay::run::module_main(argc, argv, {module, "cases that go wrong on purpose", cases});
}

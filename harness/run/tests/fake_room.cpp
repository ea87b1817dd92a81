// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A room of fake cases, under the name of a real one, for the tests of the suite and the front end: the name
// that the program was started by, so that links to it are rooms of their own.
#include <string>

#include "harness/run/room_main.hpp"
#include "harness/run/tests/fake_cases.hpp"

int main(int argc, char** argv) {
  const std::string program = argv[0];
  const std::string room = program.substr(program.rfind("assay-") + 6);
  const auto cases = [&](const assay::machine::Machine& machine) {
    auto all = assay::run::tests::fake_cases(machine);
    for (auto& benchmark : all) benchmark.name.replace(0, benchmark.name.find('.'), room);
    return all;
  };
  return assay::run::room_main(argc, argv, {room, "cases that go wrong on purpose", cases});
}

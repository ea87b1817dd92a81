// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A room of fake cases, under the name of a real one, for the tests of the suite and the front end.
#include "harness/run/room_main.hpp"
#include "harness/run/tests/fake_cases.hpp"

int main(int argc, char** argv) {
  return assay::run::room_main(argc, argv,
                               {"memory", "cases that go wrong on purpose", assay::run::tests::fake_cases});
}

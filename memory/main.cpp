// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/run/module_main.hpp"
#include "memory/cases.hpp"

int main(int argc, char** argv) {
  return assay::run::module_main(argc, argv,
                                 {.name = "memory",
                                  .measures = "bandwidth and latency of host memory and of GPU memory",
                                  .cases = assay::memory::cases});
}

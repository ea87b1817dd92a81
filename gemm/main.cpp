// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "gemm/cases.hpp"
#include "harness/run/module_main.hpp"

int main(int argc, char** argv) {
  return assay::run::module_main(
      argc, argv,
      {.name = "gemm",
       .measures = "matrix products of hosts and GPUs, and those of transformer blocks",
       .cases = assay::gemm::cases});
}

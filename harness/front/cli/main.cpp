// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// assay: the front end. Starts modules as processes, and reads what they wrote.
#include "harness/front/cli/front_end.hpp"

int main(int argc, char** argv) { return assay::cli::front_end(argc, argv); }

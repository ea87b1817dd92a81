// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Compares a text byte for byte with an approved file beside the tests; ASSAY_APPROVE=1 writes the file
// instead.
#pragma once

#include <gtest/gtest.h>

#include <string>

namespace assay::machine {

/// `name`: "machine.approved.txt" below harness/machine/tests/golden.
testing::AssertionResult is_approved(const std::string& name, const std::string& text);

}  // namespace assay::machine

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The text of an exception, for tests that compare it with a literal.
#pragma once

#include <exception>
#include <string>

namespace assay::core::tests {

template <class Body>
std::string message_of(Body body) {
  try {
    body();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "nothing was thrown";
}

}  // namespace assay::core::tests

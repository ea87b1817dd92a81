// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Bad input, and what the one line about it must say.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "harness/core/error.hpp"

namespace assay::model::fabric::site {

template <class Parse>
void expect_refused(const Parse& parse, const std::string& text, const std::string& why) {
  try {
    parse(text);
    ADD_FAILURE() << "accepted, expected: " << why;
  } catch (const core::Error& error) {
    EXPECT_EQ(error.kind(), core::ErrorKind::usage);
    EXPECT_NE(std::string(error.what()).find(why), std::string::npos)
        << "expected: " << why << "\n     got: " << error.what();
  }
}

}  // namespace assay::model::fabric::site

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A page in a real browser without a network: the document after its scripts ran, and what the browser
// complained of.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "results/tests/sample_records.hpp"

namespace assay::results::test {

class BrowserTest : public testing::Test {
 protected:
  /// Skips where there is no browser, or this build has no charts.
  void SetUp() override;
  /// Keeps the page, with a script at its end that says how wide it is and then runs `script`, for the test.
  void keep(std::string page, const std::string& script = "");
  /// The kept page after its scripts ran; what the browser complained of goes to `complaints_`.
  std::string open(int width, const std::string& more = "");

  /// An attribute of the document element; "" where it is not there.
  static std::string attribute(const std::string& page, const std::string& name);
  static long count(const std::string& text, const std::string& word);
  /// The text from one mark to the next.
  static std::string part(const std::string& page, const std::string& from, const std::string& to);

  TemporaryFolder folder_;
  std::string complaints_;
};

}  // namespace assay::results::test

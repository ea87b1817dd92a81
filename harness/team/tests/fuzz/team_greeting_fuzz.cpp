// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The first message of a stranger, and the texts of a session.
#include "harness/core/tests/fuzz/fuzz_input.hpp"
#include "harness/team/handshake/hello.hpp"
#include "harness/team/join/orders.hpp"
#include "harness/team/wire/frame.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(assay::fuzz::text_of(data, size));
  assay::fuzz::read_or_refuse([&] { assay::team::unpack(text); });
  assay::fuzz::read_or_refuse([&] { assay::team::introduction_from(text); });
  assay::fuzz::read_or_refuse([&] { assay::team::order_from(text); });
  assay::fuzz::read_or_refuse([&] { assay::team::timing_from(text); });
  assay::fuzz::read_or_refuse([&] { assay::team::verification_from(text); });
  assay::fuzz::read_or_refuse([&] { assay::team::report_from(text); });
  return 0;
}

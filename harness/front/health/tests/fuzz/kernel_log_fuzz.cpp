// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Records of /dev/kmsg, and what they mean.
#include "harness/core/tests/fuzz/fuzz_input.hpp"
#include "harness/front/health/kernel_log/kernel_events.hpp"
#include "harness/front/health/kernel_log/kernel_log.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(assay::fuzz::text_of(data, size));
  const assay::health::KernelLog log = assay::health::parse_kernel_log(text);
  for (const assay::health::KernelRecord& record : log.records) assay::health::recognise(record.text);
  return 0;
}

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Frames of a stream, whole or in pieces: the cut must not matter.
#include "harness/core/tests/fuzz/fuzz_input.hpp"
#include "harness/team/wire/frame.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = assay::fuzz::text_of(data, size);
  const auto frames_of = [](assay::team::FrameReader& reader, std::string& seen) {
    while (const auto frame = reader.next()) seen += assay::team::to_bytes(*frame);
  };
  const auto read = [&](std::size_t cut) {
    std::string seen;
    try {
      assay::team::FrameReader reader;
      reader.add(bytes.substr(0, cut));
      frames_of(reader, seen);
      reader.add(bytes.substr(cut));
      frames_of(reader, seen);
    } catch (const std::runtime_error& refusal) {
      seen += refusal.what();
    }
    return seen;
  };
  assay::fuzz::require(read(size) == read(size / 2), "frames depend on how their bytes arrive");
  return 0;
}

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The parts that every fuzz target needs: its input as text or as a file, and the one rule for readers. A
// reader may refuse its input by a std::runtime_error with a short readable message; any other exception is a
// finding.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace assay::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

[[noreturn]] inline void report(const std::string& finding) {
  std::cerr << finding << std::endl;
  std::abort();
}

inline void require(bool holds, const char* what) {
  if (!holds) report(what);
}

/// The input as a file, for readers that take a path.
class InputFile {
 public:
  explicit InputFile(std::string_view content) : descriptor_(memfd_create("input", 0)) {
    require(descriptor_ >= 0 &&
                write(descriptor_, content.data(), content.size()) == static_cast<ssize_t>(content.size()),
            "the input cannot be made a file");
    path_ = "/proc/self/fd/" + std::to_string(descriptor_);
  }
  ~InputFile() { close(descriptor_); }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  int descriptor_;
  std::string path_;
};

template <class Read>
void read_or_refuse(Read read) {
  try {
    read();
  } catch (const std::runtime_error& refusal) {
    require(*refusal.what() != 0, "a refusal says nothing");
  }
}

}  // namespace assay::fuzz

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A file that the user names as input. What can never be input (a folder, a disk, /dev/zero) is refused. A
// named pipe that no program writes to is refused after a timeout.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace assay::core {

class InputFile {
 public:
  /// `expected` is for messages: "a JSON file". Throws a usage Error that opens with the file's name.
  InputFile(const std::string& path, const std::string& expected);
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  ~InputFile();

  /// Up to `size` bytes, as soon as there are any; 0 at the end. Throws like the constructor.
  std::size_t read(char* to, std::size_t size);

 private:
  [[noreturn]] void refuse(std::string_view why) const;
  void open();
  /// False where no bytes came for so long that none are expected.
  bool wait_for_bytes();

  std::string path_, expected_;
  int descriptor_ = -1;
  bool may_wait_ = false;    // a pipe or a terminal: bytes come when another program writes them
  bool had_writer_ = false;  // the other end of the pipe has been open
  int idle_ms_ = 0;          // without a writer
};

/// Whether a file or folder has this name; false, too, for names that none can have, such as one of 300
/// letters.
bool is_there(const std::string& path);

/// The whole of it. Throws a usage Error where it is longer than `most_bytes`, too.
std::string read_input(const std::string& path, const std::string& expected, std::size_t most_bytes);

}  // namespace assay::core

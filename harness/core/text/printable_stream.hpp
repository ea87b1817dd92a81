// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Standard output and standard error that no text from outside can control a terminal by: what a host, a
// journal or a kernel wrote may hold escape sequences, and a program prints it somewhere.
#pragma once

#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>

namespace assay::core {

/// While it lives, std::cout and std::cerr show control characters, bidirectional controls and bytes that are
/// not UTF-8 as printable() does. Line feeds, tabs, the colours of text, and what TerminalControl holds pass.
class PrintableStreams {
 public:
  PrintableStreams();
  ~PrintableStreams();
  PrintableStreams(const PrintableStreams&) = delete;
  PrintableStreams& operator=(const PrintableStreams&) = delete;

 private:
  class Stream;
  std::unique_ptr<Stream> output_, error_;
};

/// A sequence of this program's own that moves the cursor or clears: `out << TerminalControl{"\r\033[K"}`.
struct TerminalControl {
  std::string_view sequence;
};
std::ostream& operator<<(std::ostream& out, TerminalControl control);

}  // namespace assay::core

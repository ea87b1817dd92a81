// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/text/printable_stream.hpp"

#include <algorithm>
#include <iostream>
#include <streambuf>

#include "harness/core/printable.hpp"

namespace assay::core {
namespace {

/// Bytes of a colour sequence (ESC [ 31 m) that opens `text`; 0 where none does. A code that conceals text
/// does not count.
std::size_t colour_length(std::string_view text) {
  if (!text.starts_with("\033[")) return 0;
  const std::size_t end = text.find_first_not_of("0123456789;", 2);
  if (end == std::string_view::npos || text[end] != 'm') return 0;
  const std::string_view code = text.substr(2, end - 2);
  const bool is_colour = code.empty() || code == "0" || code == "1" || code == "0;1" ||
                         (code.size() == 2 && code[0] == '3') ||
                         (code.size() == 4 && (code.starts_with("0;3") || code.starts_with("1;3")));
  return is_colour ? end + 1 : 0;
}

/// Whether `text` may be the first bytes of a longer character or colour sequence.
bool may_be_incomplete(std::string_view text) {
  constexpr std::size_t longest_colour = 8;
  if (text.front() == '\033')
    return text.size() < longest_colour && (text.size() < 2 || text[1] == '[') &&
           text.find_first_not_of("0123456789;", 2) == std::string_view::npos;
  const auto first = static_cast<unsigned char>(text.front());
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 1;
  if (text.size() >= length) return false;
  for (const char byte : text.substr(1))
    if ((static_cast<unsigned char>(byte) & 0xC0U) != 0x80) return false;
  return true;
}

}  // namespace

class PrintableBuffer : public std::streambuf {
 public:
  explicit PrintableBuffer(std::streambuf* target) : target_(target) {}

  /// Past the filter.
  bool control(std::string_view sequence) {
    return pass(true) && target_->sputn(sequence.data(), static_cast<std::streamsize>(sequence.size())) ==
                             static_cast<std::streamsize>(sequence.size());
  }
  bool pass(bool to_the_end) {
    std::string shown;
    std::string_view rest = waiting_;
    while (!rest.empty()) {
      const std::size_t plain = plain_bytes(rest);
      shown += rest.substr(0, plain);
      rest.remove_prefix(plain);
      if (rest.empty()) break;
      if (const std::size_t colour = colour_length(rest); colour > 0) {
        shown += rest.substr(0, colour);
        rest.remove_prefix(colour);
        continue;
      }
      if (!to_the_end && may_be_incomplete(rest)) break;
      const std::size_t bytes = std::max<std::size_t>(1, utf8_length(rest));
      shown += printable(rest.substr(0, bytes), 4 * bytes);
      rest.remove_prefix(bytes);
    }
    waiting_.erase(0, waiting_.size() - rest.size());
    return target_->sputn(shown.data(), static_cast<std::streamsize>(shown.size())) ==
           static_cast<std::streamsize>(shown.size());
  }

 protected:
  int_type overflow(int_type byte) override {
    if (traits_type::eq_int_type(byte, traits_type::eof())) return traits_type::not_eof(byte);
    waiting_ += traits_type::to_char_type(byte);
    return pass(false) ? byte : traits_type::eof();
  }
  std::streamsize xsputn(const char* bytes, std::streamsize size) override {
    waiting_.append(bytes, static_cast<std::size_t>(size));
    return pass(false) ? size : 0;
  }
  int sync() override { return target_->pubsync(); }

 private:
  static std::size_t plain_bytes(std::string_view text) {
    std::size_t count = 0;
    while (count < text.size() &&
           ((text[count] >= ' ' && text[count] < '\x7f') || text[count] == '\n' || text[count] == '\t'))
      ++count;
    return count;
  }

  std::streambuf* target_;
  std::string waiting_;
};

class PrintableStreams::Stream {
 public:
  explicit Stream(std::ostream& stream) : stream_(stream), before_(stream.rdbuf()), buffer_(before_) {
    stream_.rdbuf(&buffer_);
  }
  ~Stream() {
    buffer_.pass(true);
    const std::ios_base::iostate state = stream_.rdstate();
    stream_.rdbuf(before_);
    stream_.setstate(state);
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

 private:
  std::ostream& stream_;
  std::streambuf* before_;
  PrintableBuffer buffer_;
};

PrintableStreams::PrintableStreams()
    : output_(std::make_unique<Stream>(std::cout)), error_(std::make_unique<Stream>(std::cerr)) {}
PrintableStreams::~PrintableStreams() = default;

std::ostream& operator<<(std::ostream& out, TerminalControl control) {
  if (auto* const filter = dynamic_cast<PrintableBuffer*>(out.rdbuf())) {
    if (!filter->control(control.sequence)) out.setstate(std::ios_base::badbit);
    return out;
  }
  return out << control.sequence;
}

}  // namespace assay::core

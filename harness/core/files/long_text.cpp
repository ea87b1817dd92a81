// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/files/long_text.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/core/files/descriptor.hpp"
#include "harness/core/files/sha256.hpp"
#include "harness/core/files/whole_file.hpp"

namespace assay::core {
namespace {

constexpr std::size_t copied_at_once = std::size_t{1} << 16;

[[noreturn]] void no_room(int why) {
  throw Error(
      ErrorKind::system,
      fmt::format("a temporary file cannot be written: {} (TMPDIR names another folder)", std::strerror(why)),
      why);
}

/// Gone with its descriptor, also after a kill.
Descriptor unnamed_file() {
  const char* const chosen = std::getenv("TMPDIR");
  int why = ENOENT;
  for (const char* folder : {chosen, "/var/tmp", "/tmp"}) {
    if (folder == nullptr || *folder == '\0') continue;
    std::string name = std::string(folder) + "/assay-XXXXXX";
    Descriptor file(::mkostemp(name.data(), O_CLOEXEC));
    if (!file) {
      why = errno;
      continue;
    }
    ::unlink(name.c_str());
    return file;
  }
  no_room(why);
}

}  // namespace

struct LongText::Bytes {
  std::string held;  // all, or none where there is a file
  Descriptor file;
  std::size_t size = 0;
  std::string digest;

  void add(std::string_view piece) {
    held.append(piece);
    size += piece.size();
    if (held.size() > most_held) move_to_file();
  }
  void move_to_file() {
    if (!file) file = unnamed_file();
    if (const int error = write_bytes(file.get(), held); error != 0) no_room(error);
    held.clear();
  }
  void finish(std::string its_digest) {
    digest = std::move(its_digest);
    if (file) move_to_file();
    held.shrink_to_fit();
  }
  std::size_t read(char* to, std::size_t wanted, std::size_t at) const {
    if (!file) return held.copy(to, wanted, at);
    for (;;) {
      const ssize_t got = ::pread(file.get(), to, wanted, static_cast<off_t>(at));
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR) throw Error(ErrorKind::system, "a temporary file cannot be read", errno);
    }
  }
};

LongText::LongText(std::string_view text) : LongText(of([text](const ByteSink& sink) { sink(text); })) {}

LongText LongText::of(const ByteWriter& write) {
  auto bytes = std::make_shared<Bytes>();
  Sha256 digest;
  write([&](std::string_view piece) {
    digest.add(piece);
    bytes->add(piece);
  });
  bytes->finish(digest.digits());
  return LongText(std::shared_ptr<const Bytes>(std::move(bytes)));
}

std::size_t LongText::size() const { return bytes_->size; }

const std::string& LongText::digest() const { return bytes_->digest; }

ByteSource LongText::source() const {
  return [bytes = bytes_, at = std::size_t{0}](char* to, std::size_t size) mutable {
    const std::size_t got = bytes->read(to, size, at);
    at += got;
    return got;
  };
}

void LongText::write_to(const ByteSink& sink) const {
  const ByteSource from = source();
  std::string piece(std::min(copied_at_once, size()), '\0');
  while (const std::size_t got = from(piece.data(), piece.size()))
    sink(std::string_view(piece).substr(0, got));
}

std::string LongText::text() const {
  std::string text;
  text.reserve(size());
  write_to([&](std::string_view piece) { text += piece; });
  return text;
}

bool LongText::operator==(const LongText& other) const {
  return size() == other.size() && digest() == other.digest();
}

}  // namespace assay::core

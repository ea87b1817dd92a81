// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/handshake/munge.hpp"

#include <fmt/format.h>
#include <sys/types.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>

#include "harness/core/error.hpp"
#include "harness/core/files/shared_library.hpp"

namespace assay::team {
namespace {

// Numbers and signatures of libmunge.so.2 (munge.h): its headers need not be installed.
constexpr int success = 0, cred_expired = 15, cred_rewound = 16, cred_replayed = 17;
constexpr int opt_cipher = 0, opt_socket = 8, opt_uid_restriction = 9;
constexpr int cipher_aes128 = 4;  // never none: the payload is a secret

class MungeLibrary {
 public:
  MungeLibrary() : library_("libmunge.so.2", core::ErrorKind::team, core::SharedLibrary::AtEnd::stay) {
    library_.find("munge_ctx_create", create);
    library_.find("munge_ctx_destroy", destroy);
    library_.find("munge_ctx_set", set);
    library_.find("munge_encode", encode);
    library_.find("munge_decode", decode);
    library_.find("munge_strerror", words_of);
  }
  static const MungeLibrary& opened() {
    static const MungeLibrary library;
    return library;
  }

  void* (*create)() = nullptr;
  void (*destroy)(void*) = nullptr;
  int (*set)(void*, int, ...) = nullptr;
  int (*encode)(char**, void*, const void*, int) = nullptr;
  int (*decode)(const char*, void*, void**, int*, uid_t*, gid_t*) = nullptr;
  const char* (*words_of)(int) = nullptr;

 private:
  core::SharedLibrary library_;
};

using Context = std::unique_ptr<void, void (*)(void*)>;

Context make_context(const MungeLibrary& munge) {
  Context context(munge.create(), munge.destroy);
  const char* socket = std::getenv("ASSAY_MUNGE_SOCKET");
  if (socket != nullptr && *socket != '\0') munge.set(context.get(), opt_socket, socket);
  return context;
}

struct FreeMalloced {
  void operator()(void* memory) const noexcept { std::free(memory); }
};

[[noreturn]] void munge_failed(const std::string& what) {
  throw core::Error(core::ErrorKind::team, "MUNGE: " + what);
}

}  // namespace

bool munge_answers() {
  try {
    credential_with("?");
    return true;
  } catch (const core::Error&) {
    return false;
  }
}

std::string credential_with(const std::string& secret) {
  const MungeLibrary& munge = MungeLibrary::opened();
  const Context context = make_context(munge);
  munge.set(context.get(), opt_cipher, cipher_aes128);
  munge.set(context.get(), opt_uid_restriction, geteuid());
  char* made = nullptr;
  const int code = munge.encode(&made, context.get(), secret.data(), static_cast<int>(secret.size()));
  const std::unique_ptr<char, FreeMalloced> owner(made);
  if (code != success || made == nullptr) munge_failed(munge.words_of(code));
  return made;
}

std::string secret_of_credential(const std::string& credential) {
  const MungeLibrary& munge = MungeLibrary::opened();
  const Context context = make_context(munge);
  void* payload = nullptr;
  int size = 0;
  uid_t user = 0;
  gid_t group = 0;
  const int code = munge.decode(credential.c_str(), context.get(), &payload, &size, &user, &group);
  const std::unique_ptr<void, FreeMalloced> owner(payload);
  if (code != success && code != cred_expired && code != cred_rewound && code != cred_replayed)
    munge_failed(munge.words_of(code));
  if (user != geteuid())
    munge_failed(fmt::format("a credential of user {}, not of user {}", user, geteuid()));
  return {static_cast<const char*>(payload), static_cast<std::size_t>(size)};
}

}  // namespace assay::team

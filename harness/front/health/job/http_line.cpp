// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/health/job/http_line.hpp"

#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <memory>
#include <stdexcept>
#include <system_error>

#include "harness/core/files/descriptor.hpp"
#include "harness/core/files/handle.hpp"
#include "harness/core/process/ready_within.hpp"
#include "harness/core/seconds_since.hpp"
#include "harness/front/health/job/resolve.hpp"

namespace assay::health {
namespace {

class Deadline {
 public:
  explicit Deadline(double limit_s) : limit_s_(limit_s), end_s_(core::steady_seconds() + limit_s) {}

  double left_s() const { return std::max(0.0, end_s_ - core::steady_seconds()); }
  void wait(int descriptor, short events, const char* what) const {
    std::array waiting{pollfd{descriptor, events, 0}};
    if (core::ready_within(waiting, left_s()) == 0)
      throw std::runtime_error(fmt::format("{} within {:g} s", what, limit_s_));
  }

 private:
  double limit_s_, end_s_;
};

std::string error_text(int code) { return std::generic_category().message(code); }

core::Descriptor connected_to(const SocketAddress& address, const Deadline& deadline) {
  core::Descriptor line(::socket(address.bytes.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!line) throw std::runtime_error(error_text(errno));
  if (::connect(line.get(), reinterpret_cast<const sockaddr*>(&address.bytes), address.size) == 0)
    return line;
  if (errno != EINPROGRESS) throw std::runtime_error(error_text(errno));
  deadline.wait(line.get(), POLLOUT, "no connection");
  int code = 0;
  socklen_t size = sizeof(code);
  ::getsockopt(line.get(), SOL_SOCKET, SO_ERROR, &code, &size);
  if (code != 0) throw std::runtime_error(error_text(code));
  return line;
}

/// The first of the addresses that takes a connection; where none does, why the last does not.
core::Descriptor connected_to(const RegistryAddress& server, const Deadline& deadline) {
  const Resolved found = resolve(server.host, server.port, deadline.left_s());
  std::string why = found.why;
  for (const SocketAddress& address : found.addresses) try {
      return connected_to(address, deadline);
    } catch (const std::runtime_error& error) {
      why = fmt::format("{}: {}", address.text(), error.what());
    }
  throw std::runtime_error(why);
}

class Line {
 public:
  virtual ~Line() = default;
  /// As send() and recv() of a socket that blocks until the deadline.
  virtual std::size_t send(const char* bytes, std::size_t size) = 0;
  virtual std::size_t receive(char* bytes, std::size_t size) = 0;
};

class PlainLine : public Line {
 public:
  PlainLine(core::Descriptor socket, const Deadline& deadline)
      : socket_(std::move(socket)), deadline_(deadline) {}

  std::size_t send(const char* bytes, std::size_t size) override {
    return moved([&] { return ::send(socket_.get(), bytes, size, MSG_NOSIGNAL); }, POLLOUT);
  }
  std::size_t receive(char* bytes, std::size_t size) override {
    return moved([&] { return ::recv(socket_.get(), bytes, size, 0); }, POLLIN);
  }

 private:
  template <class Move>
  std::size_t moved(const Move& move, short events) {
    while (true) {
      const ssize_t count = move();
      if (count >= 0) return static_cast<std::size_t>(count);
      if (errno == EAGAIN)
        deadline_.wait(socket_.get(), events, "connected, no answer");
      else if (errno != EINTR)
        throw std::runtime_error(error_text(errno));
    }
  }

  core::Descriptor socket_;
  const Deadline& deadline_;
};

/// Certificates are verified against the system's, or those of SSL_CERT_FILE, as container runtimes do.
class EncryptedLine : public Line {
 public:
  EncryptedLine(core::Descriptor socket, const std::string& host, const Deadline& deadline)
      : socket_(std::move(socket)), deadline_(deadline), context_(::SSL_CTX_new(::TLS_client_method())) {
    if (!context_ || ::SSL_CTX_set_default_verify_paths(context_.get()) != 1) refuse();
    ::SSL_CTX_set_verify(context_.get(), SSL_VERIFY_PEER, nullptr);
    session_.reset(::SSL_new(context_.get()));
    if (!session_ || ::SSL_set_fd(session_.get(), socket_.get()) != 1) refuse();
    const core::Handle<ASN1_OCTET_STRING*, ::ASN1_OCTET_STRING_free> number(::a2i_IPADDRESS(host.c_str()));
    if (number)
      ::X509_VERIFY_PARAM_set1_ip_asc(::SSL_get0_param(session_.get()), host.c_str());
    else if (::SSL_set1_host(session_.get(), host.c_str()) != 1 ||
             ::SSL_set_tlsext_host_name(session_.get(), host.c_str()) != 1)
      refuse();
    moved([&] { return ::SSL_connect(session_.get()); });
  }

  std::size_t send(const char* bytes, std::size_t size) override {
    return moved([&] { return ::SSL_write(session_.get(), bytes, static_cast<int>(size)); });
  }
  std::size_t receive(char* bytes, std::size_t size) override {
    return moved([&] { return ::SSL_read(session_.get(), bytes, static_cast<int>(size)); });
  }

 private:
  template <class Move>
  std::size_t moved(const Move& move) {
    while (true) {
      ::ERR_clear_error();
      const int count = move();
      if (count > 0) return static_cast<std::size_t>(count);
      const int why = ::SSL_get_error(session_.get(), count);
      if (why == SSL_ERROR_ZERO_RETURN) return 0;
      if (why != SSL_ERROR_WANT_READ && why != SSL_ERROR_WANT_WRITE) refuse();
      deadline_.wait(socket_.get(), why == SSL_ERROR_WANT_READ ? POLLIN : POLLOUT,
                     "connected, no TLS answer");
    }
  }
  [[noreturn]] void refuse() const {
    const long verified = session_ ? ::SSL_get_verify_result(session_.get()) : X509_V_OK;
    if (verified != X509_V_OK)
      throw std::runtime_error(fmt::format("certificate: {}", ::X509_verify_cert_error_string(verified)));
    const char* const why = ::ERR_reason_error_string(::ERR_peek_error());
    throw std::runtime_error(fmt::format("TLS: {}", why == nullptr ? "the connection ended" : why));
  }

  core::Descriptor socket_;
  const Deadline& deadline_;
  core::Handle<SSL_CTX*, ::SSL_CTX_free> context_;
  core::Handle<SSL*, ::SSL_free> session_;
};

/// TLS writes to its socket as write() does, which ends a program whose peer has gone by a signal.
class WithoutPipeSignal {
 public:
  WithoutPipeSignal() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~WithoutPipeSignal() {
    const timespec none{};
    if (sigismember(&before_, SIGPIPE) == 0) sigtimedwait(&pipe_, nullptr, &none);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  WithoutPipeSignal(const WithoutPipeSignal&) = delete;
  WithoutPipeSignal& operator=(const WithoutPipeSignal&) = delete;

 private:
  sigset_t pipe_{}, before_{};
};

std::unique_ptr<Line> line_to(const RegistryAddress& server, const Deadline& deadline) {
  core::Descriptor socket = connected_to(server, deadline);
  if (server.encrypted) return std::make_unique<EncryptedLine>(std::move(socket), server.host, deadline);
  return std::make_unique<PlainLine>(std::move(socket), deadline);
}

}  // namespace

std::string first_line_of_answer(const RegistryAddress& server, const std::string& request,
                                 double deadline_s) {
  const WithoutPipeSignal no_signal;
  const Deadline deadline(deadline_s);
  const std::unique_ptr<Line> line = line_to(server, deadline);
  for (std::size_t sent = 0; sent < request.size();)
    sent += line->send(request.data() + sent, request.size() - sent);
  constexpr std::size_t most = 4096;
  std::string text;
  std::array<char, 512> block{};
  while (text.find('\n') == std::string::npos && text.size() < most) {
    const std::size_t got = line->receive(block.data(), block.size());
    if (got == 0) break;
    text.append(block.data(), got);
  }
  return text.substr(0, text.find_first_of("\r\n"));
}

}  // namespace assay::health

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A registry over TLS, with a certificate of its own making.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <thread>

#include "harness/core/files/handle.hpp"
#include "harness/front/health/job/job_answers.hpp"
#include "harness/front/health/tests/listener.hpp"
#include "harness/machine/tests/fake_node.hpp"
#include "harness/machine/tests/with_setting.hpp"

namespace assay::health {
namespace {

using Key = core::Handle<EVP_PKEY*, ::EVP_PKEY_free>;
using Certificate = core::Handle<X509*, ::X509_free>;

Key made_key() {
  const core::Handle<EVP_PKEY_CTX*, ::EVP_PKEY_CTX_free> maker(
      ::EVP_PKEY_CTX_new_id(EVP_PKEY_ED25519, nullptr));
  EVP_PKEY* key = nullptr;
  ::EVP_PKEY_keygen_init(maker.get());
  ::EVP_PKEY_keygen(maker.get(), &key);
  return Key(key);
}

/// Signed by itself, for an address ("IP:127.0.0.1").
Certificate made_certificate(EVP_PKEY* key, const char* whose) {
  Certificate made(::X509_new());
  ::X509_set_version(made.get(), 2);
  ::ASN1_INTEGER_set(::X509_get_serialNumber(made.get()), 1);
  ::X509_gmtime_adj(::X509_getm_notBefore(made.get()), -60);
  ::X509_gmtime_adj(::X509_getm_notAfter(made.get()), 3600);
  ::X509_set_pubkey(made.get(), key);
  X509_NAME* const name = ::X509_get_subject_name(made.get());
  ::X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>("registry"),
                               -1, -1, 0);
  ::X509_set_issuer_name(made.get(), name);
  const core::Handle<X509_EXTENSION*, ::X509_EXTENSION_free> names(
      ::X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, whose));
  ::X509_add_ext(made.get(), names.get(), -1);
  ::X509_sign(made.get(), key, nullptr);
  return made;
}

class EncryptedRegistry : public testing::Test {
 protected:
  /// Asks a registry whose certificate is for `whose`; the system trusts it or does not.
  ServiceAnswer ask(const char* whose, bool trusted) {
    const Key key = made_key();
    const Certificate certificate = made_certificate(key.get(), whose);
    folder_.write("/trusted.pem", trusted ? text_of(certificate.get()) : "");
    const machine::WithSetting file("SSL_CERT_FILE", folder_.root() + "/trusted.pem");
    const machine::WithSetting none("SSL_CERT_DIR", folder_.root() + "/none");
    std::thread server([&] { serve_one(key.get(), certificate.get()); });
    const ServiceAnswer answer = ask_registry(listener_.address("https"), patience_s);
    server.join();
    return answer;
  }

 private:
  static std::string text_of(X509* certificate) {
    const core::Handle<BIO*, ::BIO_free> memory(::BIO_new(::BIO_s_mem()));
    ::PEM_write_bio_X509(memory.get(), certificate);
    char* text = nullptr;
    const long size = BIO_get_mem_data(memory.get(), &text);
    return {text, static_cast<std::size_t>(size)};
  }
  void serve_one(EVP_PKEY* key, X509* certificate) const {
    const core::Handle<SSL_CTX*, ::SSL_CTX_free> context(::SSL_CTX_new(::TLS_server_method()));
    ::SSL_CTX_use_certificate(context.get(), certificate);
    ::SSL_CTX_use_PrivateKey(context.get(), key);
    const core::Descriptor socket = listener_.accept();
    const core::Handle<SSL*, ::SSL_free> session(::SSL_new(context.get()));
    ::SSL_set_fd(session.get(), socket.get());
    char request[512];
    if (::SSL_accept(session.get()) != 1 || ::SSL_read(session.get(), request, sizeof(request)) <= 0) return;
    const std::string answer = "HTTP/1.1 401 Unauthorized\r\n\r\n";
    ::SSL_write(session.get(), answer.data(), static_cast<int>(answer.size()));
  }

  Listener listener_;
  machine::FakeNode folder_;
};

TEST_F(EncryptedRegistry, WithATrustedCertificateAnswers) {
  const ServiceAnswer answer = ask("IP:127.0.0.1", true);
  EXPECT_TRUE(answer.good);
  EXPECT_EQ(answer.evidence, "answers, and wants credentials (401)");
}

TEST_F(EncryptedRegistry, WithACertificateThatNobodyTrustsIsRefused) {
  const ServiceAnswer answer = ask("IP:127.0.0.1", false);
  EXPECT_FALSE(answer.good);
  EXPECT_EQ(answer.evidence, "certificate: self-signed certificate");
}

TEST_F(EncryptedRegistry, WithTheCertificateOfAnotherIsRefused) {
  EXPECT_EQ(ask("IP:127.0.0.2", true).evidence, "certificate: IP address mismatch");
}

}  // namespace
}  // namespace assay::health

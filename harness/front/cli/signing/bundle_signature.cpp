// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/signing/bundle_signature.hpp"

#include <fmt/format.h>

#include <sstream>
#include <string_view>
#include <vector>

#include "harness/core/error.hpp"
#include "harness/core/files/input_file.hpp"
#include "harness/core/files/whole_file.hpp"
#include "harness/front/cli/signing/ssh_keygen.hpp"

namespace assay::cli {
namespace {

/// Signatures for other purposes are not taken for a bundle's.
constexpr const char* signed_as = "assay-bundle";

std::vector<std::string> lines_in(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    if (!line.empty()) lines.push_back(line);
  return lines;
}

/// The reason opens what it says of a signature.
std::string reason_in(const SshKeygen::Said& said) {
  const std::vector<std::string> lines = lines_in(said.errors);
  return lines.empty() ? fmt::format("ssh-keygen ended with {}", said.exit_code) : lines.front();
}

/// "Good "assay-bundle" signature for ops@site with ED25519 key SHA256:..."
std::string signer_in(const std::string& good, const std::string& principal) {
  const std::size_t with = good.rfind(" with ");
  const std::size_t end = good.find_last_not_of("\n");
  return principal + (with == std::string::npos ? "" : good.substr(with, end + 1 - with));
}

void refuse_missing(const std::string& bundle, const std::string& signers) {
  if (!core::is_there(signature_file_of(bundle)))
    core::usage_error(fmt::format("{}: not signed: expected {}, which assay bundle --sign writes", bundle,
                                  signature_file_of(bundle)));
  if (!core::is_there(signers))
    core::usage_error(
        fmt::format("--signers {}: not there: expected a file of allowed signers (ssh-keygen(1))", signers));
}

}  // namespace

std::string signature_file_of(const std::string& bundle) { return bundle + ".sig"; }

std::string signature_of(const std::string& seal, const std::string& key) {
  const SshKeygen keygen("--sign");
  const std::string file = keygen.file("seal", seal + "\n");
  const SshKeygen::Said said = keygen.run({"-Y", "sign", "-f", key, "-n", signed_as, file});
  if (said.exit_code == 0) return core::read_whole_file(signature_file_of(file));
  const std::vector<std::string> lines = lines_in(said.errors);  // warnings come first
  core::usage_error(
      fmt::format("--sign {}: not signed: {}", key, lines.empty() ? "no reason given" : lines.back()));
}

std::string signer_of(const std::string& bundle, const std::string& seal, const std::string& signers) {
  const SshKeygen keygen("--signers");
  refuse_missing(bundle, signers);
  const std::string signature = signature_file_of(bundle);
  const SshKeygen::Said found = keygen.run({"-Y", "find-principals", "-s", signature, "-f", signers});
  if (found.exit_code != 0)
    core::usage_error(
        fmt::format("{}: its key is of no signer that {} allows: {}", signature, signers, reason_in(found)));
  const std::string file = keygen.file("seal", seal + "\n");
  std::string why;
  for (const std::string& principal : lines_in(found.output)) {
    const SshKeygen::Said said =
        keygen.run({"-Y", "verify", "-f", signers, "-I", principal, "-n", signed_as, "-s", signature}, file);
    if (said.exit_code == 0) return signer_in(said.output, principal);
    why = reason_in(said);
  }
  core::usage_error(fmt::format("{}: not of this bundle's seal, {}: {}", signature, seal, why));
}

}  // namespace assay::cli

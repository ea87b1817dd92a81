// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A bundle's maker: an SSH signature (OpenSSH, PROTOCOL.sshsig) over the bundle's seal and a line feed, in a
// file next to the bundle. The seal ends the chain of all digests, so that it stands for every byte of the
// evidence.
#pragma once

#include <string>

namespace assay::cli {

/// "rack7.bundle.sig"
std::string signature_file_of(const std::string& bundle);

/// The armoured signature by this key: a private key's file, or a public key's whose private one an agent
/// holds. Throws a usage Error with ssh-keygen's reason.
std::string signature_of(const std::string& seal, const std::string& key);

/// The signer of the bundle of this seal, by a file of allowed signers (ssh-keygen(1)): "ops@site with
/// ED25519 key SHA256:...". Throws a usage Error where there is no signature, it is of a key that is not
/// allowed, or it is of another seal.
std::string signer_of(const std::string& bundle, const std::string& seal, const std::string& signers);

}  // namespace assay::cli

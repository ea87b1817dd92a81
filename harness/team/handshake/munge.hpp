// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// MUNGE (github.com/dun/munge), which clusters with Slurm have: a daemon on each host vouches for the user of
// a process. libmunge is opened at run time.
#pragma once

#include <string>

namespace assay::team {

/// True where libmunge is installed and its daemon answers. ASSAY_MUNGE_SOCKET names another socket than the
/// usual.
bool munge_answers();

/// A credential out of which only processes of this user, on hosts that share MUNGE's key, can take the
/// secret. Throws core::Error (team) in MUNGE's words.
std::string credential_with(const std::string& secret);

/// Throws core::Error (team) where the credential is another user's, is meant for another, or was changed.
/// One that is old or was read before is taken: what is fresh is the challenge that the secret then answers.
std::string secret_of_credential(const std::string& credential);

}  // namespace assay::team

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The contents of a bundle: the records, what they are judged by, and what was said of them when it was made.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/core/files/byte_stream.hpp"
#include "harness/core/files/long_text.hpp"
#include "results/bundle/tar.hpp"
#include "results/judge/judges.hpp"

namespace assay::results {

inline constexpr int bundle_version = 2;

struct BundledEvidence {
  std::string assay_version, source_revision;  // of the program that made the bundle
  JudgeOrder order;
  core::LongText records;        // lines of a journal
  std::vector<RunDoubt> damage;  // of the journals that the store was made of: lines, clocks
  /// Files by the input that they are for (judges.hpp), each as it was read: "limits/NAME.toml" of "limits".
  std::map<std::string, std::vector<Member>, std::less<>> files;
  core::LongText verdicts, text;  // what was said, for programs (JSON) and for people
};

struct Bundle {
  BundledEvidence evidence;
  std::string seal;  // ends its chain
};

/// Gives the bytes of a bundle to the sink, and returns its seal. What cannot be packed throws before the
/// first byte.
std::string pack(const BundledEvidence& evidence, const core::ByteSink& sink);

/// Throws std::runtime_error with one line: not there, no bundle, altered (naming the member), of another
/// version.
Bundle read_bundle(const std::string& file);
/// Reads a bundle from its bytes, as read_bundle() does from its file; `where` names them in messages.
Bundle unpack(const core::ByteSource& bytes, const std::string& where);

/// A file of the user as a member: "limits/h100.toml" of "../h100.toml"; a folder where it is tagged, as one
/// text. Throws std::runtime_error where it cannot be read.
Member member_from(const std::string& folder, const std::string& file);

}  // namespace assay::results

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The one exception of the project: a measurement that could not be made, or input that cannot be used.
#pragma once

#include <source_location>
#include <stdexcept>
#include <string>

namespace assay::core {

enum class ErrorKind { usage, system, cuda, cublas, nvml, onednn, blas, nccl, mpi, verbs, team };

class Error : public std::runtime_error {
 public:
  /// `code` is the native code of the API that failed (errno, cudaError_t, ...), 0 where there is none.
  Error(ErrorKind kind, const std::string& what, long code = 0,
        std::source_location where = std::source_location::current());

  ErrorKind kind() const { return kind_; }
  long code() const { return code_; }
  const std::source_location& where() const { return where_; }

  /// True when this process can measure nothing more (a corrupted CUDA context): write, then end.
  bool poisons_process() const { return poisons_process_; }
  Error& poison() {
    poisons_process_ = true;
    return *this;
  }

 private:
  ErrorKind kind_;
  long code_;
  std::source_location where_;
  bool poisons_process_ = false;
};

/// This machine cannot do this, which only a trial shows: the point is `unsupported`, not `failed`.
class Unsupported : public Error {
 public:
  using Error::Error;
};

/// It took longer than it may: the point is `timeout`, and the text says who or what was late.
class TimedOut : public Error {
 public:
  using Error::Error;
};

/// It was asked to stop and gave up waiting: nothing is known of the point, and a resumed run measures it.
class Interrupted : public Error {
 public:
  using Error::Error;
};

/// Bad input from the user: one clear line saying where and what was expected, made printable and cut where
/// `what` holds parts of the input. Ends with exit code 2.
[[noreturn]] void usage_error(const std::string& what,
                              std::source_location where = std::source_location::current());

std::string to_string(ErrorKind kind);

}  // namespace assay::core

// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One owner for every C handle that is a pointer: Handle<cudaStream_t, cudaStreamDestroy>.
#pragma once

#include <memory>
#include <type_traits>

namespace assay::core {

template <auto Destroy>
struct DestroyWith {
  template <class Pointer>
  void operator()(Pointer resource) const noexcept {
    static_cast<void>(Destroy(resource));
  }
};

template <class Pointer, auto Destroy>
using Handle = std::unique_ptr<std::remove_pointer_t<Pointer>, DestroyWith<Destroy>>;

}  // namespace assay::core

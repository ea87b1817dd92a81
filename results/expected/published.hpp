// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Figures that others published about machines, each with its source: published.toml, which the program
// holds, and files of a site in the same form. None was measured by assay.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "harness/core/describe/field.hpp"
#include "harness/core/text/toml_section.hpp"
#include "harness/core/words.hpp"

namespace assay::results::expected {

/// A machine by its data sheet; 0: not stated.
struct System {
  std::string name, gpu, source;  // "h100-sxm"; a glob over names of GPUs
  std::int64_t gpus_per_node = 8, domain_gpus = 0;
  double link_gb_per_s = 0;       // of one GPU, in one direction, over switches
  double mesh_link_gb_per_s = 0;  // of one link, where each two GPUs have one
  bool switches_reduce = false;
  std::int64_t cache_bytes = 0;  // the last before the GPU's memory
  double memory_gb_per_s = 0, tflops_16bit = 0, tflops_8bit = 0;

  /// GPUs that links within a node or a rack join.
  std::int64_t domain() const { return domain_gpus > 0 ? domain_gpus : gpus_per_node; }
};
/// Keys of [[system]].
constexpr auto fields_of(core::Type<System>) {
  using core::Field;
  return std::tuple(Field<"name", &System::name>{core::identity.saying("a name such as h100-sxm")},
                    Field<"gpu", &System::gpu>{core::identity.saying("a glob over names of GPUs")},
                    Field<"source", &System::source>{core::identity.saying("the data sheet")},
                    Field<"gpus_per_node", &System::gpus_per_node>{core::above_zero},
                    Field<"domain_gpus", &System::domain_gpus>{core::above_zero.where_known()},
                    Field<"link_gb_per_s", &System::link_gb_per_s>{core::above_zero.where_known()},
                    Field<"mesh_link_gb_per_s", &System::mesh_link_gb_per_s>{core::above_zero.where_known()},
                    Field<"switches_reduce", &System::switches_reduce>{core::any_value.where_known()},
                    Field<"memory_gb_per_s", &System::memory_gb_per_s>{core::above_zero.where_known()},
                    Field<"cache_bytes", &System::cache_bytes>{core::above_zero.where_known()},
                    Field<"tflops_16bit", &System::tflops_16bit>{core::above_zero.where_known()},
                    Field<"tflops_8bit", &System::tflops_8bit>{core::above_zero.where_known()});
}

enum class PublishedKind { typical, minimum, peak };
inline constexpr auto published_kinds = core::words_of<PublishedKind>("typical", "minimum", "peak");

struct PublishedValue {
  std::string system, operation, unit, source;
  double value = 0;
  PublishedKind kind = PublishedKind::typical;
  std::string network = {}, settings = {}, date = {};  // settings: of another run than the usual one
  std::int64_t gpus = 0, nodes = 0;                    // 0: not stated
  std::optional<std::int64_t> bytes = {};
};
/// Keys of [[value]], besides kind and bytes.
constexpr auto fields_of(core::Type<PublishedValue>) {
  using core::Field;
  constexpr core::Terms text = core::any_value.where_known();
  return std::tuple(
      Field<"system", &PublishedValue::system>{core::identity.saying("a name of [[system]]")},
      Field<"operation", &PublishedValue::operation>{core::identity.saying("such as all_reduce")},
      Field<"unit", &PublishedValue::unit>{core::identity.saying("GB/s or TFLOP/s")},
      Field<"source", &PublishedValue::source>{core::identity.saying("who says so")},
      Field<"value", &PublishedValue::value>{core::above_zero},
      Field<"network", &PublishedValue::network>{text}, Field<"settings", &PublishedValue::settings>{text},
      Field<"date", &PublishedValue::date>{text},
      Field<"gpus", &PublishedValue::gpus>{core::above_zero.where_known()},
      Field<"nodes", &PublishedValue::nodes>{core::above_zero.where_known()});
}

struct Published {
  std::vector<System> systems;
  std::vector<PublishedValue> values;

  /// Null for a name that none has.
  const System* system(std::string_view name) const;
  /// The one whose GPU has this name; null where none or several match.
  const System* system_of_gpu(std::string_view gpu) const;
};

/// The values that ship, and those of `site_files` after them. Throws a usage Error with file, line and key.
Published published_values(const std::vector<std::string>& site_files);

/// The text of published.toml.
extern const std::string_view shipped_text;

}  // namespace assay::results::expected

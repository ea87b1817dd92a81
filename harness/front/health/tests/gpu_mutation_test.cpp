// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Every field of every kind that the driver reports of a GPU: missing, empty, of another type, extreme, equal
// to the neighbour's or unlike it; of one GPU and of all.
#include <gtest/gtest.h>

#include "harness/front/health/finding_verdicts.hpp"
#include "harness/front/health/snapshot/snapshot.hpp"
#include "harness/front/health/tests/mutation_ward.hpp"

namespace assay::health {
namespace {

using nlohmann::json;

constexpr std::uint64_t ones_32 = 0xffffffffULL, above_32 = 0x100000000ULL, half_64 = 1ULL << 63U,
                        ones_64 = ~std::uint64_t{0};

/// `value` in the field of one GPU, then in that of all.
void put(MutationWard& ward, const std::string& field, const json& value) {
  const std::string what = field + " = " + value.dump();
  ward.gpus([&](json& table) { table["gpus"][3][field] = value; }, what);
  ward.gpus(
      [&](json& table) {
        for (json& gpu : table["gpus"]) gpu[field] = value;
      },
      what + " everywhere");
}

void put_all(MutationWard& ward, const std::string& field, const std::vector<json>& values) {
  for (const json& value : values) put(ward, field, value);
}

void drop(MutationWard& ward, const std::string& field) {
  ward.gpus([&](json& table) { table["gpus"][3].erase(field); }, field + " missing");
  ward.gpus(
      [&](json& table) {
        for (json& gpu : table["gpus"]) gpu.erase(field);
      },
      field + " missing everywhere");
}

/// Values of other types than that of `sample`.
std::vector<json> other_types(const json& sample) {
  std::vector<json> all{nullptr, json::object({{"nonsense", 1}})};
  if (!sample.is_string()) all.emplace_back("text");
  if (!sample.is_boolean()) all.emplace_back(true);
  if (!sample.is_array()) all.push_back(json::array({"nonsense"}));
  if (!sample.is_number()) all.emplace_back(7);
  if (sample.is_number_integer()) all.insert(all.end(), {json(-1), json(1.5)});
  return all;
}

TEST(MutatedGpus, OfEveryFieldThatIsMissingOrOfAnotherTypeNonePasses) {
  MutationWard ward("hgx_ib");
  const json row = ward.patient().gpus()["gpus"][3];
  for (const auto& [field, value] : row.items()) {
    drop(ward, field);
    put_all(ward, field, other_types(value));
  }
}

TEST(MutatedGpus, OfIdentitiesThatAreEmptyOrOfAnotherNonePasses) {
  MutationWard ward("hgx_ib");
  for (const char* field : {"name", "uuid", "serial", "vbios", "address"})
    put_all(ward, field, {"", " ", "\t", "N/A", "[N/A]", "Unknown", "Unknown Error", "Not Available"});
  for (const char* field : {"uuid", "serial", "address"})
    for (const int neighbour : {0, 2, 4, 7})
      ward.gpus([&](json& table) { table["gpus"][3][field] = table["gpus"][neighbour][field]; },
                std::string(field) + " as that of GPU " + std::to_string(neighbour));
  for (const char* field : {"uuid", "serial", "address"})
    ward.gpus(
        [&](json& table) {
          for (json& gpu : table["gpus"]) gpu[field] = table["gpus"][0][field];
        },
        std::string(field) + " equal on all");
  for (const char* name : {"NVIDIA H100 PCIe", "NVIDIA H100 NVL", "NVIDIA H200", "NVIDIA H100 80GB HBM3 ",
                           "NVIDIA A100-SXM4-80GB"})
    for (int gpu = 0; gpu < 8; ++gpu)
      ward.gpus([&](json& table) { table["gpus"][gpu]["name"] = name; }, name);
  for (int gpu = 0; gpu < 8; ++gpu)
    ward.gpus([&](json& table) { table["gpus"][gpu]["vbios"] = "96.00.30.00.01"; }, "another VBIOS");
}

TEST(MutatedGpus, OfStatesThatAreExtremeNonePasses) {
  MutationWard ward("hgx_ib");
  put_all(ward, "power_limit_w", {0, -1, 1, 19, 20, 100, 349, 1e4, 1e5, 1e300});
  put_all(ward, "default_power_limit_w", {0, -1, 1, 10, 100, 1e5, 1e300});
  ward.gpus([](json& table) { table["gpus"][3]["default_power_limit_w"] = 350.0; }, "another default");
  put_all(ward, "recovery_action", {1, 2, 3, 4, 5, 6, 99, 0x80000000U, ones_32, above_32, half_64, ones_64});
  put_all(ward, "clocks_event_reasons", {0x8, 0x40, 0x80, 0x48, ones_32, ones_64});
  for (unsigned bit = 9; bit < 64; ++bit) put(ward, "clocks_event_reasons", (std::uint64_t{1} << bit) | 0x4U);
  put(ward, "ecc_enabled", false);
  put(ward, "mig_enabled", true);
  put(ward, "sram_threshold_exceeded", true);
  put(ward, "lost", "GPU is lost");
  put_all(ward, "processes", {{1}, {0}, {4321, 4322}, {-1}, {1.5}, {true}, {nullptr}, {above_32}});
  for (const char* rows : {"corrected", "uncorrected"})
    for (const std::uint64_t count :
         {std::uint64_t{512}, std::uint64_t{0x80000000}, ones_32, above_32, ones_64})
      ward.gpus([&](json& table) { table["gpus"][3]["remapped_rows"][rows] = count; }, "remapped rows");
  for (const char* rows : {"corrected", "uncorrected", "pending", "failed"}) {
    ward.gpus([&](json& table) { table["gpus"][3]["remapped_rows"].erase(rows); }, "remapped rows cut");
    ward.gpus([&](json& table) { table["gpus"][3]["remapped_rows"][rows] = nullptr; }, "remapped rows null");
  }
  for (const char* rows : {"pending", "failed"})
    ward.gpus([&](json& table) { table["gpus"][3]["remapped_rows"][rows] = true; }, rows);
}

TEST(MutatedGpus, OfFabricsWhoseHealthIsBadOrUnknownNonePasses) {
  MutationWard ward("hgx_ib");
  const auto change = [&](const char* key, const json& value) {
    ward.gpus([&](json& table) { table["gpus"][3]["fabric_health"][key] = value; },
              std::string("fabric_health ") + key + " = " + value.dump());
  };
  constexpr unsigned healthy = 0x51aa;
  for (const unsigned shift : {0U, 2U, 4U, 6U})  // bandwidth, route recovery, routes, access timeouts
    for (const unsigned value : {0U, 1U, 3U}) change("mask", (healthy & ~(3U << shift)) | value << shift);
  for (unsigned value = 2; value < 16; ++value) change("mask", (healthy & ~0xf00U) | value << 8);
  for (const unsigned value : {2U, 3U}) change("mask", (healthy & ~0x3000U) | value << 12);  // partition
  change("mask", healthy | 0xc000U);  // of the fabric manager: 3
  for (unsigned bit = 16; bit < 32; ++bit) change("mask", healthy | 1U << bit);
  for (const unsigned summary : {2U, 3U, 4U, 255U}) change("summary", summary);
  for (const char* key : {"mask", "summary"})
    for (const json& other : other_types(1)) change(key, other);
  for (const std::uint64_t mask : {std::uint64_t{0}, ones_32, above_32, ones_64}) change("mask", mask);
  ward.gpus([](json& table) { table["gpus"][3]["fabric_health"].erase("mask"); }, "fabric_health cut");
}

TEST(MutatedGpus, OfCountersThatStandFullNonePasses) {
  MutationWard ward("hgx_ib");
  for (const std::string& counter : gpu_counter_names)
    put_all(ward, counter,
            {ones_32, std::uint64_t{2'000'000'000'000'000'000}, half_64, ones_64 - 1, ones_64, 1e30});
}

TEST(MutatedGpus, OfNvlinksNonePasses) {
  MutationWard ward("hgx_ib");
  put(ward, "nvlinks", json::array());
  for (int link = 0; link < 18; ++link) {
    const auto change = [&](const char* what, const std::function<void(json&)>& one) {
      ward.gpus([&](json& table) { one(table["gpus"][3]["nvlinks"]); },
                "NVLink " + std::to_string(link) + what);
    };
    change(" inactive", [&](json& links) { links[link]["active"] = false; });
    change(" missing", [&](json& links) { links.erase(link); });
    change(" twice", [&](json& links) { links[link]["index"] = (link + 1) % 18; });
    change(" added", [&](json& links) { links.push_back(links[link]); });
    for (const char* counter : {"replays", "recoveries", "crc_errors"}) {
      change(counter, [&](json& links) { links[link].erase(counter); });
      change(counter, [&](json& links) { links[link][counter] = ones_64; });
      change(counter, [&](json& links) { links[link][counter] = ones_32; });
      change(counter, [&](json& links) { links[link][counter] = "0"; });
    }
  }
}

TEST(MutatedGpus, OfNvlink5AreJudgedByItsOwnCounters) {
  Patient patient("hgx_ib");
  for (json& gpu : patient.gpus()["gpus"])
    for (json& link : gpu["nvlinks"])
      link = {{"index", link["index"]},
              {"active", true},
              {"recoveries", 0},
              {"receive_errors", 0},
              {"integrity_errors", 0}};
  EXPECT_EQ(verdict_word(patient.check()), "PASS");
  json& link = patient.gpus()["gpus"][3]["nvlinks"][4];
  const json sound = link;
  for (const char* counter : {"receive_errors", "integrity_errors", "recoveries"}) {
    link[counter] = ones_64;
    EXPECT_NE(verdict_word(patient.check()), "PASS") << counter;
    link.erase(counter);
    EXPECT_NE(verdict_word(patient.check()), "PASS") << counter;
    link = sound;
  }
}

TEST(MutatedGpus, WithoutNvlinksAmongGpusThatHaveThemDoNotPassWithoutAnExpectation) {
  Patient patient("hgx_ib");
  patient.gpus()["gpus"][3]["nvlinks"] = json::array();
  patient.forget_expectation();
  EXPECT_EQ(verdict_word(patient.check()), "FAIL");
}

TEST(MutatedGpus, OfTheTableItselfNonePasses) {
  MutationWard ward("hgx_ib");
  for (int gpu = 0; gpu < 8; ++gpu) ward.gpus([&](json& table) { table["gpus"].erase(gpu); }, "a GPU gone");
  ward.gpus([](json& table) { table["gpus"].push_back(table["gpus"][0]); }, "a GPU twice");
  ward.gpus([](json& table) { table["gpus"] = json::array(); }, "no GPU");
  for (const json& other : {json(nullptr), json::object(), json("x"), json(8)})
    ward.gpus([&](json& table) { table["gpus"] = other; }, "no list of GPUs");
  ward.gpus([](json& table) { table["unavailable"] = "driver/library version mismatch"; },
            "a driver in trouble");
  ward.gpus([](json& table) { table = json::array(); }, "no object");
}

}  // namespace
}  // namespace assay::health

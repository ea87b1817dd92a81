// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/record/secrets.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace assay::results {
namespace {

using testing::ElementsAre;

TEST(Secrets, AreKnownByAWordOfTheirName) {
  for (const char* name :
       {"ASSAY_TEAM_KEY", "NCCL_AUTH_TOKEN", "ucx_secret", "OMPI_MCA_db_passwd", "apiKey", "KEY",
        "aws-secret-access-key", "dbPassword", "HTTP_BEARER", "A_PASSPHRASE", "my.credentials"})
    EXPECT_TRUE(is_name_of_secret(name)) << name;
  for (const char* name : {"OMP_NUM_THREADS", "NCCL_IB_PKEY", "keyboard", "MONKEY", "COMPASS",
                           "tokens_per_second", "", "PASSES", "NCCL_SOCKET_IFNAME"})
    EXPECT_FALSE(is_name_of_secret(name)) << name;
}

// Made up, and put together here so that no scanner takes this file for one that holds a key.
const std::string letters = "0123456789abcdefghijABCDEFGHIJ0123456789";

TEST(Secrets, AreKnownByTheirForm) {
  const std::string aws = "IA" + letters.substr(0, 16), json = "JhbGciOiJIUzI1NiJ9.ey";
  for (const std::string& text :
       {"-----BEGIN " + std::string("PRIVATE KEY-----"), "AK" + aws, "gh" + ("p_" + letters),
        "x=glp" + ("at-" + letters), "ey" + json + "JzdWIiOiIxIn0." + letters,
        std::string("postgres://user:") + "word@host/db"})
    EXPECT_TRUE(has_form_of_secret(text)) << text;
  for (const std::string& text :
       {std::string("http://host:8080/path"), std::string("/home/u/.ssh/id_ed25519.pub"), std::string("AKIA"),
        std::string("mask-0123"), std::string("eyJ.x"), "task-" + letters,
        std::string("rsync://host/module@1")})
    EXPECT_FALSE(has_form_of_secret(text)) << text;
}

TEST(Secrets, OfACommandLineAreNamedWithoutAPartOfThem) {
  ContextRecord context;
  context.command_line = {"assay-memory", "gh" + ("p_" + letters),
                          std::string("http://user:") + "word@host/?a=b", "X_KEY=word", "--plan=quick"};
  EXPECT_THAT(take_out_secrets(context), ElementsAre("command_line", "command_line", "command_line.X_KEY"));
  const std::string left(secret_left_out);
  EXPECT_THAT(context.command_line, ElementsAre("assay-memory", left, left, "X_KEY=" + left, "--plan=quick"));
  EXPECT_THAT(take_out_secrets(context), ElementsAre());
}

TEST(Secrets, AreTakenOutWhereverTheyAre) {
  nlohmann::ordered_json value{
      {"a", {{"TOKEN", "x"}, {"b", 1}}}, {"KEY", ""}, {"list", {"ok", "gh" + ("p_" + letters)}}};
  EXPECT_THAT(take_out_secrets(value, "m"), ElementsAre("m.a.TOKEN", "m.list"));
  EXPECT_EQ(value.dump().find("\"x\""), std::string::npos);
  EXPECT_THAT(take_out_secrets(value, "m"), ElementsAre());
}

}  // namespace
}  // namespace assay::results

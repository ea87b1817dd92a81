// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/health/kernel_log/xid_actions.hpp"

#include <gtest/gtest.h>

#include "harness/core/tests/message_of.hpp"
#include "harness/core/tests/temporary_folder.hpp"

namespace assay::health {
namespace {

using core::tests::message_of;

XidActions actions_of(const std::string& toml) {
  const core::tests::TemporaryFolder folder;
  XidActions actions = read_xid_actions(folder.file("site.toml", toml));
  actions.file = "site.toml";
  return actions;
}

TEST(XidActions, OfASiteCountInsteadOfNvidias) {
  const XidActions actions = actions_of("ignore = [79]\nwarn = [48]\nfail = [13, 160]\n");
  EXPECT_EQ(text_of(actions), "Xids by site.toml: 79 ignore, 48 warn, 13 fail, 160 fail");
  KernelLog log = parse_kernel_log(
      "2,0,1,-;NVRM: Xid (PCI:0000:4b:00): 79, off\n2,1,2,-;NVRM: Xid (PCI:0000:4b:00): 48, x\n"
      "2,2,3,-;NVRM: Xid (PCI:0000:4b:00): 13, x\n2,3,4,-;NVRM: Xid (PCI:0000:4b:00): 160, x\n"
      "2,4,5,-;NVRM: Xid (PCI:0000:4b:00): 94, x\n2,5,6,-;nvidia-nvswitch3: SXid (PCI:0000:c1:00.0): 79, "
      "Fatal, x\n");
  apply(actions, log);
  ASSERT_EQ(log.records.size(), 6U);
  EXPECT_FALSE(log.records[0].event);
  EXPECT_EQ(log.records[1].event->status, Status::noticed);
  EXPECT_EQ(log.records[2].event->status, Status::failed);
  EXPECT_EQ(log.records[3].event->status, Status::failed);
  EXPECT_EQ(log.records[3].event->address, "0000:4b:00");
  EXPECT_EQ(log.records[4].event->status, Status::noticed);
  EXPECT_EQ(log.records[5].event->check, "kernel.sxid");
}

TEST(XidActions, ThatCannotBeUsedAreRefusedWithTheirLine) {
  const core::tests::TemporaryFolder folder;
  const auto said = [&](const std::string& toml) {
    const std::string file = folder.file("s.toml", toml);
    const std::string message = message_of([&] { read_xid_actions(file); });
    return message.starts_with(file) ? message.substr(file.size()) : message;
  };
  EXPECT_EQ(said("drop = [1]\n"), ":1: drop: unknown key (expected ignore, warn, fail)");
  EXPECT_EQ(said("ignore = 13\n"), ":1: expected a list of Xids, such as [13, 31]");
  EXPECT_EQ(said("ignore = [0]\n"), ":1: expected an Xid from 1 to 65535");
  EXPECT_EQ(said("ignore = [13]\nfail = [13]\n"), ":2: Xid 13 is there twice");
}

}  // namespace
}  // namespace assay::health

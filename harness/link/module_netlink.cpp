// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A module's memory by generic netlink: Linux, Documentation/networking/ethtool-netlink.rst,
// MODULE_EEPROM_GET. Numbers of include/uapi/linux/ethtool_netlink.h, which older headers lack.
#include <fmt/format.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "harness/core/files/descriptor.hpp"
#include "harness/link/module_memory.hpp"

namespace assay::link {
namespace {

enum : std::uint16_t {
  module_eeprom_get = 31,  // a command; attributes follow
  eeprom_header = 1,
  eeprom_offset = 2,
  eeprom_length = 3,
  eeprom_page = 4,
  eeprom_bank = 5,
  eeprom_i2c_address = 6,
  eeprom_data = 7,
  header_dev_name = 2
};

constexpr std::size_t head_bytes = NLMSG_HDRLEN + GENL_HDRLEN;

class Message {
 public:
  Message(std::uint16_t family, std::uint8_t command) : bytes_(head_bytes, '\0') {
    nlmsghdr head{};
    head.nlmsg_type = family;
    head.nlmsg_flags = NLM_F_REQUEST;
    genlmsghdr generic{};
    generic.cmd = command;
    generic.version = 1;
    std::memcpy(bytes_.data(), &head, sizeof(head));
    std::memcpy(bytes_.data() + NLMSG_HDRLEN, &generic, sizeof(generic));
  }

  Message& put(std::uint16_t type, std::string_view value) {
    bytes_ += attribute(type, value);
    return *this;
  }
  Message& put_name(std::uint16_t type, const std::string& name) {
    return put(type, std::string_view(name.c_str(), name.size() + 1));
  }
  template <class Number>
  Message& put_number(std::uint16_t type, Number value) {
    return put(type, std::string_view(reinterpret_cast<const char*>(&value), sizeof(value)));
  }
  Message& put_device(const std::string& netdev) {
    return put(eeprom_header | NLA_F_NESTED,
               attribute(header_dev_name, std::string_view(netdev.c_str(), netdev.size() + 1)));
  }

  const std::string& finish() {
    const auto size = static_cast<std::uint32_t>(bytes_.size());
    std::memcpy(bytes_.data(), &size, sizeof(size));
    return bytes_;
  }

 private:
  static std::string attribute(std::uint16_t type, std::string_view value) {
    nlattr head{};
    head.nla_len = static_cast<std::uint16_t>(NLA_HDRLEN + value.size());
    head.nla_type = type;
    std::string bytes(reinterpret_cast<const char*>(&head), sizeof(head));
    bytes += value;
    bytes.resize(NLA_ALIGN(bytes.size()));
    return bytes;
  }

  std::string bytes_;
};

/// The first attribute of this type; "" where there is none.
std::string attribute_of(std::string_view message, std::uint16_t type) {
  for (std::size_t at = head_bytes; at + NLA_HDRLEN <= message.size();) {
    nlattr head{};
    std::memcpy(&head, message.data() + at, sizeof(head));
    if (head.nla_len < NLA_HDRLEN || at + head.nla_len > message.size()) return "";
    if ((head.nla_type & NLA_TYPE_MASK) == type)
      return std::string(message.substr(at + NLA_HDRLEN, head.nla_len - NLA_HDRLEN));
    at += NLA_ALIGN(head.nla_len);
  }
  return "";
}

class GenericNetlink {
 public:
  GenericNetlink() : socket_(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC)) {
    constexpr timeval patience{5, 0};  // a module answers over a slow bus
    if (socket_) setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
  }

  /// The answer as a whole message; `why` where there is none.
  std::string ask(const std::string& message, std::string& why) const {
    if (!socket_ || send(socket_.get(), message.data(), message.size(), 0) < 0) {
      why = std::strerror(errno);
      return "";
    }
    std::string answer(8192, '\0');
    const ssize_t got = recv(socket_.get(), answer.data(), answer.size(), 0);
    nlmsghdr head{};
    if (got < static_cast<ssize_t>(head_bytes)) {
      why = got < 0 ? std::strerror(errno) : "the kernel's answer is cut off";
      return "";
    }
    answer.resize(static_cast<std::size_t>(got));
    std::memcpy(&head, answer.data(), sizeof(head));
    if (head.nlmsg_type != NLMSG_ERROR) return answer;
    nlmsgerr error{};
    std::memcpy(&error, answer.data() + NLMSG_HDRLEN,
                std::min(sizeof(error), answer.size() - static_cast<std::size_t>(NLMSG_HDRLEN)));
    why = std::strerror(-error.error);
    return "";
  }

  /// 0 where this kernel has none.
  std::uint16_t family(const std::string& name) const {
    std::string ignored;
    const std::string number = attribute_of(
        ask(Message(GENL_ID_CTRL, CTRL_CMD_GETFAMILY).put_name(CTRL_ATTR_FAMILY_NAME, name).finish(),
            ignored),
        CTRL_ATTR_FAMILY_ID);
    std::uint16_t id = 0;
    if (number.size() == sizeof(id)) std::memcpy(&id, number.data(), sizeof(id));
    return id;
  }

 private:
  core::Descriptor socket_;
};

}  // namespace

ReadModule module_in(const std::string& netdev) {
  return [netdev](int page, int offset) -> ModuleBytes {
    const GenericNetlink netlink;
    const std::uint16_t family = netlink.family("ethtool");
    if (family == 0) return {{}, "this kernel has no ethtool netlink"};
    constexpr std::uint32_t half_page = 128;
    constexpr std::uint8_t i2c_address = 0x50;
    Message question(family, module_eeprom_get);
    question.put_device(netdev)
        .put_number(eeprom_offset, static_cast<std::uint32_t>(offset))
        .put_number(eeprom_length, half_page)
        .put_number(eeprom_page, static_cast<std::uint8_t>(page))
        .put_number(eeprom_bank, std::uint8_t{0})
        .put_number(eeprom_i2c_address, i2c_address);
    std::string why;
    const std::string answer = netlink.ask(question.finish(), why);
    if (!why.empty()) return {{}, fmt::format("its module cannot be read: {}", why)};
    return {attribute_of(answer, eeprom_data), ""};
  };
}

}  // namespace assay::link

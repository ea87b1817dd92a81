# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Names and addresses of the virtual hosts, and the input of ip, rdma and tc that sets a host's network up.
PORT_PREFIX = 24


def host_name(host):
    return f"h{host}"


def address(rail, host):
    return f"10.77.{rail}.{host + 1}"


def hardware_address(rail, host):
    return f"52:54:00:77:{rail:02x}:{host + 1:02x}"


def link_local_address(rail, host):
    """The IPv6 address that the kernel makes from hardware_address (RFC 4291, appendix A)."""
    return f"fe80::5054:ff:fe77:{rail:02x}{host + 1:02x}"


def hosts_file(hosts, rails):
    """Text of /etc/hosts: h0, h1, ... on the first rail, h0-rail1, ... on the second."""
    lines = ["127.0.0.1 localhost"]
    for rail in range(rails):
        suffix = f"-rail{rail}" if rail else ""
        lines += [f"{address(rail, host)} {host_name(host)}{suffix}" for host in range(hosts)]
    return "".join(f"{line}\n" for line in lines)


def ip_batch(host, hosts, rails, mtu):
    """Neighbours are fixed: no packet ever waits for an answer to ARP, and a cut cable shows as loss."""
    lines = ["link set lo up"]
    for rail in range(rails):
        device = f"eth{rail}"
        lines += [f"link set {device} mtu {mtu}", f"link set {device} up",
                  f"addr add {address(rail, host)}/{PORT_PREFIX} dev {device}"]
        for other in range(hosts):
            if other != host:
                fixed = f"lladdr {hardware_address(rail, other)} dev {device} nud permanent"
                lines += [f"neigh replace {place(rail, other)} {fixed}" for place in (address, link_local_address)]
    return "".join(f"{line}\n" for line in lines)


def rdma_batch(rails):
    return "".join(f"link add rxe{rail} type rxe netdev eth{rail}\n" for rail in range(rails))


def tc_batch(netem):
    """netem: its arguments for each rail, '' where the wire is clean."""
    return "".join(f"qdisc add dev eth{rail} root netem {arguments}\n" for rail, arguments in enumerate(netem) if arguments)

# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Nets of ibsim, and readers of what InfiniBand's tools print of them, that are no part of assay.
import random
import re


def two_levels(leaves, spines, hosts, parallel=1, lost=(), missing=(), adapters=1):
    """Cables (node, port, node, port): leaf l has hosts on its first ports. With adapters, a host has one on each leaf of a group."""
    cables = []
    for leaf in range(leaves):
        for slot in range(hosts):
            number = leaf * hosts + slot if adapters == 1 else leaf // adapters * hosts + slot
            if number not in missing:
                cables.append((f"n{number:02} mlx5_{leaf % adapters}", 1, f"leaf{leaf}", slot + 1))
        for spine in range(spines):
            for cable in range(parallel):
                if (leaf, spine, cable) not in lost:
                    cables.append((f"leaf{leaf}", hosts + spine * parallel + cable + 1, f"spine{spine}",
                                   leaf * parallel + cable + 1))
    return cables


def three_levels(pods=2, width=2):
    """Pods of four leaves; a leaf has as many hosts as middle switches above it, and each of these as many cores: 1:1."""
    cables = [(f"n{4 * width * pod + width * leaf + slot:02} mlx5_0", 1, f"leaf{pod}-{leaf}", slot + 1)
              for pod in range(pods) for leaf in range(4) for slot in range(width)]
    for pod in range(pods):
        for middle in range(width):
            cables += [(f"leaf{pod}-{leaf}", width + 1 + middle, f"mid{pod}-{middle}", leaf + 1) for leaf in range(4)]
            cables += [(f"mid{pod}-{middle}", 5 + up, f"core{width * middle + up:02}", pod + 1) for up in range(width)]
    return cables


def ring(switches):
    cables = [(f"n{one} mlx5_0", 1, f"sw{one}", 1) for one in range(switches)]
    return cables + [(f"sw{one}", 2, f"sw{(one + 1) % switches}", 3) for one in range(switches)]


def net_text(cables, seed):
    """A net file of ibsim, its blocks in a drawn order."""
    ports = {}
    for one, port, other, other_port in cables:
        ports.setdefault(one, []).append(f'[{port}] "{other}"[{other_port}] s=1 w=2 e=4\n')
        ports.setdefault(other, []).append(f'[{other_port}] "{one}"[{port}] s=1 w=2 e=4\n')
    names = sorted(ports)
    random.Random(seed).shuffle(names)
    names.sort(key=lambda name: "mlx5" not in name)
    return "\n".join((f'Hca 1 "{name}" # "{name}"\n' if "mlx5" in name else f'Switch 16 "{name}" # "{name}"\n') + "".join(ports[name])
                     for name in names)


def read_net(text):
    """Peers by node and port; hosts by description: (node, port, LID)."""
    peers, hosts, node, name = {}, [], "", ""
    for line in text.splitlines():
        block = re.match(r'(?:Switch|Ca)\s+\d+\s+"(.-[0-9a-f]+)"\s*#\s*"(.*)"', line)
        port = re.match(r'\[(\d+)\](?:\([0-9a-f]+\))?\s+"(.-[0-9a-f]+)"\[(\d+)\](.*)', line)
        if block:
            node, name = block.groups()
        elif port:
            peers[node, int(port[1])] = (port[2], int(port[3]))
            own = re.match(r"(?:\([0-9a-f]+\))?\s*# lid (\d+) lmc", port[4])
            if node.startswith("H") and own:
                hosts.append((name, node, int(port[1]), int(own[1])))
    return peers, [host[1:] for host in sorted(hosts)]


def read_tables(text):
    tables, now = {}, {}
    for line in text.splitlines():
        if line.startswith("Unicast"):
            now = tables.setdefault("S-" + line.split(" guid 0x")[1][:16], {})
        elif line.startswith("0x"):
            lid, port = line.split()[:2]
            now[int(lid, 16)] = int(port)
    return tables


def loads_of(peers, hosts, tables, pairs):
    """Messages by (switch, port, peer, its port), of cables between switches."""
    loads = {}
    for source, destination in pairs:
        at, crossed = peers[hosts[source][0], hosts[source][1]][0], []
        while at.startswith("S"):
            port = tables[at][hosts[destination][2]]
            crossed.append((at, port, *peers[at, port]))
            at = peers[at, port][0]
        assert at == hosts[destination][0]
        for cable in crossed[:-1]:
            loads[cable] = loads.get(cable, 0) + 1
    return loads

#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# made_subnet.py PODS LEAVES MIDDLES HOSTS FOLDER: an ibnetdiscover list and opensm-lfts.dump of pods of so many leaves and middle
# switches, so many hosts a leaf, and a core switch for each middle one of a pod; for figures of speed and memory.
import pathlib
import sys

PODS, LEAVES, MIDDLES, HOSTS = map(int, sys.argv[1:5])
KINDS = {"leaf": 0x0002c90000100000, "mid": 0x0002c90000180000, "core": 0x0002c90000190000}


def cables():
    """Of each switch, by its kind and number: peers by port, as (kind, number, port)."""
    ports = {("leaf", one): {} for one in range(PODS * LEAVES)}
    ports |= {("mid", one): {} for one in range(PODS * MIDDLES)} | {("core", one): {} for one in range(MIDDLES)}
    for leaf in range(PODS * LEAVES):
        for slot in range(HOSTS):
            ports["leaf", leaf][slot + 1] = ("host", leaf * HOSTS + slot, 1)
        for up in range(MIDDLES):
            middle = leaf // LEAVES * MIDDLES + up
            ports["leaf", leaf][HOSTS + up + 1] = ("mid", middle, leaf % LEAVES + 1)
            ports["mid", middle][leaf % LEAVES + 1] = ("leaf", leaf, HOSTS + up + 1)
    for middle in range(PODS * MIDDLES):
        ports["mid", middle][LEAVES + 1] = ("core", middle % MIDDLES, middle // MIDDLES + 1)
        ports["core", middle % MIDDLES][middle // MIDDLES + 1] = ("mid", middle, LEAVES + 1)
    return ports


def port_to(switch, host):
    kind, number = switch
    leaf = host // HOSTS
    pod = leaf // LEAVES
    if kind == "leaf":
        return host % HOSTS + 1 if leaf == number else HOSTS + host % MIDDLES + 1
    if kind == "mid":
        return leaf % LEAVES + 1 if pod == number // MIDDLES else LEAVES + 1
    return pod + 1


def main():
    folder = pathlib.Path(sys.argv[5])
    folder.mkdir(exist_ok=True)
    ports, hosts = cables(), PODS * LEAVES * HOSTS
    guid = {one: f"{KINDS[one[0]] + one[1]:016x}" for one in ports}
    lid = {one: hosts + 1 + at for at, one in enumerate(ports)}
    adapter = [f"{0x0002c90000200000 + 2 * one:016x}" for one in range(hosts)]
    with (folder / "net.list").open("w") as out:
        for one, peers in ports.items():
            out.write(f'Switch\t{max(peers)} "S-{guid[one]}"\t# "{one[0]}{one[1]}" base port 0 lid {lid[one]} lmc 0\n')
            for port, (kind, number, peer_port) in sorted(peers.items()):
                if kind == "host":
                    out.write(f'[{port}]\t"H-{adapter[number]}"[1](1) \t\t# "n{number:05} mlx5_0" lid {number + 1} 4xNDR\n')
                else:
                    peer = (kind, number)
                    out.write(f'[{port}]\t"S-{guid[peer]}"[{peer_port}]\t\t# "{kind}{number}" lid {lid[peer]} 4xNDR\n')
            out.write("\n")
        for one in range(hosts):
            leaf = ("leaf", one // HOSTS)
            out.write(f'Ca\t1 "H-{adapter[one]}"\t\t# "n{one:05} mlx5_0"\n'
                      f'[1](1) \t"S-{guid[leaf]}"[{one % HOSTS + 1}]\t\t# lid {one + 1} lmc 0 "{leaf[0]}{leaf[1]}" lid {lid[leaf]} 4xNDR\n\n')
    tails = [f" # Channel Adapter portguid 0x{adapter[one]}: 'n{one:05} mlx5_0'\n" for one in range(hosts)]
    with (folder / "net.lfts").open("w") as out:
        for one in ports:
            out.write(f"Unicast lids [0-{hosts}] of switch Lid {lid[one]} guid 0x{guid[one]} ('{one[0]}{one[1]}'):\n")
            out.write("".join(f"0x{host + 1:04x} {port_to(one, host):03}{tails[host]}" for host in range(hosts)))


main()

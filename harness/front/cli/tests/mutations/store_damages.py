# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Stores that were scribbled on, cut off, changed by another program's SQL or exchanged for something else.
import contextlib
import random
import sqlite3
import struct

from mutation import CONTROL, MAY_PASS, MUST_NOT_PASS, Mutation

PAGE = 32768
MASK = (1 << 64) - 1
AN_AUTHOR = "content and checksums agree: an author's work; seals of bundles are for that"


def asked(change, command="accept"):
    """Of a copy of the sound store, changed."""
    def ask(workshop):
        workshop.file("store.sqlite", workshop.shared.store_bytes)
        change(workshop)
        if command == "bundle":
            return workshop.run("bundle", "--store", workshop.store, "-o", workshop.folder / "made.bundle")
        if command == "compare":
            return workshop.run("compare", "--store", workshop.store, "--baseline", "r0-*", "--candidate", "r1-*")
        if command == "report":
            return workshop.run("report", "--store", workshop.store, "-o", workshop.folder / "r.html", "--run", "r4-h03")
        return workshop.accept()
    return ask


def bytes_changed(change):
    def of(workshop):
        workshop.store.write_bytes(change(bytearray(workshop.store.read_bytes())))
    return of


def scribbled(share, length, seed):
    def change(data):
        at = int((len(data) - length) * share)
        data[at:at + length] = random.Random(seed).randbytes(length)
        return data
    return bytes_changed(change)


def bit_flipped(share):
    def change(data):
        data[int((len(data) - 1) * share)] ^= 1 << int(share * 1000) % 8
        return data
    return bytes_changed(change)


def cut_off(share):
    return bytes_changed(lambda data: data[:int(len(data) * share)])


def scribble_rows():
    for command in ("accept", "bundle", "report"):
        yield Mutation(f"{command}: a store", "whole", "nothing changed", asked(lambda workshop: None, command), CONTROL)
    for number in range(60):
        share = (number + 0.5) / 60
        yield Mutation("accept: a scribbled store", "64 bytes", f"at {100 * share:.1f} %", asked(scribbled(share, 64, number)))
        yield Mutation("accept: a scribbled store", "one bit", f"at {100 * share:.1f} %", asked(bit_flipped(share)))
        if number % 3 == 0:
            for command in ("bundle", "report", "compare"):
                yield Mutation(f"{command}: a scribbled store", "64 bytes", f"at {100 * share:.1f} %", asked(scribbled(share, 64, number), command))
    for number in range(25):
        share = number / 25
        for command in ("accept", "bundle", "report") if number % 5 == 0 else ("accept",):
            yield Mutation(f"{command}: a store cut off", "its end", f"at {100 * share:.0f} %", asked(cut_off(share), command))
    for kind, change in {"a page of zeros": lambda data: data[:5 * PAGE] + bytes(PAGE) + data[6 * PAGE:],
                         "two pages exchanged": lambda data: data[:5 * PAGE] + data[6 * PAGE:7 * PAGE] + data[5 * PAGE:6 * PAGE] + data[7 * PAGE:],
                         "a page twice": lambda data: data[:6 * PAGE] + data[5 * PAGE:6 * PAGE] + data[7 * PAGE:],
                         "a page more": lambda data: data + data[-PAGE:], "a page less": lambda data: data[:-PAGE],
                         "schema 3": lambda data: data[:60] + struct.pack(">I", 3) + data[64:],
                         "a newer schema": lambda data: data[:60] + struct.pack(">I", 1000) + data[64:],
                         "without checksums": lambda data: data[:20] + b"\0" + data[21:],
                         "of another program": lambda data: data[:68] + b"abcd" + data[72:], "text": lambda data: b"store\n" * 500,
                         "zeros": lambda data: bytes(len(data)), "empty": lambda data: b""}.items():
        for command in ("accept", "bundle", "report"):
            yield Mutation(f"{command}: a store exchanged", "whole", kind, asked(bytes_changed(change), command))
    yield Mutation("accept: a store exchanged", "whole", "a folder", lambda workshop: workshop.accept(store=workshop.folder))
    yield Mutation("accept: a store exchanged", "whole", "not there", lambda workshop: workshop.accept(store=workshop.folder / "none.sqlite"))


STATEMENTS = (
    "DELETE FROM points WHERE id % 97 = 3", "DELETE FROM points WHERE run = 4", "DELETE FROM points", "DELETE FROM ends WHERE run = 7",
    "DELETE FROM contexts WHERE run = 7", "DELETE FROM runs WHERE id = 7", "DELETE FROM cases WHERE id = 1",
    "UPDATE points SET time_s = time_s * 0.5 WHERE id = 40", "UPDATE points SET time_s = 0 WHERE id = 40",
    "UPDATE points SET time_s = -1 WHERE id = 40", "UPDATE points SET time_s = NULL WHERE id = 40", "UPDATE points SET status = 2 WHERE id = 40",
    "UPDATE points SET status = 9 WHERE id = 40", "UPDATE points SET n = 0 WHERE id = 40", "UPDATE points SET key = 'gpu=1' WHERE id = 40",
    "UPDATE points SET record = '{}' WHERE id = 40", "UPDATE points SET record = 'x' WHERE id = 40", "UPDATE points SET axes = 'x' WHERE id = 40",
    "UPDATE points SET samples_s = x'00' WHERE id = 40", "UPDATE points SET process = 0", "UPDATE points SET run = 2 WHERE run = 3",
    "UPDATE points SET case_id = 99 WHERE id = 40", "UPDATE points SET upper_s = lower_s / 2 WHERE id = 40",
    "UPDATE contexts SET host = 'h04' WHERE host = 'h03'", "UPDATE contexts SET record = '{}' WHERE id = 5",
    "UPDATE contexts SET record = 'x' WHERE id = 5", "UPDATE contexts SET origin = 'predicted' WHERE id = 5",
    "UPDATE ends SET points = points + 1 WHERE id = 5", "UPDATE ends SET interrupted = 1 WHERE id = 6", "DROP TABLE points", "DROP TABLE doubts",
    "DROP TABLE ends", "DROP TABLE meta", "DROP INDEX points_in_order", "ALTER TABLE points RENAME TO dots", "VACUUM", "PRAGMA user_version = 3",
    "PRAGMA user_version = 1000", "PRAGMA application_id = 7", "INSERT INTO points SELECT id + 100000, crc + 1, run, process, sequence + 50, case_id, key, "
    "repetition, status, reason, n, time_s, lower_s, upper_s, stop, drifting, work_bytes, work_flops, metric, unit, value, lower, upper, axes, "
    "record, samples_s, sm_cycles FROM points WHERE id = 40",
)
# With checksums that are right again nothing shows these: what they say is whole, and agrees.
WHOLE_AGAIN = ("DELETE FROM runs", "DROP TABLE meta", "DROP INDEX", "VACUUM", "time_s * 0.5", "key = 'gpu=1'", "host = 'h04'", "origin =", "upper_s =",
               "INSERT INTO points", "axes =", "samples_s =", "process = 0", "n = 0", "run = 2 WHERE", "FROM cases", "case_id = 99")


def by_sql(statement):
    def change(workshop):
        with contextlib.closing(sqlite3.connect(workshop.store, isolation_level=None)) as database:
            database.execute("PRAGMA foreign_keys = OFF")
            database.execute(statement)
    return change


def page_checksum(page, number):
    """As in results/store/sqlite/page_checksums.cpp: Fletcher's sums over words of 64 bits."""
    odd, other_odd = 0x9e3779b97f4a7c15, 0xc2b2ae3d27d4eb4f
    total, of_sums = odd * (number + 1) & MASK, other_odd
    for (word,) in struct.iter_unpack("<Q", page):
        total = total + word & MASK
        of_sums = of_sums + total & MASK
    mixed = of_sums * other_odd & MASK
    return (total * odd & MASK) ^ ((mixed << 31 | mixed >> 33) & MASK)


def summed_again(workshop):
    data = bytearray(workshop.store.read_bytes())
    for at in range(0, len(data), PAGE):
        page = bytes(data[at:at + PAGE - 8])
        struct.pack_into("<Q", data, at + PAGE - 8, page_checksum(page, at // PAGE + 1))
    workshop.store.write_bytes(data)


def sql_rows():
    for statement in STATEMENTS:
        for command in ("accept", "bundle"):
            yield Mutation(f"{command}: a store changed by SQL", "checksums stale", statement[:60], asked(by_sql(statement), command))
        expected = (MAY_PASS, AN_AUTHOR) if any(words in statement for words in WHOLE_AGAIN) else (MUST_NOT_PASS,)
        yield Mutation("accept: a store changed by SQL", "checksums right", statement[:60], asked(by_sql_and_summed(statement)), *expected)


def by_sql_and_summed(statement):
    def change(workshop):
        by_sql(statement)(workshop)
        summed_again(workshop)
    return change


def rows():
    for table in (scribble_rows, sql_rows):
        yield from table()

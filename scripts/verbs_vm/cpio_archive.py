# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Writes a "newc" cpio archive, the form of an initramfs. Several archives may follow each other in one file.
# Format: Linux, Documentation/driver-api/early-userspace/buffer-format.rst.
import stat

FOLDER = stat.S_IFDIR | 0o755
PROGRAM = stat.S_IFREG | 0o755
TEXT = stat.S_IFREG | 0o644
LAST = "TRAILER!!!"


def padded(data):
    return data + bytes(-len(data) % 4)


def entry(inode, name, mode, content):
    encoded = name.encode() + b"\0"
    links, user, group, time, device = 1, 0, 0, 0, 0
    fields = (inode, mode, user, group, links, time, len(content), device, 0, device, 0, len(encoded), 0)
    header = b"070701" + b"".join(b"%08X" % field for field in fields)
    return padded(header + encoded) + padded(content)


def archive(files, folders=()):
    """Bytes of an archive. files: name -> (mode, content); folders: names, each after the one that holds it."""
    entries = [(name, FOLDER, b"") for name in folders]
    entries += [(name, mode, content) for name, (mode, content) in files.items()]
    entries.append((LAST, 0, b""))
    return b"".join(entry(inode, *parts) for inode, parts in enumerate(entries, 1))

# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# The temporary folder of one run. A run that was killed outright leaves its own behind: the next one removes it.
import contextlib
import fcntl
import os
import pathlib
import shutil
import tempfile
import time

PREFIX = "verbs-vm-"
YOUNG_S = 60  # a folder this new may belong to a run that has yet to lock it


@contextlib.contextmanager
def locked(folder):
    """Whether the lock of this folder could be had; held until the end of the context."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield True
    except BlockingIOError:
        yield False
    finally:
        os.close(descriptor)


def remove_abandoned():
    for folder in pathlib.Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):  # another user's, or gone meanwhile
            if time.time() - folder.stat().st_mtime > YOUNG_S:
                with locked(folder) as is_abandoned:
                    if is_abandoned:
                        shutil.rmtree(folder)


@contextlib.contextmanager
def run_folder():
    remove_abandoned()
    with tempfile.TemporaryDirectory(prefix=PREFIX) as folder, locked(folder):
        yield folder

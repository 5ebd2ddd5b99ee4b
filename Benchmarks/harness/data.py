"""Inboxes. Each is generated once for a set of parameters, and kept."""

import glob
import hashlib
import os
import shutil
import subprocess
from contextlib import contextmanager

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Signed inboxes are made with the second folder.
SOURCES = (f"{HERE}/Sources/GenerateInbox", f"{HERE}/../Sources/SigningTestSupport")
AS_OF = "2026-11-20T03:00:00Z"
NIGHT_AS_OF = "2026-11-21T03:00:00Z"
EMPTY_NIGHT_AS_OF = "2026-11-22T03:00:00Z"


class Data:
    def __init__(self, work, generator):
        self.work = work
        self.generator = generator
        self._forget_other_shapes()

    def _forget_other_shapes(self):
        """Removes inboxes that a generator with other sources made."""
        digest = hashlib.sha256()
        for folder in SOURCES:
            for path in sorted(glob.glob(f"{folder}/*.swift")):
                with open(path, "rb") as file:
                    digest.update(file.read())
        note = f"{self.work}/data/generator"
        if os.path.exists(note):
            with open(note, encoding="utf-8") as file:
                if file.read() == digest.hexdigest():
                    return
        shutil.rmtree(f"{self.work}/data", ignore_errors=True)
        os.makedirs(f"{self.work}/data")
        with open(note, "w", encoding="utf-8") as file:
            file.write(digest.hexdigest())

    def history(self, transactions, files=1):
        return self._made(f"history-{transactions}-{files}", transactions, "--files", str(files))

    def night(self, transactions, new):
        """The night after a history, as a folder next to it."""
        return self._made(f"night-{transactions}-{new}", transactions, "--night", str(new))

    def signed_history(self, transactions):
        """A history of signed transactions and notifications. Its root is in a file beside it."""
        return self._made(f"signed-{transactions}", transactions, "--signed")

    def signed_night(self, transactions, new):
        return self._made(
            f"signed-night-{transactions}-{new}", transactions, "--signed", "--night", str(new))

    def receipts_of(self, history):
        """An inbox with only the receipts of a history."""
        folder = f"{history}.receipts"
        if not os.path.exists(folder):
            shutil.rmtree(f"{folder}.part", ignore_errors=True)
            shutil.copytree(
                f"{history}/receipts", f"{folder}.part/receipts", copy_function=os.link)
            os.rename(f"{folder}.part", folder)
        return folder

    def empty(self):
        folder = f"{self.work}/data/empty"
        os.makedirs(f"{folder}/receipts", exist_ok=True)
        return folder

    def _made(self, name, transactions, *more):
        folder = f"{self.work}/data/{name}"
        if not os.path.exists(folder):
            shutil.rmtree(f"{folder}.part", ignore_errors=True)
            subprocess.run(
                [self.generator, "--inbox", f"{folder}.part", "--transactions", str(transactions),
                 *more], check=True)
            if os.path.exists(f"{folder}.part.pem"):
                os.rename(f"{folder}.part.pem", f"{folder}.pem")
            os.rename(f"{folder}.part", folder)
        return folder


@contextmanager
def laid(night, history):
    """Links a night's files into the folders of a history. The existing files stay unchanged."""
    parts = [f"{history}/{kind}/tonight" for kind in ("receipts", "deliveries")]
    for part in parts:
        shutil.rmtree(part, ignore_errors=True)
        shutil.copytree(
            f"{night}/{os.path.basename(os.path.dirname(part))}", part, copy_function=os.link)
    try:
        yield history
    finally:
        for part in parts:
            shutil.rmtree(part)


@contextmanager
def nothing_laid(history):
    """A history without a night: removes the links."""
    for kind in ("receipts", "deliveries"):
        shutil.rmtree(f"{history}/{kind}/tonight", ignore_errors=True)
    yield history

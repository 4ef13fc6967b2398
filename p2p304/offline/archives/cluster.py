"""The executor of a Dask cluster (the optional extra ``dask``).

Responsible for the connection. Scheduler, workers and this computer believe each other's bytes as
Dask does: any of them can run programs on the others, so a cluster is for people who trust all of
its computers (docs/auditing.md).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import Final

from p2p304.storage.files import DataFolderError

CONNECTING: Final = 5
"""Seconds in which the scheduler must answer."""
ADDRESS: Final = re.compile(r"(tcp|tls)://\S+:[0-9]{1,5}")
INSTALL: Final = "--scheduler needs the extra dask. Install it: pip install 'p2p304[dask]'."
NO_TLS: Final = (
    "--scheduler cannot use tls://, because the settings of Dask on this computer name no "
    "certificates (distributed.comm.tls)."
)


@contextmanager
def cluster_executor(address: str) -> Iterator[Executor]:
    """Work on the cluster whose scheduler has this address (``tcp://HOST:PORT``). Raises
    DataFolderError where it cannot be reached, or has no workers."""
    try:
        from distributed import Client, Security
    except ImportError as error:
        raise DataFolderError(INSTALL) from error
    if not ADDRESS.fullmatch(address):
        raise DataFolderError("--scheduler is an address such as tcp://192.168.1.7:8786.")
    try:
        if (
            address.startswith("tls:")
            and not Security().get_connection_args("client")["ssl_context"]
        ):
            raise DataFolderError(NO_TLS)
        client = Client(address, timeout=CONNECTING, set_as_default=False)
    except (OSError, ValueError) as error:  # TimeoutError is an OSError
        raise DataFolderError(
            f"No Dask scheduler answers at {address}. Start one with dask scheduler, and give the "
            "address that it prints."
        ) from error
    with client:
        if not client.nthreads():  # the work would wait for one without a word
            raise DataFolderError(
                f"The Dask cluster at {address} has no workers. Start one: dask worker {address}."
            )
        # pure: equal files would be one piece of work, but Dask would have to hash them first.
        yield client.get_executor(pure=False)

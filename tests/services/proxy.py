"""A TCP proxy on this machine that cuts, delays, holds or refuses connections: the network."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from random import Random

HOST = "127.0.0.1"
PIECE = 65536


class Proxy:
    """One port that leads to another, by chance from many addresses."""

    def __init__(self, upstream: int, addresses: Random | None = None) -> None:
        self._upstream, self._addresses = upstream, addresses
        self.refuses = False
        """Whether new connections are hung up on at once."""
        self.delay = 0.0
        """Seconds that every piece takes, in either direction."""
        self.trap: tuple[bytes, Callable[[], None]] | None = None
        """What is done, once, just before something with these bytes in it is asked."""
        self.connected = 0
        """How many connections there have been."""
        self._open: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._asks, self._answers = asyncio.Event(), asyncio.Event()
        self.let_go()

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._accept, HOST, 0)
        self.port = int(self._server.sockets[0].getsockname()[1])

    async def stop(self) -> None:
        self._server.close()
        self.cut()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # What goes wrong

    def cut(self) -> None:
        """Hang up on everybody; what is on its way is lost."""
        for writer in list(self._open):
            writer.transport.abort()
        self.let_go()

    def hold(self) -> None:
        """Nothing comes through any more, and nobody hangs up."""
        self._asks.clear()
        self._answers.clear()

    def hold_answers(self) -> None:
        """What is asked comes through, but not what is answered."""
        self._answers.clear()

    def let_go(self) -> None:
        """What was held goes on."""
        self._asks.set()
        self._answers.set()

    # What goes well

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        with suppress(asyncio.CancelledError):  # asyncio would say that nobody looked at it
            await self._lead(reader, writer)

    async def _lead(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open.add(writer)
        try:
            found = None if self.refuses else await self._somebody()
            if found is None:
                return
            self.connected += 1
            there, back = found
            self._open.add(back)
            try:
                await asyncio.gather(
                    self._pump(reader, back, self._asks), self._pump(there, writer, self._answers)
                )
            finally:
                self._open.discard(back)
                back.transport.abort()
        finally:
            self._open.discard(writer)
            writer.transport.abort()

    async def _somebody(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
        last = self._addresses.randint(2, 250) if self._addresses else 1
        with suppress(OSError):
            address = (f"127.0.0.{last}", 0)
            return await asyncio.open_connection(HOST, self._upstream, local_addr=address)
        return None

    async def _pump(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, may: asyncio.Event
    ) -> None:
        """Carry what comes; whoever hangs up on one side hangs up on the other."""
        with suppress(OSError):
            while piece := await reader.read(PIECE):
                if self.delay:
                    await asyncio.sleep(self.delay)
                if self.trap is not None and may is self._asks and self.trap[0] in piece:
                    (_, spring), self.trap = self.trap, None
                    spring()
                await may.wait()
                writer.write(piece)
                await writer.drain()
        with suppress(OSError, RuntimeError):
            writer.write_eof()


@asynccontextmanager
async def proxy(upstream: int, addresses: Random | None = None) -> AsyncIterator[Proxy]:
    """A proxy as long as it is needed."""
    one = Proxy(upstream, addresses)
    await one.start()
    try:
        yield one
    finally:
        await one.stop()

"""Two websites on one Redis, each in a database of its own, do not hear each other."""

from __future__ import annotations

from five211.server.bus import News
from five211.server.bus.redis import RedisBus
from tests.server.helpers import on_a_loop, until
from tests.services.redis import redis


def test_whoever_has_another_database_hears_nothing() -> None:
    with redis() as server:

        @on_a_loop
        async def test() -> None:
            said: dict[str, list[str]] = {}
            buses = {}
            for name, path in (("one", ""), ("two", "/0"), ("other", "/1")):
                said[name], buses[name] = [], RedisBus(server.url + path)

                def heard(news: News, name: str = name) -> None:
                    said[name] += [table for table, _ in news]

                await buses[name].start(heard)

            def say() -> bool:
                for name, bus in buses.items():
                    bus.tell([(name, 1)])
                return all("other" in said[n] if n == "other" else n in said[n] for n in said)

            await until(say)
            await until(lambda: say() and "two" in said["one"] and "one" in said["two"])
            assert set(said["one"]) == set(said["two"]) == {"one", "two"}
            assert set(said["other"]) == {"other"}
            for bus in buses.values():
                await bus.stop()

        test()

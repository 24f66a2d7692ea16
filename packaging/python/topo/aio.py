"""The functions of topo for asyncio: await topo.aio.predict("dgx-h100", nodes=4).

They take turns: one process answers all of them, in a thread beside the event loop. A cancelled
call is not awaited any more, but still answered.
"""

import asyncio
import functools

import topo


def __getattr__(name):
    function = getattr(topo, name)
    if name not in topo.__all__ or not callable(function) or isinstance(function, type):
        raise AttributeError(f"module 'topo.aio' has no function {name!r}")

    @functools.wraps(function)
    async def awaitable(*arguments, **options):
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(None, functools.partial(function, *arguments, **options))

    return awaitable

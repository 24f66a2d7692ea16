"""Uses the module topo as programs do, with the real command; prints ok. Arguments: a folder for files."""

import asyncio
import os
import pickle
import signal
import sys
import threading

import topo
import topo.aio

folder = sys.argv[1]
call = {"collective": "all_reduce", "sizes": ["1M", "1G"]}


def error(function, *arguments, **options):
    try:
        function(*arguments, **options)
    except topo.TopoError as e:
        return e
    raise AssertionError("no error")


# A document, its rows and its page.
document = topo.predict("dgx-h100", nodes=2, **call)
assert document["schema"].startswith("topo/predict/"), document["schema"]
assert [row["bytes"] for row in document.rows("predictions")] == [1 << 20, 1 << 30]
assert "<table>" in document._repr_html_()
assert topo.Topo("dgx-h100").nodes(2).predict(**call)["predictions"] == document["predictions"]
assert topo.Topo("dgx-h100").set("NCCL_ALGO", "Ring").predict(**call)["predictions"][1]["algorithm"] == "Ring"
assert topo.Topo("dgx-h100", nodes=2).compare("remove net:mlx5_3")["schema"].startswith("topo/whatif/")
assert topo.Topo("dgx-h100")._repr_html_().lstrip().startswith("<svg")
assert len(topo.machines()["machines"]) > 60
assert topo.memory("dgx-h100")["steps"]

# Arguments are never options, and options have one value.
assert error(topo.show, "--help").status == 3
assert error(topo.show, "-").status == 2
wrong = error(topo.predict, "dgx-h100", nodes=0)
assert (wrong.status, wrong.field) == (2, "nodes"), wrong
assert pickle.loads(pickle.dumps(wrong)).field == "nodes"
assert error(topo.predict, "dgx-h100", sizes="1M --nodes 4").field is None
assert error(topo.predict, "dgx-h100\n", nodes=1).status == 3

# The answer in a file, whose name is no option and not ASCII.
file = os.path.join(folder, "-ä \"'$(x).json")
assert topo.show("dgx-h100", output=file) is None
assert topo.show("dgx-h100")["nodes"]
assert os.path.getsize(file) > 1000
xml = os.path.join(folder, "машина.xml")
with open(xml, "w") as out:
    out.write(open(os.path.join(sys.argv[2], "dgx-a100.xml")).read())
assert topo.show(xml)["nodes"] == topo.show("dgx-a100")["nodes"]
os.chdir(folder)
assert topo.show("машина.xml")["nodes"] == topo.show("dgx-a100")["nodes"]

# Variables are those of the moment.
os.environ["NCCL_ALGO"] = "Ring"
assert topo.predict("dgx-h100", env_from_process=True, **call)["predictions"][1]["algorithm"] == "Ring"
del os.environ["NCCL_ALGO"]
assert topo.predict("dgx-h100", env_from_process=True, **call)["predictions"][1]["algorithm"] != "Ring"

# Threads get their own answers.
wrongs = []


def ask(number):
    for size in range(number * 1024, number * 1024 + 10 * 16, 16):
        rows = topo.predict("dgx-h100", collective="all_reduce", sizes=size)["predictions"]
        if rows[0]["bytes"] != size:
            wrongs.append((size, rows))


threads = [threading.Thread(target=ask, args=(number,)) for number in range(1, 9)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert not wrongs, wrongs


async def together():
    return await asyncio.gather(*(topo.aio.predict("dgx-h100", nodes=n, **call) for n in (1, 2, 4)))


assert [one["job"]["nodes"] for one in asyncio.run(together())] == [1, 2, 4]

# A forked process that asks nothing ends no server; one that asks has a server of its own, and leaves that of its parent alone.
before = topo._server._process.pid
child = os.fork()
if child == 0:
    sys.exit(0)
os.waitpid(child, 0)
child = os.fork()
if child == 0:
    os._exit(0 if topo.show("dgx-h100")["nodes"] and topo._server._process.pid != before else 1)
assert os.waitpid(child, 0)[1] == 0
assert topo.show("dgx-h100")["nodes"] and topo._server._process.pid == before

# A killed server is started again, also in the middle of calls.
os.kill(before, signal.SIGKILL)
assert topo.show("dgx-h100")["nodes"] and topo._server._process.pid != before
timer = threading.Timer(0.2, lambda: os.kill(topo._server._process.pid, signal.SIGKILL))
timer.start()
for _ in range(20):
    assert topo.predict("dgx-h100", nodes=2, **call)["predictions"] == document["predictions"]
timer.join()

# An interrupted call leaves no reply for the next one.
signal.signal(signal.SIGALRM, lambda number, frame: (_ for _ in ()).throw(KeyboardInterrupt()))
signal.setitimer(signal.ITIMER_REAL, 0.05)
try:
    while True:
        topo.predict("dgx-h100", nodes=2, **call)
except KeyboardInterrupt:
    pass
assert topo.show("dgx-h100")["schema"].startswith("topo/show/")

# A request that is too long is refused, and the next one is answered.
assert error(topo.show, "x" * (2 << 20)).status == 2
assert topo.show("dgx-h100")["nodes"]
print("ok")

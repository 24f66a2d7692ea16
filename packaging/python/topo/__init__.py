"""The command topo as Python functions: what NCCL does on a machine, as dictionaries.

Every function runs one command of topo and returns its JSON document, which the
schemas in docs/schema of the package describe::

    import topo
    topo.search("system.xml")["domains"]
    topo.predict("system.xml", nodes=4, collective="all_reduce", sizes="1M,1G")

A keyword is an option of the command: nodes=4 is --nodes 4, strict=True is
--strict, a list repeats the option, and env={"NCCL_NVLS_ENABLE": 0} gives
settings of NCCL. Files and other arguments are never read as options. No GPU
and no Java is needed.
"""

import json
import os
import pathlib
import subprocess
import sys

__all__ = ["TopoError", "command", "main"]

HOME = pathlib.Path(__file__).resolve().parent / "bundle"
_COMMAND = str(HOME / "bin" / "topo")
_JSON_COMMANDS = (
    "advise calibrate check connect diagnose diff doctor explain guest lint machines memory paths predict search show sweep tune"
    " upgrade whatif workload"
).split()
_NO_DOCUMENT = set("format help help_all output out_dir quiet version".split())  # print or write something else
_ANSWERS = (0, 1)  # 1: a check failed, or differences were found
_MORE_ANSWERS = {
    "doctor": (4,),  # what it finds missing is in its document
    "check": (5, 6),  # wrong results, not judged
}


class TopoError(Exception):
    """The command failed.

    status is its exit status: 2 usage, 3 bad input, 4 hardware or a library is
    missing, 70 a bug. The text is what it printed to stderr.
    """

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


def _options(name, keywords):
    refused = _NO_DOCUMENT - {"output"} if name == "calibrate" else _NO_DOCUMENT  # its output is the calibration
    words = []
    for keyword, value in keywords.items():
        keyword = keyword.rstrip("_")
        if keyword in refused or not keyword.isidentifier():
            raise TypeError(f"{keyword!r} is no keyword of topo.{name}, which returns the JSON document")
        option = "--" + keyword.replace("_", "-")
        if isinstance(value, dict):
            value = [f"{key}={one}" for key, one in value.items()]
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if one is True:
                words.append(option)
            elif one is not False and one is not None:
                words.append(f"{option}={one}")
    return words


def command(name, *arguments, **options):
    """Runs a command of topo with --format json and returns its document.

    Raises TopoError where the command gives no answer.
    """
    words = [name, *map(os.fspath, arguments)]
    first = 2 if words[:2] == ["sweep", "show"] else 1
    call = [_COMMAND, *words[:first], *_options(name, options), "--format=json", "--", *words[first:]]
    run = subprocess.run(call, stdin=subprocess.DEVNULL, capture_output=True)
    if run.returncode not in (*_ANSWERS, *_MORE_ANSWERS.get(name, ())) or not run.stdout:
        raise TopoError(run.returncode, run.stderr.decode("utf-8", "replace").strip())
    return json.loads(run.stdout)


def _function(name):
    def function(*arguments, **options):
        return command(name, *arguments, **options)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"The JSON document of topo {name}; options are keywords. See topo help {name}."
    return function


for _name in _JSON_COMMANDS:
    globals()[_name] = _function(_name)
    __all__.append(_name)


def main():
    """Becomes the command topo with the arguments of this process."""
    os.execv(_COMMAND, [_COMMAND, *sys.argv[1:]])

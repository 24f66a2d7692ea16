"""The command topo as Python functions: what NCCL does on a machine, as dictionaries.

Every function runs one command of topo and returns its JSON document, which the
schemas in docs/schema of the package describe::

    import topo
    topo.search("system.xml")["domains"]
    topo.predict("p5.48xlarge", nodes=4, collective="all_reduce", sizes=["1M", "1G"])
    topo.Topo("dgx-h100", nodes=4).compare("remove net:mlx5_3").to_frame()

A keyword is an option of the command: nodes=4 is --nodes 4, strict=True is
--strict, a list gives several values, and env={"NCCL_NVLS_ENABLE": 0} gives
settings of NCCL. Files and other arguments are never read as options. With
output=FILE the answer is in the file, and the function returns None. No GPU and
no Java is needed: the first call starts one process, which answers all others,
also of threads; topo.aio has the functions for asyncio.
"""

import html
import os
import pathlib
import re
import sys

from ._commands import COMMANDS, REPEATED
from ._server import Server, ServerError

__all__ = ["Document", "Topo", "TopoError", "command", "main", "text"]

HOME = pathlib.Path(__file__).resolve().parent / "bundle"
_COMMAND = str(HOME / "bin" / "topo")
_NO_DOCUMENT = set("format help help_all out_dir quiet version".split())  # print or write something else
_ANSWERS = (0, 1)  # 1: a check failed, or differences were found
_MORE_ANSWERS = {
    "doctor": (4,),  # what it finds missing is in its document
    "check": (5, 6),  # wrong results, not judged
}
_OPTION = re.compile(r"topo: (?:[A-Z][a-z ]+:? '?)?--([a-z][a-z0-9-]*)")
_server = Server(_COMMAND)


class TopoError(Exception):
    """The command failed.

    status is its exit status: 2 usage, 3 bad input, 4 hardware or a library is
    missing, 70 a bug. field is the keyword that the message is about, or None.
    The text is what the command printed to stderr.
    """

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status
        named = _OPTION.match(text)
        self.field = named and named.group(1).replace("-", "_")

    def __reduce__(self):
        return type(self), (self.status, str(self))


class Document(dict):
    """The JSON document of a command, with the names of its schema."""

    def rows(self, name=None):
        """The list of this name as dictionaries, by default the longest of the document."""
        if name is not None:
            return self[name]
        tables = [
            value
            for key, value in self.items()
            if key != "inputs" and isinstance(value, list) and value and isinstance(value[0], dict)
        ]
        return max(tables, key=len, default=[])

    def to_frame(self, name=None):
        """rows(name) as a pandas.DataFrame."""
        import pandas

        return pandas.json_normalize(self.rows(name))

    def _repr_html_(self):
        rows = [
            {key: value for key, value in row.items() if not isinstance(value, (dict, list))}
            for row in self.rows()
        ]
        names = list(dict.fromkeys(name for row in rows for name in row))
        lines = [names] + [[row.get(name) for name in names] for row in rows]
        cells = ["".join(f"<td>{_text(cell)}</td>" for cell in line) for line in lines]
        table = "".join(f"<tr>{line}</tr>" for line in cells)
        return f"<p>{_text(self.get('answer'))}</p><table>{table}</table>"


class _Picture(str):
    """What a command printed; a notebook shows an SVG as a picture."""

    def _repr_html_(self):
        return str(self) if "<svg" in self[:1000] else f"<pre>{html.escape(self)}</pre>"


def _text(cell):
    return "" if cell is None else html.escape(f"{cell:.4g}" if isinstance(cell, float) else str(cell))


def _options(name, keywords, refused):
    words = []
    for keyword, value in keywords.items():
        keyword = keyword.rstrip("_")
        if keyword in refused or not keyword.isidentifier():
            raise TypeError(f"{keyword!r} is no keyword of topo.{name}, which returns the JSON document")
        option = "--" + keyword.replace("_", "-")
        if isinstance(value, dict):
            value = [f"{key}={one}" for key, one in value.items()]
        elif isinstance(value, (list, tuple)) and keyword not in REPEATED:
            value = ",".join(map(str, value))
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if one is True:
                words.append(option)
            elif one is not False and one is not None:
                words.append(f"{option}={os.fsdecode(one) if isinstance(one, os.PathLike) else one}")
    return words


def _run(name, arguments, options):
    words = [name, *map(os.fsdecode, arguments)]
    first = 2 if words[:2] == ["sweep", "show"] else 1
    env = dict(os.environ) if "--env-from-process" in options else None
    try:
        reply = _server.ask([*words[:first], *options, "--", *words[first:]], env)
    except ServerError as e:
        raise TopoError(e.status, str(e)) from e
    if reply["status"] not in (*_ANSWERS, *_MORE_ANSWERS.get(name, ())):
        raise TopoError(reply["status"], reply["error"])
    return reply


def command(name, *arguments, **options):
    """Runs a command of topo with --format json and returns its document.

    Raises TopoError where the command gives no answer.
    """
    words = _options(name, options, _NO_DOCUMENT)
    in_file = options.get("output") is not None
    reply = _run(name, arguments, words if in_file and name != "calibrate" else [*words, "--format=json"])
    if isinstance(reply["output"], dict):
        return Document(reply["output"])
    if in_file:
        return None
    raise TopoError(reply["status"], reply["error"] or "no single JSON document: " + str(reply["output"])[:200])


def text(name, *arguments, **options):
    """What a command prints, in any format it has: topo.text("draw", "dgx-h100")."""
    return _Picture(_run(name, arguments, _options(name, options, ()))["output"])


def _function(name):
    def function(*arguments, **options):
        return command(name, *arguments, **options)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{COMMANDS[name]} The JSON document of topo {name}; options are keywords."
    return function


for _name in COMMANDS:
    globals()[_name] = _function(_name)
    __all__.append(_name)


class Topo:
    """A job: a machine, with options that its questions share. Immutable.

    Topo("dgx-h100").nodes(4).predict(collective="all_reduce") is topo.predict with them; each
    function of one machine is a method.
    """

    def __init__(self, machine, **options):
        self.machine = machine
        self.options = options

    def with_(self, **options):
        """The job with other or more options; settings in env are added."""
        if "env" in options:
            options["env"] = {**self.options.get("env", {}), **options["env"]}
        return Topo(self.machine, **{**self.options, **options})

    def nodes(self, count):
        return self.with_(nodes=count)

    def release(self, version):
        return self.with_(nccl=version)

    def set(self, name, value):
        return self.with_(env={name: value})

    def compare(self, *edits, **options):
        """The job before and after edits, as topo.whatif."""
        return command("whatif", self.machine, *edits, **{**self.options, **options})

    def __getattr__(self, name):
        if name not in COMMANDS:
            raise AttributeError(f"topo.Topo has no function {name!r}")
        return lambda *arguments, **options: command(
            name, self.machine, *arguments, **{**self.options, **options}
        )

    def _repr_html_(self):
        return text("draw", self.machine)._repr_html_()


def main():
    """Becomes the command topo with the arguments of this process."""
    os.execv(_COMMAND, [_COMMAND, *sys.argv[1:]])

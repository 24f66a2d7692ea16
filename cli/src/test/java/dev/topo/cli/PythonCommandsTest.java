package dev.topo.cli;

import static java.util.stream.Collectors.joining;

import dev.topo.model.fixture.DocumentTables;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The functions and types of the Python module are the commands and options of the command line.
 */
class PythonCommandsTest {
  private static final Set<String> KEYWORDS =
      Set.of("from", "in", "is", "for", "as", "try", "with");

  /** Options that have no document, or are passed by the module itself. */
  private static final Set<String> OTHERS =
      Set.of("--format", "--help", "--help-all", "--out-dir", "--quiet", "--version");

  private static final String STUB =
      """
      # Made from the command line; PythonCommandsTest keeps it so.
      from os import PathLike
      from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

      _One = Union[str, int, float, "PathLike[str]"]
      _Value = Union[_One, Sequence[_One], Mapping[str, Any], None]

      class TopoError(Exception):
          status: int
          field: Optional[str]
          def __init__(self, status: int, text: str) -> None: ...

      class Document(Dict[str, Any]):
          def rows(self, name: Optional[str] = ...) -> List[Dict[str, Any]]: ...
          def to_frame(self, name: Optional[str] = ...) -> Any: ...

      class Topo:
          machine: _One
          options: Dict[str, Any]
          def __init__(self, machine: _One, **options: Any) -> None: ...
          def with_(self, **options: Any) -> Topo: ...
          def nodes(self, count: int) -> Topo: ...
          def release(self, version: str) -> Topo: ...
          def set(self, name: str, value: object) -> Topo: ...
          def compare(self, *edits: str, **options: Any) -> Document: ...
          def __getattr__(self, name: str) -> Any: ...

      def command(name: str, *arguments: _One, **options: Any) -> Document: ...
      def text(name: str, *arguments: _One, **options: Any) -> str: ...
      def main() -> None: ...
      """;

  /** The commands that return a document: all with JSON but run, whose output is that of a run. */
  private static Map<String, CommandSpec> commands() {
    Map<String, CommandSpec> commands = new TreeMap<>();
    TopoCommand.line()
        .getSubcommands()
        .forEach(
            (name, line) -> {
              OptionSpec format = line.getCommandSpec().findOption("--format");
              if (format != null
                  && List.of(format.type().getEnumConstants()).toString().contains("json")
                  && !name.equals("run")) {
                commands.put(name, line.getCommandSpec());
              }
            });
    return commands;
  }

  private static Map<String, OptionSpec> options(CommandSpec command) {
    Map<String, OptionSpec> options = new TreeMap<>();
    List<OptionSpec> all = new ArrayList<>(command.options());
    command.subcommands().values().forEach(sub -> all.addAll(sub.getCommandSpec().options()));
    for (OptionSpec option : all) {
      String name = option.longestName();
      if (name.startsWith("--") && !OTHERS.contains(name)) {
        String keyword = name.substring(2).replace('-', '_');
        options.put(KEYWORDS.contains(keyword) ? keyword + "_" : keyword, option);
      }
    }
    return options;
  }

  @Test
  void functionsAreTheCommands() throws IOException {
    Set<String> repeated = new TreeSet<>();
    StringBuilder names = new StringBuilder();
    commands()
        .forEach(
            (name, command) -> {
              options(command)
                  .forEach(
                      (keyword, option) -> {
                        if (option.isMultiValue() && option.splitRegex().isEmpty()) {
                          repeated.add(keyword);
                        }
                      });
              names.append(
                  "    \"%s\": \"%s\",%n"
                      .formatted(
                          name,
                          String.format(String.join(" ", command.usageMessage().description()))
                              .replace("\"", "'")));
            });
    DocumentTables.checkFile(
        "packaging/python/topo/_commands.py",
        "# Made from the command line; PythonCommandsTest keeps it so.\n\n"
            + "COMMANDS = {\n"
            + names
            + "}\n\n# Options that are given several times; the values of others are joined by commas.\n"
            + "REPEATED = frozenset(\""
            + String.join(" ", repeated)
            + "\".split())\n");
  }

  @Test
  void typesAreTheOptions() throws IOException {
    StringBuilder stub = new StringBuilder(STUB);
    commands()
        .forEach(
            (name, command) ->
                stub.append("def ")
                    .append(name)
                    .append("(\n    *arguments: _One,\n")
                    .append(
                        options(command).entrySet().stream()
                            .map(
                                option ->
                                    "    %s: %s = ...,\n"
                                        .formatted(
                                            option.getKey(),
                                            option.getValue().arity().max() == 0
                                                ? "bool"
                                                : "_Value"))
                            .collect(joining()))
                    .append(") -> Document: ...\n"));
    DocumentTables.checkFile("packaging/python/topo/__init__.pyi", stub.toString());
  }
}

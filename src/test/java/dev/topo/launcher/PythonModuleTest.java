package dev.topo.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.cli.fixture.CliRun;
import dev.topo.model.fixture.NotRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The Python module, with a command that answers with its own words. */
class PythonModuleTest {
  private static final Path MODULE =
      Path.of(System.getProperty("topo.root"), "packaging/python/topo/__init__.py");

  private static final Pattern COMMAND = Pattern.compile("(?m)^  ([a-z]+) ");
  private static final Pattern JSON = Pattern.compile("--format[ =]FORMAT\\s[^(]*\\bjson\\b");

  @TempDir private Path folder;

  @BeforeEach
  void install() throws IOException {
    Path home = Files.createDirectories(folder.resolve("topo/bundle/bin")).getParent().getParent();
    Files.copy(MODULE, home.resolve("__init__.py"));
    Path command =
        Files.writeString(
            home.resolve("bundle/bin/topo"),
            "#!/bin/sh\nprintf '['; for word; do printf '\"%s\", ' \"$word\"; done; printf '0]'\n");
    command.toFile().setExecutable(true);
  }

  private String python(String statement) throws IOException, InterruptedException {
    ProcessBuilder python =
        new ProcessBuilder(
            "python3",
            "-c",
            "import topo\ntry:\n  " + statement + "\nexcept TypeError as e: print(e)");
    python.environment().put("PYTHONPATH", folder.toString());
    python.redirectErrorStream(true);
    Process process;
    try {
      process = python.start();
    } catch (IOException e) {
      NotRun.because("the Python module: " + e.getMessage());
      throw e;
    }
    String out = new String(process.getInputStream().readAllBytes());
    process.waitFor();
    return out.strip();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "search('x.xml', '-oy.json')|search --format=json -- x.xml -oy.json",
        "show('--help')|show --format=json -- --help",
        "memory('x.xml', nodes=4, strict=True, steps=None)|memory --nodes=4 --strict --format=json -- x.xml",
        "whatif('x.xml', '-q', env={'NCCL_ALGO': 'Ring'})|whatif --env=NCCL_ALGO=Ring --format=json -- x.xml -q",
        "command('sweep', 'show', '-out')|sweep show --format=json -- -out",
        "calibrate('x.csv', output='y')|calibrate --output=y --format=json -- x.csv",
      })
  void argumentsAreNeverOptions(String call, String words) throws Exception {
    assertEquals(words, python("print(*topo." + call + "[:-1])"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "search('x.xml', output='y.json')|output",
        "search('x.xml', help=True)|help",
        "lint('x.xml', help_all=True)|help_all",
        "predict('x.xml', format='csv')|format",
        "predict('x.xml', quiet=True)|quiet",
        "search('x.xml', out_dir='y')|out_dir",
        "search('x.xml', **{'output=y': 1})|output=y",
      })
  void whatHasNoDocumentIsRefused(String call, String keyword) throws Exception {
    String name = call.substring(0, call.indexOf('('));
    assertEquals(
        "'%s' is no keyword of topo.%s, which returns the JSON document".formatted(keyword, name),
        python("topo." + call));
  }

  @Test
  void eachCommandWithAJsonDocumentIsAFunction() throws Exception {
    Set<String> expected = new TreeSet<>(List.of("TopoError", "command", "main"));
    COMMAND
        .matcher(CliRun.of("--help").out())
        .results()
        .map(found -> found.group(1))
        .filter(name -> JSON.matcher(CliRun.of(name, "--help-all").out()).find())
        .filter(name -> !name.equals("run"))
        .forEach(expected::add);
    assertEquals(
        expected, new TreeSet<>(Stream.of(python("print(*topo.__all__)").split(" ")).toList()));
  }
}

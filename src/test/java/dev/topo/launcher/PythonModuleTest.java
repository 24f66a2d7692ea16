package dev.topo.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.cli.fixture.CliRun;
import dev.topo.model.fixture.NotRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final Path MODULE = ROOT.resolve("packaging/python/topo");

  /** Replies to each request with its words. */
  private static final String ECHO =
      """
      #!/usr/bin/env python3
      import json, sys
      for line in sys.stdin:
          asked = json.loads(line)
          print(json.dumps({"id": asked["id"], "status": 0, "output": {"words": asked["args"]}, "error": ""}), flush=True)
      """;

  private static final Pattern COMMAND = Pattern.compile("(?m)^  ([a-z]+) ");
  private static final Pattern JSON = Pattern.compile("--format[ =]FORMAT\\s[^(]*\\bjson\\b");

  @TempDir private Path folder;

  @BeforeEach
  void install() throws IOException {
    Path home = Files.createDirectories(folder.resolve("topo/bundle/bin")).getParent().getParent();
    try (Stream<Path> files = Files.list(MODULE)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.copy(file, home.resolve(file.getFileName()));
      }
    }
    command(ECHO);
  }

  private void command(String script) throws IOException {
    Path command = Files.writeString(folder.resolve("topo/bundle/bin/topo"), script);
    command.toFile().setExecutable(true);
  }

  private String python(String statement) throws IOException, InterruptedException {
    return run("-c", "import topo\ntry:\n  " + statement + "\nexcept TypeError as e: print(e)");
  }

  private String run(String... arguments) throws IOException, InterruptedException {
    ProcessBuilder python = new ProcessBuilder("python3");
    python.command().addAll(List.of(arguments));
    python.environment().put("PYTHONPATH", folder.toString());
    python.redirectErrorStream(true);
    Process process;
    try {
      process = python.start();
    } catch (IOException e) {
      NotRun.because("the Python module: " + e.getMessage());
      throw e;
    }
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
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
        "predict('x', sizes=['1M', 2], node=['a', 'b'])|predict --sizes=1M,2 --node=a --node=b --format=json -- x",
        "predict('x', nodes='4 --strict', calibration='-q')|predict --nodes=4 --strict --calibration=-q --format=json -- x",
        "show('x.xml', output='-y.json')|show --output=-y.json -- x.xml",
        "upgrade('x', from_='2.27.5')|upgrade --from=2.27.5 --format=json -- x",
        "command('sweep', 'show', '-out')|sweep show --format=json -- -out",
        "calibrate('x.csv', output='y')|calibrate --output=y --format=json -- x.csv",
      })
  void argumentsAreNeverOptions(String call, String words) throws Exception {
    assertEquals(words, python("print(*topo." + call + "['words'])"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
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
    Set<String> expected =
        new TreeSet<>(List.of("Document", "Topo", "TopoError", "command", "main", "text"));
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

  @Test
  void tenThousandCallsHaveAnAnswerEach() throws Exception {
    assertEquals(
        "10000",
        python("print(sum(topo.show(n)['words'][-1] == str(n) for n in map(str, range(10000))))"));
  }

  /** Python 3.8 is the oldest that packages support. */
  @Test
  void allFilesHaveTheSyntaxOfPython38() throws Exception {
    assertEquals(
        "6",
        run(
            "-c",
            "import ast, glob\nfiles = glob.glob('"
                + MODULE
                + "/*.py*')\n[ast.parse(open(f).read(), f, feature_version=(3, 8)) for f in files"
                + " if not f.endswith('typed')]\nprint(len(files))"));
  }

  @Test
  void programsGetTheAnswersOfTheCommand() throws Exception {
    command(
        "#!/bin/sh\nexec '%s/bin/java' -XX:TieredStopAtLevel=1 -cp '%s' dev.topo.cli.Main \"$@\"\n"
            .formatted(System.getProperty("java.home"), System.getProperty("java.class.path")));
    String out =
        run(
            ROOT.resolve("src/test/resources/python/attacks.py").toString(),
            Files.createDirectory(folder.resolve("files")).toString(),
            ROOT.resolve("topologies").toString());
    assertEquals("ok", out);
  }
}

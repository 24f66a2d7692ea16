package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the documents say is true: paths that they name exist, and the output that README shows is
 * the output of the command.
 */
class DocumentTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final String PROMPT = "$ ./topo ";

  /** A word that could be a path: it has a slash or ends like a file of ours. */
  private static final Pattern PATH = Pattern.compile("[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)*/?");

  private static final Pattern FILE_NAME =
      Pattern.compile(".*\\.(md|xml|java|json|csv|txt|sh|properties|py|html|svg|png|toml|yml)");
  private static final Pattern WORD = Pattern.compile("('[^']*'|\"[^\"]*\"|[^\\s'\"])+");
  private static final Pattern IN_BACK_QUOTES = Pattern.compile("`([^`\\n]+)`");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)[^)]*\\)");

  /** A document, empty for the one with the link, and a heading of it. */
  private static final Pattern ANCHOR = Pattern.compile("\\]\\(([^)\\s#:]*)#([^)\\s]+)\\)");

  /** Of an earlier run: a sweep would go on with them, though its answers may be others now. */
  @BeforeAll
  static void deleteResultsOfSweeps() throws IOException {
    Path results = Path.of("target/rails");
    if (Files.exists(results)) {
      try (Stream<Path> files = Files.walk(results)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  private static List<Path> documents() throws IOException {
    List<Path> documents =
        new ArrayList<>(List.of(ROOT.resolve("README.md"), ROOT.resolve("CONTRIBUTING.md")));
    Path docs = ROOT.resolve("docs");
    if (Files.isDirectory(docs)) {
      try (Stream<Path> files = Files.list(docs)) {
        files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(documents::add);
      }
    }
    return documents;
  }

  @Test
  void everyPathThatADocumentNamesExists() throws IOException {
    List<String> missing = new ArrayList<>();
    for (Path document : documents()) {
      String text = withoutBlocks(Files.readString(document));
      for (String path : linked(text)) {
        // Relative to the document, as a browser takes it.
        if (!Files.exists(document.resolveSibling(path))) {
          missing.add(ROOT.relativize(document) + " links to " + path);
        }
      }
      for (String path : quoted(text)) {
        if (!Files.exists(ROOT.resolve(path)) && !Files.exists(document.resolveSibling(path))) {
          missing.add(ROOT.relativize(document) + " names " + path);
        }
      }
    }
    assertEquals(List.of(), missing);
  }

  @Test
  void everyAnchorOfALinkIsAHeading() throws IOException {
    List<Path> documents = documents();
    documents.add(ROOT.resolve("CHANGELOG.md"));
    documents.add(ROOT.resolve("docs/schema/README.md"));
    List<String> wrong = new ArrayList<>();
    int anchors = 0;
    for (Path document : documents) {
      Matcher links = ANCHOR.matcher(withoutBlocks(Files.readString(document)));
      while (links.find()) {
        anchors++;
        Path target = links.group(1).isEmpty() ? document : document.resolveSibling(links.group(1));
        if (!headings(Files.readString(target)).contains(links.group(2))) {
          wrong.add(ROOT.relativize(document) + " links to " + links.group());
        }
      }
    }
    assertEquals(List.of(), wrong);
    assertTrue(anchors > 20, anchors + " anchors");
  }

  /** As the usual hosts of projects name headings. */
  private static List<String> headings(String text) {
    return withoutBlocks(text)
        .lines()
        .filter(line -> line.startsWith("#"))
        .map(line -> line.replaceFirst("#+ ", "").toLowerCase(Locale.ROOT))
        .map(line -> line.replaceAll("[^\\p{L}\\p{N}_ -]", "").replace(' ', '-'))
        .toList();
  }

  @Test
  void pathsAreToldFromOtherWords() {
    String text =
        "`docs/a.md` `./topo search x.xml` `src/*/java` `case.<what>` `topo show FILE` `GB/s` `NCCL_ALGO`"
            + " `golden/<machine>/` `nccl:src/graph/topo.cc` `topo.xml` `/etc/passwd` `sm 90` `../shared`"
            + " `https://a.b/c` [x](docs/b.md#part) [y](https://a.b/c) [z](#here) `topologies/` `NEWS.md`"
            + " `topo show topologies/x.xml -o out/y.txt` `out/z.txt`";
    assertEquals(
        List.of("docs/a.md", "./topo", "topologies/", "NEWS.md", "topologies/x.xml", "out/z.txt"),
        quoted(text));
    assertEquals(List.of("docs/b.md"), linked(text));
  }

  private static List<String> linked(String text) {
    return LINK.matcher(text)
        .results()
        .map(link -> link.group(1).replaceFirst("#.*", ""))
        .filter(path -> !path.isEmpty() && !path.contains(":") && !path.matches(".*[*<>{}].*"))
        .toList();
  }

  /** Words in back quotes that are relative paths, also as arguments of a command. */
  private static List<String> quoted(String text) {
    List<String> paths = new ArrayList<>();
    Matcher quotes = IN_BACK_QUOTES.matcher(text);
    while (quotes.find()) {
      String[] words = quotes.group(1).split(" ", -1);
      for (String word : words) {
        if (isPath(word, words.length == 1)) {
          paths.add(word);
        }
      }
    }
    return paths;
  }

  /**
   * A word that leads down from the root of the project: one that begins with a folder there, so
   * that {@code GB/s} is none; on its own also one that ends like a file, which in a command may be
   * a file to write; without a folder only a document. Below target is what builds and examples
   * write.
   */
  private static boolean isPath(String word, boolean alone) {
    if (!PATH.matcher(word).matches() || word.startsWith("..") || word.startsWith("target/")) {
      return false;
    }
    int slash = word.indexOf('/');
    if (slash < 0) {
      return word.endsWith(".md");
    }
    return Files.exists(ROOT.resolve(word.substring(0, slash)))
        || (alone && FILE_NAME.matcher(word).matches());
  }

  /** A fenced block shows what someone types and sees, not what the document says. */
  private static String withoutBlocks(String text) {
    StringBuilder left = new StringBuilder();
    boolean inside = false;
    for (String line : text.lines().toList()) {
      if (line.strip().startsWith("```")) {
        inside = !inside;
      } else if (!inside) {
        left.append(line).append('\n');
      }
    }
    return left.toString();
  }

  @Test
  void readmeShowsOutputOfTheCommand() throws IOException {
    List<Sample> samples = samples(Files.readString(ROOT.resolve("README.md")));
    assertFalse(samples.isEmpty(), "README.md has no block that begins with '" + PROMPT + "…'");
  }

  /** What is shown is reviewed like code; {@code -Dgolden.update=true} accepts it. */
  @ParameterizedTest
  @MethodSource("documents")
  void documentsShowTheRealOutputOfTheCommand(Path document) throws IOException {
    String text = Files.readString(document);
    for (Sample sample : samples(text)) {
      String output = output(sample.arguments);
      if (Boolean.getBoolean("golden.update")) {
        String prompt = PROMPT + sample.arguments + "\n";
        Files.writeString(
            document, Files.readString(document).replace(prompt + sample.output, prompt + output));
      } else {
        assertEquals(sample.output, output, PROMPT + sample.arguments);
      }
    }
  }

  @Test
  void outputDoesNotDependOnWhereTheProjectLies() {
    String shown = output("search topologies/dgx-1v.xml --format json");
    assertFalse(shown.contains(ROOT.toString()), shown);
  }

  @Test
  void samplesAreBlocksThatBeginWithTheCommand() {
    String readme =
        "```\nmvn verify\n```\n```text\n$ ./topo show a.xml\none\n\n  two\n```\nand\n```\n$ ./topo --help\n```\n";
    assertEquals(
        List.of(new Sample("show a.xml", "one\n\n  two\n"), new Sample("--help", "")),
        samples(readme));
  }

  @Test
  void aWrongSampleIsNoticed() {
    assertNotEquals("something else\n", output("show topologies/dgx-h100.xml"));
    assertTrue(output("show topologies/dgx-h100.xml").startsWith("dgx-h100: 8 GPUs"));
  }

  /** {@code .ci/verify} is what continuous integration runs. */
  @Test
  void readmeAndTheBuildScriptRunTheSameTests() throws IOException {
    String section = Files.readString(ROOT.resolve("README.md")).split("\n## Test\n", -1)[1];
    String command = section.split("```", -1)[1].strip();
    assertTrue(command.startsWith("mvn "), command);
    List<String> script = Files.readAllLines(ROOT.resolve(".ci/verify"));
    assertEquals(command + " \"$@\"", script.get(script.size() - 1));
  }

  private record Sample(String arguments, String output) {}

  private static List<Sample> samples(String text) {
    List<Sample> samples = new ArrayList<>();
    List<String> lines = text.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      if (!lines.get(i).startsWith("```")) {
        continue;
      }
      int end = i + 1;
      while (end < lines.size() && !lines.get(end).startsWith("```")) {
        end++;
      }
      if (i + 1 < end && lines.get(i + 1).startsWith(PROMPT)) {
        StringBuilder output = new StringBuilder();
        lines.subList(i + 2, end).forEach(line -> output.append(line).append('\n'));
        samples.add(new Sample(lines.get(i + 1).substring(PROMPT.length()), output.toString()));
      }
      i = end;
    }
    return samples;
  }

  /** The words of a command line; quotes keep blanks together, as a shell has it. */
  private static String[] words(String line) {
    return WORD.matcher(line)
        .results()
        .map(word -> word.group().replaceAll("['\"]", ""))
        .toArray(String[]::new);
  }

  /** The file of the project that a path names; the path if there is none. */
  private static String absolute(String path) {
    boolean isFile = path.contains("/") && Files.isRegularFile(ROOT.resolve(path));
    return Matcher.quoteReplacement(isFile ? ROOT.resolve(path).toString() : path);
  }

  /** What the command prints, on stdout after what it prints on stderr. */
  private static String output(String arguments) {
    String[] words = words(arguments);
    for (int i = 0; i < words.length; i++) {
      words[i] = PATH.matcher(words[i]).replaceAll(path -> absolute(path.group()));
    }
    CliRun run = CliRun.of(words);
    return run.err().replace(ROOT + "/", "") + run.out().replace(ROOT + "/", "");
  }
}

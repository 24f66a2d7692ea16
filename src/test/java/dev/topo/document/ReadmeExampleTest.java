package dev.topo.document;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compiles and runs the Java examples of the documents. */
class ReadmeExampleTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final List<String> MODULES =
      List.of("model", "search", "inspect", "simulator", "hw-probe", "visualizer", "cli");
  private static final Pattern EXAMPLE = Pattern.compile("(?s)```java\n(.*?)```");

  @TempDir private Path folder;

  @Test
  void exampleOfTheLibraryPrintsRingsAndBusbw() throws Exception {
    String out = run("docs/library.md", "dgx-h100.xml");
    assertTrue(out.contains("Channel["), out);
    assertTrue(out.lines().anyMatch(line -> line.matches("[0-9.]+ GB/s")), out);
  }

  @Test
  void exampleOfTheSimulatorPrintsBusbwAndItsLimit() throws Exception {
    String out = run("simulator/README.md", "hgx-h200-4nic.xml");
    assertTrue(out.matches("[0-9.]+ GB/s, limited by [A-Z_]+\\R"), out);
  }

  @ParameterizedTest
  @CsvSource({
    "model, dgx-h100.xml, '2 elements below <system>'",
    "search, dgx-h100.xml, '16 channels'",
    "inspect, ../examples/incomplete.xml, 'incomplete.xml:2:3: <cpu>: '",
    "visualizer, dgx-h100.xml, '</svg>'",
    "cli, dgx-h100.xml, 'AllReduce'"
  })
  void exampleOfAModulePrints(String module, String machine, String expected) throws Exception {
    String out = run(module + "/README.md", machine);
    assertTrue(out.contains(expected), out);
  }

  /** They read the machine, which may have no GPU: they are not run. */
  @Test
  void examplesOfTheProbeCompile() throws Exception {
    List<String> examples = examples("hw-probe/README.md");
    assertEquals(2, examples.size());
    for (String example : examples) {
      compile(example, "hw-probe/README.md");
    }
  }

  private static List<String> examples(String document) throws IOException {
    return EXAMPLE
        .matcher(Files.readString(ROOT.resolve(document)))
        .results()
        .map(found -> found.group(1))
        .filter(found -> !found.startsWith("import "))
        .toList();
  }

  /** What the first example of a document that is no whole program prints for a machine. */
  private String run(String document, String machine) throws Exception {
    String example =
        examples(document).stream()
            .findFirst()
            .orElseThrow(() -> new AssertionError(document + " has no Java example"));
    String topology = ROOT.resolve("topologies").resolve(machine).toString();
    compile(example.replace("system.xml", topology.replace("\\", "/")), document);
    return output();
  }

  /** As a class whose output is a stream of its own: classes of tests run at the same time. */
  private void compile(String code, String document) throws IOException {
    Path source = folder.resolve("Example.java");
    Files.writeString(
        source,
        imports(code)
            + "public final class Example {\n"
            + "  public static void run(java.io.PrintStream out) throws Exception {\n"
            + code.replace("System.out", "out")
            + "  }\n}\n");
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    ByteArrayOutputStream errors = new ByteArrayOutputStream();
    int status =
        compiler.run(
            null,
            errors,
            errors,
            "-proc:none",
            "-cp",
            System.getProperty("java.class.path"),
            "-d",
            folder.toString(),
            source.toString());
    assertEquals(0, status, document + ": " + errors.toString(StandardCharsets.UTF_8));
  }

  private String output() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
      loader
          .loadClass("Example")
          .getMethod("run", PrintStream.class)
          .invoke(null, new PrintStream(out, true, StandardCharsets.UTF_8));
    } catch (InvocationTargetException e) {
      throw new IllegalStateException("the example fails", e);
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  /** An example names its types without packages; no two types of these modules share a name. */
  private static String imports(String code) throws IOException {
    TreeSet<String> words =
        Pattern.compile("\\b[A-Z]\\w+")
            .matcher(code)
            .results()
            .map(MatchResult::group)
            .collect(Collectors.toCollection(TreeSet::new));
    StringBuilder imports = new StringBuilder("import java.nio.file.*;\nimport java.util.*;\n");
    for (String module : MODULES) {
      Path sources = ROOT.resolve(module).resolve("src/main/java");
      try (Stream<Path> files = Files.walk(sources)) {
        files
            .filter(file -> words.contains(String.valueOf(file.getFileName()).replace(".java", "")))
            .map(file -> sources.relativize(file).toString().replace(".java", ""))
            .map(type -> "import " + type.replaceAll("[/\\\\]", ".") + ";\n")
            .forEach(imports::append);
      }
    }
    return imports.toString();
  }
}

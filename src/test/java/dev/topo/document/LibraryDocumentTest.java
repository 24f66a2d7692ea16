package dev.topo.document;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.Topo;
import dev.topo.model.operation.Call;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The programs of docs/library.md are short, compile and do what the document says. */
class LibraryDocumentTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final Path MACHINE = ROOT.resolve("topologies/dgx-h100.xml");
  private static final String CLASS_PATH = System.getProperty("java.class.path");
  private static final Pattern PROGRAM = Pattern.compile("(?s)```java\n(import .*?)```");
  private static final Pattern NAME = Pattern.compile("(?m)^class (\\w+)");
  private static final int MOST_LINES = 15;

  @TempDir private Path folder;

  private Map<String, String> programs = Map.of();

  @BeforeEach
  void readDocument() throws IOException {
    programs = new LinkedHashMap<>();
    PROGRAM
        .matcher(Files.readString(ROOT.resolve("docs/library.md")))
        .results()
        .map((MatchResult program) -> program.group(1))
        .forEach(program -> programs.put(name(program), program));
  }

  private static String name(String program) {
    Matcher name = NAME.matcher(program);
    assertTrue(name.find(), program);
    return name.group(1);
  }

  @Test
  void hasFourProgramsOfFewLines() {
    assertEquals(
        List.of("Predict", "WhatIf", "Fleet", "TopologyFileTest"), List.copyOf(programs.keySet()));
    programs.forEach(
        (name, program) ->
            assertTrue(program.lines().count() <= MOST_LINES, name + " has too many lines"));
  }

  @Test
  void predictPrintsChannelsAndTimes() throws Exception {
    List<String> lines = run("Predict", MACHINE.toString());
    Topo job = Topo.open(MACHINE).nodes(4);
    assertEquals(job + ", " + job.connect().nChannels() + " channels", lines.get(0));
    assertEquals(4, lines.size());
    Call call = Call.of("all_reduce", "1G");
    assertTrue(
        lines
            .get(3)
            .startsWith(
                "1G by " + job.tune(call).launchName() + ": " + job.predict(call).range() + ", "),
        lines.get(3));
    assertTrue(lines.get(3).matches(".*, \\d+[.,]\\d GB/s"), lines.get(3));
  }

  @Test
  void whatIfPrintsChannelsChoicesAndTheChange() throws Exception {
    List<String> lines = run("WhatIf", MACHINE.toString());
    assertEquals(3, lines.size());
    assertTrue(lines.get(0).matches("\\d+ channels, \\w+/\\w+"), lines.get(0));
    assertTrue(lines.get(1).matches("\\d+ channels, \\w+/\\w+"), lines.get(1));
    assertTrue(lines.get(2).matches("busbw -\\d+[.,]\\d %"), lines.get(2));
  }

  @Test
  void fleetPrintsALineForEachMachineInOrder() throws Exception {
    Path machines = Files.createDirectory(folder.resolve("machines"));
    for (String name : List.of("dgx-h100", "dgx-a100", "hgx-b200", "hgx-h200-4nic")) {
      Files.copy(
          ROOT.resolve("topologies").resolve(name + ".xml"), machines.resolve(name + ".xml"));
    }
    List<String> lines = run("Fleet", machines.toString());
    assertEquals(
        List.of("dgx-a100", "dgx-h100", "hgx-b200", "hgx-h200-4nic"),
        lines.stream().map(line -> line.substring(0, line.indexOf(','))).toList());
    lines.forEach(
        line -> assertTrue(line.matches(".*, 2 nodes, NCCL [0-9.]+: \\d+[.,]\\d GB/s"), line));
  }

  @Test
  void testFailsWhereAChangeCostsMoreThanFivePercent() throws Exception {
    assertEquals(Optional.empty(), failure(Files.readString(MACHINE)));
    String slower = Files.readString(MACHINE).replace("speed=\"400000\"", "speed=\"100000\"");
    Throwable failure = failure(slower).orElseThrow();
    assertTrue(failure instanceof AssertionError, failure::toString);
    assertTrue(
        String.valueOf(failure.getMessage()).startsWith("busbw changes by -0."), failure::toString);
  }

  /** The failure of the document's test, whose machine is changed to another one. */
  private Optional<Throwable> failure(String changed) throws Exception {
    Path other = Files.writeString(folder.resolve("changed.xml"), changed);
    String program = Objects.requireNonNull(programs.get("TopologyFileTest"));
    Path classes =
        compile(
            "TopologyFileTest",
            program.replace("system.xml", path(MACHINE)).replace("changed.xml", path(other)));
    try (URLClassLoader loader = new URLClassLoader(new URL[] {classes.toUri().toURL()})) {
      Class<?> test = loader.loadClass("TopologyFileTest");
      List<Method> methods =
          Stream.of(test.getDeclaredMethods())
              .filter(method -> method.isAnnotationPresent(Test.class))
              .toList();
      assertEquals(1, methods.size());
      Constructor<?> constructor = test.getDeclaredConstructor();
      constructor.setAccessible(true);
      methods.get(0).setAccessible(true);
      methods.get(0).invoke(constructor.newInstance());
      return Optional.empty();
    } catch (InvocationTargetException e) {
      return Optional.of(e.getCause());
    }
  }

  private static String path(Path file) {
    return file.toString().replace("\\", "/");
  }

  /** The lines that a program prints, in a process of its own. */
  private List<String> run(String name, String argument) throws Exception {
    Path classes = compile(name, Objects.requireNonNull(programs.get(name)));
    Path out = folder.resolve("out.txt");
    List<String> command =
        Stream.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:TieredStopAtLevel=1",
                "-Duser.language=en", // they format as any program does
                "-cp",
                classes + File.pathSeparator + CLASS_PATH,
                name,
                argument)
            .toList();
    int status =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start()
            .waitFor();
    String printed = Files.readString(out);
    assertEquals(0, status, printed);
    return printed.lines().toList();
  }

  private Path compile(String name, String program) throws IOException {
    Path classes = Files.createTempDirectory(folder, "classes");
    Path source = Files.writeString(folder.resolve(name + ".java"), program);
    ByteArrayOutputStream errors = new ByteArrayOutputStream();
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                errors,
                errors,
                "-proc:none",
                "-Xlint:all,-path",
                "-Werror",
                "-cp",
                CLASS_PATH,
                "-d",
                classes.toString(),
                source.toString());
    assertEquals(0, status, name + ": " + errors.toString(StandardCharsets.UTF_8));
    return classes;
  }
}

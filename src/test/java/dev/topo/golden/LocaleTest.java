package dev.topo.golden;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.model.fixture.Thorough;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The same bytes in every locale: {@code formatted} follows that of the JVM, which is the one of
 * the host for users of the library.
 */
class LocaleTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final Path FROZEN = ROOT.resolve("src/test/resources/golden");
  private static final String MACHINE = "dgx-h100";

  private static final String LITERAL =
      "\"\"\"(?:[^\"\\\\]|\\\\.|\"(?!\"\"))*+\"\"\"|\"(?:[^\"\\\\\\n]|\\\\.)*+\"";

  /** A pattern of {@code formatted} with a conversion that depends on the locale. */
  private static final Pattern DEPENDS =
      Pattern.compile("%[-#+ 0,(<\\d.$]*[deEfgGtT](?=.*\\.formatted\\()", Pattern.DOTALL);

  private static final Pattern FORMATTED =
      Pattern.compile("(?:(?:" + LITERAL + ")(?:\\s*\\+\\s*)?)++\\)?\\s*\\.formatted\\(");

  private static final Pattern DEFAULT =
      Pattern.compile(
          "(?:String\\.format|printf)\\((?!\\s*Locale)|to(?:Lower|Upper)Case\\(\\)|Locale\\.getDefault");

  /** Their patterns are an argument or a line of a table; none has a number in it. */
  private static final List<String> OTHER_PATTERNS =
      List.of("AssumedMachine.java: 1 others", "Finding.java: 2 others", "SameJob.java: 2 others");

  @TempDir private Path folder;

  private static List<Path> sources() throws IOException {
    List<Path> sources = new ArrayList<>();
    try (Stream<Path> modules = Files.list(ROOT)) {
      for (Path main : modules.map(module -> module.resolve("src/main")).sorted().toList()) {
        if (Files.isDirectory(main)) {
          try (Stream<Path> files = Files.walk(main)) {
            files.filter(file -> file.toString().endsWith(".java")).sorted().forEach(sources::add);
          }
        }
      }
    }
    return sources;
  }

  /** Integers are written with {@code %s}, other numbers by {@code TextWriter.format}. */
  @Test
  void noSourceFormatsByTheLocaleOfTheHost() throws IOException {
    List<String> found = new ArrayList<>();
    List<String> others = new ArrayList<>();
    for (Path file : sources()) {
      String source = Files.readString(file);
      Stream.concat(
              FORMATTED
                  .matcher(source)
                  .results()
                  .map(match -> match.group())
                  .filter(text -> DEPENDS.matcher(text.replace("%%", "")).find()),
              DEFAULT.matcher(source).results().map(match -> match.group()))
          .forEach(text -> found.add(ROOT.relativize(file) + ": " + text));
      long unseen =
          source.split("\\.formatted\\(", -1).length
              - 1
              - FORMATTED.matcher(source).results().count();
      if (unseen > 0) {
        others.add(file.getFileName() + ": " + unseen + " others");
      }
    }
    assertEquals(List.of(), found);
    assertEquals(OTHER_PATTERNS, others.stream().sorted().toList());
  }

  @Tag("slow")
  @ParameterizedTest
  @CsvSource({"ar,EG,0", "tr,TR,1", "de,DE,2"})
  void answersAreThoseThatAreFrozen(String language, String country, int offset)
      throws IOException, InterruptedException {
    List<String> names =
        Thorough.orEvery(
            10, offset, List.copyOf(cases().keySet()), "frozen answers in other locales");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Djava.awt.headless=true",
            "-Duser.language=" + language,
            "-Duser.country=" + country,
            "-Dtopo.root=" + ROOT,
            "-cp",
            System.getProperty("java.class.path"),
            Child.class.getName(),
            folder.toString()));
    command.addAll(names);
    Process child = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(child.getInputStream().readAllBytes());
    assertEquals(0, child.waitFor(), output);
    assertEquals(names.size() + " compared in " + language + "_" + country + "\n", output);
  }

  /**
   * By the names of the files with their answers. Pictures depend on the fonts of the host; picocli
   * writes the script for bash in the locale of the JVM, which {@code Main} sets.
   */
  private static SortedMap<String, GoldenCase> cases() throws IOException {
    SortedMap<String, GoldenCase> cases = new TreeMap<>();
    for (GoldenCase one : GoldenCase.read(FROZEN.resolve("machine.cases"))) {
      cases.put(MACHINE + "/" + one.name(), one.on("topologies/" + MACHINE + ".xml"));
    }
    for (GoldenCase one : GoldenCase.read(FROZEN.resolve("other.cases"))) {
      cases.put("other/" + one.name(), one);
    }
    cases.keySet().removeIf(name -> name.endsWith(".png") || name.endsWith("completion.bash"));
    return cases;
  }

  /** Compares the cases that are named with the frozen answers, in the locale of its JVM. */
  static final class Child {
    private Child() {}

    public static void main(String[] args) throws IOException {
      List<String> names = Arrays.asList(args).subList(1, args.length);
      for (String name : names) {
        Path folder = Files.createDirectories(Path.of(args[0], name));
        String answer = GoldenAnswer.of(Objects.requireNonNull(cases().get(name)), folder);
        if (!answer.equals(Files.readString(FROZEN.resolve(name + ".txt")))) {
          System.out.println(name + " differs:\n" + answer);
        }
      }
      System.out.println(names.size() + " compared in " + Locale.getDefault());
    }
  }
}

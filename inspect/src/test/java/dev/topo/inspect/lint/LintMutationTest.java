package dev.topo.inspect.lint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.inspect.lint.NcclXmlReader.Limits;
import dev.topo.model.fixture.RandomCases;
import dev.topo.model.io.Diagnostic.Severity;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.xml.Vocabulary;
import dev.topo.model.xml.XmlReader;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologyReader;
import dev.topo.search.topology.TopologySource.UnknownElements;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Damages the machines of the project in thousands of ways: lint never crashes, and where NCCL's
 * reader, or the model of what NCCL makes of a file, would refuse the file, it reports an error.
 */
class LintMutationTest {
  private static final int MUTANTS = RandomCases.count(500, 10_000);
  private static final long SEED = Long.getLong("test.seed", 20260102);
  private static final Pattern ATTRIBUTE = Pattern.compile(" ([a-z_]+)=\"([^\"]*)\"");

  private static final List<String> VALUES =
      List.of(
          "",
          "0",
          "-1",
          "1",
          "9",
          "010",
          "08",
          "4294967296",
          "abc",
          "16x",
          "NaN",
          "fffffff:ff:ff.0",
          "0000:1B:00.0",
          "0x060400",
          "0x068000",
          "0x030200",
          "0x02",
          "arm64",
          "mips",
          "32.0 GT/s",
          "16.0 GT/s PCIe",
          "&amp;",
          "é",
          "x".repeat(300));

  private static final List<String> INSERTS =
      List.of(
          "\t",
          "\n",
          " ",
          "  ",
          "=",
          "\"",
          "'",
          "<",
          ">",
          "/",
          "&lt;",
          "<!-- x -->",
          "<!--a=b-->",
          "<?xml version=\"1.0\"?>",
          "<!DOCTYPE system>",
          "<![CDATA[x]]>",
          "\u0000",
          "\r\n",
          "</gpu>",
          "<foo>",
          "<foo/>",
          "<nvlink/>",
          "text",
          "\ufeff",
          " count=5",
          " a='b'",
          "<pci",
          "]]>");

  /**
   * What topo refuses and NCCL does not, on purpose: docs/limits.md; and what NCCL reads from the
   * machine, which is not there.
   */
  private static final Pattern STRICTER =
      Pattern.compile(
          ".*(not well-formed XML|has no gpu|is also that of the gpu|unknown element|from 0 to"
              + "|is empty|no document type|is not defined|as the outermost element|has no element"
              + "|found, expected elements only|has more than|attribute guid|attribute host_hash"
              + "|attribute (arch|vendor|familyid|class|link_speed|link_width|sm) is missing|=\" +[0-9]+\", expected an integer).*",
          Pattern.DOTALL);

  @Test
  @Tag("slow")
  void whatNcclRefusesIsAnError() throws IOException {
    List<String> machines = machines();
    List<String> failures = new ArrayList<>();
    int refused = 0;
    int unusable = 0;
    int clean = 0;
    for (int i = 0; i < MUTANTS; i++) {
      Random random = new Random(SEED + i);
      String mutant = mutate(machines.get(random.nextInt(machines.size())), random);
      byte[] bytes = mutant.getBytes(StandardCharsets.UTF_8);
      try {
        List<LintFinding> findings =
            new Linter().lint(new SourceText("mutant.xml", bytes), FileKind.TOPOLOGY);
        boolean error = findings.stream().anyMatch(finding -> finding.severity() == Severity.ERROR);
        boolean refusal =
            new NcclXmlReader(bytes, Vocabulary.TOPOLOGY, Limits.of(NcclProfile.DEFAULT))
                .read()
                .refusal()
                .isPresent();
        String model = refusal ? "" : refusedByModel(bytes);
        refused += refusal ? 1 : 0;
        unusable += model.isEmpty() ? 0 : 1;
        clean += error ? 0 : 1;
        if ((refusal || !model.isEmpty()) && !error) {
          failures.add("seed " + (SEED + i) + ": no error, but " + model);
        }
      } catch (RuntimeException | StackOverflowError e) {
        failures.add("seed " + (SEED + i) + ": " + e + " at " + e.getStackTrace()[0]);
      }
    }
    System.out.println(
        String.format(
            Locale.ROOT,
            "lint mutants %d/%d (NCCL's reader refuses %d, the model of NCCL %d more; no error in %d)",
            MUTANTS - failures.size(),
            MUTANTS,
            refused,
            unusable,
            clean));
    assertEquals(List.of(), failures.stream().limit(20).toList());
    // A tenth or more are of each kind; without one of them there would be nothing to hold lint to.
    int least = MUTANTS / 20;
    assertTrue(refused >= least, refused + " refused by NCCL's reader");
    assertTrue(unusable >= least, unusable + " refused by the model of NCCL");
    assertTrue(clean >= least, clean + " without an error");
  }

  private static List<String> machines() throws IOException {
    List<String> machines = new ArrayList<>();
    Path folder = Path.of(System.getProperty("topo.root")).resolve("topologies");
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".xml")).sorted().toList()) {
        machines.add(Files.readString(file));
      }
    }
    return machines;
  }

  /** Why the model of what NCCL makes of a file refuses it; empty if it does not. */
  private static String refusedByModel(byte[] bytes) {
    try {
      new TopologyReader(UnknownElements.IGNORED, NcclProfile.DEFAULT)
          .map(new XmlReader().read(bytes, "mutant.xml"), GpuSelection.ALL, new Diagnostics());
      return "";
    } catch (TopologyFormatException e) {
      String message = String.valueOf(e.getMessage());
      return STRICTER.matcher(message).matches() ? "" : message;
    }
  }

  private static String mutate(String text, Random random) {
    String mutant = text;
    for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
      mutant =
          switch (random.nextInt(8)) {
            case 0 -> mutant.substring(0, random.nextInt(mutant.length() + 1));
            case 1, 2 -> insert(mutant, random);
            case 3 -> dropLine(mutant, random);
            case 4 -> dropAttribute(mutant, random);
            default -> changeValue(mutant, random);
          };
    }
    return mutant;
  }

  private static String insert(String text, Random random) {
    int at = random.nextInt(text.length() + 1);
    return text.substring(0, at) + INSERTS.get(random.nextInt(INSERTS.size())) + text.substring(at);
  }

  private static String dropLine(String text, Random random) {
    List<String> lines = new ArrayList<>(text.lines().toList());
    if (!lines.isEmpty()) {
      int at = random.nextInt(lines.size());
      String line = lines.remove(at);
      if (random.nextBoolean()) {
        lines.add(random.nextInt(lines.size() + 1), line);
      }
    }
    return String.join("\n", lines) + "\n";
  }

  private static String dropAttribute(String text, Random random) {
    List<MatchResult> attributes = ATTRIBUTE.matcher(text).results().toList();
    if (attributes.isEmpty()) {
      return text;
    }
    MatchResult chosen = attributes.get(random.nextInt(attributes.size()));
    return text.substring(0, chosen.start()) + text.substring(chosen.end());
  }

  private static String changeValue(String text, Random random) {
    List<MatchResult> attributes = ATTRIBUTE.matcher(text).results().toList();
    if (attributes.isEmpty()) {
      return text;
    }
    MatchResult chosen = attributes.get(random.nextInt(attributes.size()));
    String other =
        random.nextBoolean()
            ? VALUES.get(random.nextInt(VALUES.size()))
            : attributes.get(random.nextInt(attributes.size())).group(2);
    return text.substring(0, chosen.start(2)) + other + text.substring(chosen.end(2));
  }
}

package dev.topo.inspect.difference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.fixture.RandomCases;
import dev.topo.model.fixture.Thorough;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.xml.XmlDocument;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlReader;
import dev.topo.search.fixture.MachineXml;
import dev.topo.search.fixture.RandomMachine;
import dev.topo.search.topology.TopologyReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Differences of machines: none where there is none, each by its name where there is one. */
class MachineDifferencesTest {
  private static final Path TOPOLOGIES =
      Path.of(System.getProperty("topo.root")).resolve("topologies");
  private static final long SEED = Long.getLong("test.seed", 20261120L);
  private static final int ITERATIONS = RandomCases.count(50, 200);

  /** Shuffled files of each shipped machine, and edits. */
  private static final int SHUFFLES = RandomCases.count(5, 20);

  private static final int EDITS = RandomCases.count(6, 40);

  static List<Path> topologies() throws IOException {
    try (Stream<Path> files = Files.list(TOPOLOGIES)) {
      return files.filter(file -> file.toString().endsWith(".xml")).sorted().toList();
    }
  }

  private static XmlElement read(Path file) {
    return new XmlReader().read(file, new Inputs()).root();
  }

  private static XmlElement parse(String text) {
    return new XmlReader().read(text.getBytes(StandardCharsets.UTF_8), "b.xml").root();
  }

  @ParameterizedTest
  @MethodSource("topologies")
  void anotherFileOfTheSameMachineIsEqual(Path file) {
    XmlElement machine = read(file);
    for (long seed = SEED; seed < SEED + SHUFFLES; seed++) {
      assertEqual(machine, ShuffledMachine.of(machine, seed), file + " seed " + seed);
    }
  }

  @Test
  void anotherFileOfARandomMachineIsEqual() {
    for (long seed = SEED; seed < SEED + ITERATIONS; seed++) {
      XmlElement machine = MachineXml.of(RandomMachine.of(seed));
      new TopologyReader()
          .map(new XmlDocument(List.of(), machine, List.of()), GpuSelection.ALL, new Diagnostics());
      assertEqual(machine, ShuffledMachine.of(machine, seed), "seed " + seed);
    }
  }

  private static void assertEqual(XmlElement a, XmlElement b, String what) {
    assertEquals(CanonicalForm.of(a), CanonicalForm.of(b), what);
    assertEquals(List.of(), MachineDifferences.of(a, b).list(), what);
  }

  @Test
  void noTwoOfTheShippedMachinesAreEqual() throws IOException {
    List<Path> files = topologies();
    assertEquals(
        files.size(), files.stream().map(f -> CanonicalForm.of(read(f))).distinct().count());
  }

  /**
   * A random edit is found in a shuffled file, named, and its own edit makes the first the second.
   */
  @ParameterizedTest
  @MethodSource("topologies")
  void oneEditIsOneDifferenceThatBringsItAbout(Path file) {
    XmlElement machine = read(file);
    for (long seed = SEED; seed < SEED + EDITS; seed++) {
      assertFound(machine, RandomEdit.of(machine, seed), seed, file.getFileName().toString());
    }
  }

  @Test
  void oneEditOfARandomMachineIsOneDifference() {
    for (long seed = SEED; seed < SEED + ITERATIONS; seed++) {
      XmlElement machine = MachineXml.of(RandomMachine.of(seed));
      assertFound(machine, RandomEdit.of(machine, seed), seed, "random machine");
    }
  }

  /**
   * What the first lacks is as well a difference: the other way round an edit adds and takes out.
   */
  @ParameterizedTest
  @MethodSource("topologies")
  void theOtherWayRoundOneEditIsOneDifference(Path file) {
    XmlElement machine = read(file);
    for (long seed = SEED; seed < SEED + EDITS; seed++) {
      XmlElement edited = RandomEdit.of(machine, seed).edited();
      List<Difference> differences = MachineDifferences.of(edited, machine).list();
      String what = file + " seed " + seed + " found " + differences;
      assertEquals(1, differences.size(), what);
      assertEquals(
          CanonicalForm.of(machine), CanonicalForm.of(differences.get(0).applyTo(edited)), what);
    }
  }

  /**
   * Machines with little in common: each difference can be tried by itself and changes the first.
   * Other numbers need not: on a symmetric machine they are the same arrangement.
   */
  @ParameterizedTest
  @MethodSource("topologies")
  void eachDifferenceOfAnyTwoMachinesCanBeApplied(Path file) throws IOException {
    XmlElement machine = read(file);
    CanonicalForm unchanged = CanonicalForm.of(machine);
    List<Path> all = topologies();
    for (Path other :
        Thorough.orEvery(8, all.indexOf(file), all, "shipped machines compared with each other")) {
      for (Difference difference : MachineDifferences.of(machine, read(other)).list()) {
        CanonicalForm changed = CanonicalForm.of(difference.applyTo(machine));
        if (difference.kind() != Difference.Kind.NUMBERED) {
          assertNotEquals(
              unchanged, changed, () -> file + " and " + other + ": " + difference.sentence());
        }
      }
    }
  }

  private static void assertFound(XmlElement machine, RandomEdit edit, long seed, String name) {
    XmlElement shuffled = ShuffledMachine.of(edit.edited(), seed);
    for (XmlElement b : List.of(edit.edited(), shuffled)) {
      List<Difference> differences = MachineDifferences.of(machine, b).list();
      String what = name + " seed " + seed + ": " + edit.expected() + " found " + differences;
      assertTrue(differences.get(0).sentence().matches(edit.expected()), what);
      if (b == shuffled && edit.isAmbiguous()) {
        assertTrue(differences.size() <= 2, what);
        continue;
      }
      assertEquals(1, differences.size(), what);
      assertEquals(
          CanonicalForm.of(b), CanonicalForm.of(differences.get(0).applyTo(machine)), what);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "dgx-h100.xml|name=\"mlx5_3\" dev=\"3\" latency=\"0\" speed=\"400000\"|name=\"mlx5_3\" dev=\"3\" latency=\"0\" speed=\"200000\"|NIC mlx5_3: speed 400000 → 200000",
        "dgx-a100.xml|numaid=\"1\"|numaid=\"7\"|cpu 1: numaid 1 → 7",
        "dgx-h100.xml|guid=\"0x9403f0000100\"|guid=\"0x9403f0000000\"|ports of one card: none → mlx5_0+mlx5_1",
        "dgx-h100.xml|<gpu dev=\"2\" sm=\"90\" rank=\"2\" gdr=\"1\">|<gpu dev=\"2\" sm=\"90\" rank=\"2\" gdr=\"0\">|GPU 2: gdr 1 → 0",
        "gh200.xml|c2c bw=\"372000\"|c2c bw=\"200000\"|c2c of GPU 0: bw 372000 → 200000",
      })
  void anEditOfTheTextIsNamed(String file, String from, String to, String expected)
      throws IOException {
    String text = Files.readString(TOPOLOGIES.resolve(file));
    assertNotEquals(text, text.replace(from, to));
    MachineDifferences differences =
        MachineDifferences.of(parse(text), parse(text.replace(from, to)));
    assertEquals(List.of(expected), differences.list().stream().map(Difference::sentence).toList());
  }

  @Test
  void likeDifferencesAreOne() throws IOException {
    String text = Files.readString(TOPOLOGIES.resolve("dgx-a100.xml"));
    List<Difference> differences =
        MachineDifferences.of(
                parse(text), parse(text.replaceAll("familyid=\"[0-9]+\"", "familyid=\"25\"")))
            .list();
    assertEquals(1, differences.size(), differences.toString());
    assertEquals("cpu 1, 3, 5, 7: familyid 143 → 25", differences.get(0).sentence());
    assertEquals(2, differences.get(0).places().get(0).inA().orElseThrow().line());
  }

  @Test
  void exchangedPortsAreNumberedOtherwise() throws IOException {
    String text = Files.readString(TOPOLOGIES.resolve("dgx-h100.xml"));
    String mapped =
        text.replace("name=\"mlx5_1\" dev=\"1\"", "name=\"x\" dev=\"x\"")
            .replace("name=\"mlx5_2\" dev=\"2\"", "name=\"mlx5_1\" dev=\"1\"")
            .replace("name=\"x\" dev=\"x\"", "name=\"mlx5_2\" dev=\"2\"");
    assertEquals(
        List.of("NICs are numbered otherwise: mlx5_1 mlx5_2 → mlx5_2 mlx5_1"),
        MachineDifferences.of(parse(text), parse(mapped)).list().stream()
            .map(Difference::sentence)
            .toList());
  }
}

package dev.topo.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.hw.foreign.Assumption;
import dev.topo.hw.foreign.MachineCompleter;
import dev.topo.inspect.guest.DevicePairer;
import dev.topo.inspect.guest.DevicePairing;
import dev.topo.inspect.guest.GuestDevices;
import dev.topo.inspect.guest.GuestDevicesReader;
import dev.topo.inspect.guest.GuestMachine;
import dev.topo.model.Topology;
import dev.topo.model.fixture.Growth;
import dev.topo.model.fixture.RandomCases;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.model.xml.XmlDocument;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlReader;
import dev.topo.search.engine.GraphSearch;
import dev.topo.search.path.Domain;
import dev.topo.search.path.DomainFinder;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologyReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.function.Consumer;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Damages the machines of the project in thousands of ways: each ends in an answer or in a message,
 * never in another error. The tests of this module run in 512 MB.
 */
class MutationTest {
  private static final int MUTANTS = RandomCases.count(500, 10_000);

  /** What a mutant may allocate: 7 times what the most of 10,000 needed. */
  private static final long MOST_MIB = 64;

  private static final long SEED = Long.getLong("test.seed", 20260101);
  private static final Pattern ATTRIBUTE = Pattern.compile(" ([a-z_]+)=\"([^\"]*)\"");
  private static final List<String> VALUES =
      List.of(
          "",
          "0",
          "-1",
          "1",
          "2",
          "3",
          "16",
          "64",
          "255",
          "4096",
          "2147483647",
          "2147483648",
          "-2147483648",
          "0x10",
          "abc",
          "1e9",
          "NaN",
          "ffff:ff:ff.f",
          "0000:11:00.0",
          "0x060400",
          "0x068000",
          "0x030200",
          "x86_64",
          "arm64",
          "ppc64",
          "AuthenticAMD",
          "2.5 GT/s",
          "64.0 GT/s PCIe",
          "&amp;",
          "é");

  @Test
  @Tag("slow")
  void everyMutantEndsInAnAnswerOrAMessage() throws IOException {
    check("mutants", MUTANTS, MutationTest::answer);
  }

  /** Of machines with and without their devices, which are assumed. */
  @Test
  @Tag("slow")
  void everyMutantIsCompletedOrRefused() throws IOException {
    MachineCompleter completer =
        new MachineCompleter(Assumption.parse("gpu=h100,net=400000,ports=2,cpu=amd-genoa"));
    check(
        "mutants completed",
        MUTANTS / 5,
        text -> {
          boolean sparse = text.hashCode() % 2 == 0;
          XmlDocument document = read(sparse ? text.replaceAll("<nvlink[^>]*>", "") : text);
          search(completer.complete(document).document());
        });
  }

  /**
   * All devices of a mutant, and one GPU of it, in a virtual machine that sees the same bus ids.
   */
  @Test
  @Tag("slow")
  void everyMutantHasAGuestOrIsRefused() throws IOException {
    check(
        "mutants as hosts",
        MUTANTS / 5,
        text -> {
          XmlElement host = read(text).root();
          byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
          GuestDevices seen = GuestDevicesReader.read(bytes, "guest.xml");
          DevicePairing pairing = new DevicePairer(host, seen).pair(Map.of());
          GuestMachine guest = GuestMachine.of(host, pairing, seen, OptionalInt.of(40));
          for (XmlElement system : List.of(guest.complete(), guest.flat())) {
            map(new XmlDocument(List.of(), system, List.of()));
          }
          String gpu = pairing.pairs().get(0).host();
          GuestMachine.of(
              host,
              new DevicePairer(host, GuestDevices.NONE).pair(Map.of(gpu, "0000:05:00.0")),
              GuestDevices.NONE,
              OptionalInt.empty());
        });
  }

  private static void check(String name, int count, Consumer<String> answer) throws IOException {
    List<String> machines = new ArrayList<>();
    try (Stream<Path> files = Files.list(ReferenceSets.topologies())) {
      for (Path file : files.filter(path -> path.toString().endsWith(".xml")).sorted().toList()) {
        machines.add(Files.readString(file));
      }
    }
    List<String> failures = new ArrayList<>();
    int answers = 0;
    long largestMib = 0;
    for (int i = 0; i < count; i++) {
      Random random = new Random(SEED + i);
      String mutant = mutate(machines.get(random.nextInt(machines.size())), random);
      long before = Growth.bytesAllocated();
      try {
        answer.accept(mutant);
        answers++;
      } catch (TopologyFormatException | UnusableTopologyException e) {
        if (String.valueOf(e.getMessage()).lines().count() != 1) {
          failures.add("seed " + (SEED + i) + ": message of several lines: " + e.getMessage());
        }
      } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
        failures.add("seed " + (SEED + i) + ": " + e + " at " + e.getStackTrace()[0]);
      }
      largestMib = Math.max(largestMib, (Growth.bytesAllocated() - before) >> 20);
    }
    System.out.println(
        String.format(
            Locale.ROOT,
            "%s %d/%d (%d answered, %d refused, most work %d MiB)",
            name,
            count - failures.size(),
            count,
            answers,
            count - failures.size() - answers,
            largestMib));
    assertEquals(List.of(), failures);
    assertTrue(largestMib <= MOST_MIB, name + ": " + largestMib + " MiB allocated");
    // About half of them are refused. Nearly none would mean that the damage is none; nearly all,
    // that nothing behind the first check is reached.
    int least = count / 10;
    int refused = count - answers;
    assertTrue(answers >= least, name + ": " + answers + " of " + count + " answered");
    assertTrue(refused >= least, name + ": " + refused + " of " + count + " refused");
  }

  private static void answer(String text) {
    search(read(text));
  }

  private static void search(XmlDocument document) {
    Topology topology = map(document);
    for (Domain domain :
        DomainFinder.find(topology, NcclSettings.DEFAULTS, false, NcclProfile.DEFAULT)) {
      GraphSearch.findAll(domain, NcclSettings.DEFAULTS, new Inputs());
    }
  }

  private static XmlDocument read(String text) {
    return new XmlReader().read(text.getBytes(StandardCharsets.UTF_8), "mutant.xml");
  }

  private static Topology map(XmlDocument document) {
    return new TopologyReader().map(document, GpuSelection.ALL, new Diagnostics());
  }

  private static String mutate(String text, Random random) {
    String mutant = text;
    for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
      mutant =
          switch (random.nextInt(20)) {
            case 0 -> flipCharacter(mutant, random);
            case 1 -> mutant.substring(0, random.nextInt(mutant.length() + 1));
            case 2, 3, 4 -> changeLine(mutant, random);
            case 5, 6, 7, 8, 9 ->
                changeValue(mutant, VALUES.get(random.nextInt(VALUES.size())), random);
            default -> changeValue(mutant, null, random);
          };
    }
    return mutant;
  }

  private static String flipCharacter(String text, Random random) {
    if (text.isEmpty()) {
      return text;
    }
    int at = random.nextInt(text.length());
    return text.substring(0, at) + (char) (32 + random.nextInt(95)) + text.substring(at + 1);
  }

  /** Drops, doubles or moves a line. */
  private static String changeLine(String text, Random random) {
    List<String> lines = new ArrayList<>(text.lines().toList());
    if (lines.isEmpty()) {
      return text;
    }
    String line = lines.get(random.nextInt(lines.size()));
    switch (random.nextInt(3)) {
      case 0 -> lines.remove(line);
      case 1 -> lines.add(random.nextInt(lines.size()), line);
      default -> {
        lines.remove(line);
        lines.add(random.nextInt(lines.size() + 1), line);
      }
    }
    return String.join("\n", lines) + "\n";
  }

  /**
   * Gives an attribute another value; without one, that of another attribute with the same name.
   */
  private static String changeValue(String text, @Nullable String value, Random random) {
    List<MatchResult> attributes = ATTRIBUTE.matcher(text).results().toList();
    if (attributes.isEmpty()) {
      return text;
    }
    MatchResult chosen = attributes.get(random.nextInt(attributes.size()));
    List<MatchResult> alike =
        attributes.stream().filter(other -> other.group(1).equals(chosen.group(1))).toList();
    String other = alike.get(random.nextInt(alike.size())).group(2);
    return text.substring(0, chosen.start(2))
        + (value == null ? other : value)
        + text.substring(chosen.end(2));
  }
}

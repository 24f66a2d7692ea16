package dev.topo.reference;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.fixture.Thorough;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.connect.Connection;
import dev.topo.search.path.DomainFinder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What other NCCL versions answer for the reference machines: paths, graphs, connections and
 * tuning. Without {@code -Dtopo.test.thorough=true} a part of the machines is compared, another one
 * for each version, so that each machine is compared for one of them at least. {@code
 * -Dtest.nccl=2.27.5,2.30.7} narrows the run down.
 */
class VersionReferenceTest {
  /**
   * Answers that contradict the version's own source, by version. The lines that decide on NVLS
   * were written by hand for the reference. In 2.28.3 {@code ncclNvlsInit} ({@code
   * nccl:src/transport/nvls.cc}) has no NVLS for two GPUs, which the README of the reference says,
   * too; these three machines have two and NVLS. In 2.20.5 a node without NVLS channels still has
   * its number of them when {@code ncclTopoPostset} ({@code nccl:src/graph/connect.cc}) raises the
   * channels to it.
   */
  private static final Map<String, Set<String>> AGAINST_SOURCE =
      Map.of(
          "2.28.3", Set.of("random-1-015", "random-1-052", "random-1-100"),
          "2.20.5", Set.of("random-1-058"));

  private static Stream<String> versions() {
    String asked = System.getProperty("test.nccl", "");
    return asked.isEmpty()
        ? ReferenceSets.versions().stream()
        : Arrays.stream(asked.split(",", -1));
  }

  @ParameterizedTest
  @MethodSource("versions")
  void ownAndRandomMachines(String version) {
    assertAll(() -> compare(version, "own"), () -> compare(version, "random"));
  }

  @ParameterizedTest
  @MethodSource("versions")
  void publishedMachines(String version) {
    compare(version, "public");
  }

  private static void compare(String version, String set) {
    String name = version + " " + set;
    List<ReferenceCase> cases = cases(version, set);
    List<ReferenceCase> decided =
        cases.stream()
            .filter(test -> !AGAINST_SOURCE.getOrDefault(version, Set.of()).contains(test.name()))
            .toList();
    NcclSettings none = NcclSettings.DEFAULTS;
    assertAll(
        () -> PathReferenceTest.compare(name, cases),
        () -> GraphReferenceTest.compare(name, decided, none, 1),
        () -> GraphReferenceTest.compare(name, decided, none, 2),
        () -> GraphReferenceTest.compare(name, decided, none, 4),
        () -> ConnectReferenceTest.compare(name, decided, 1),
        () -> ConnectReferenceTest.compare(name, decided, 4),
        () -> TuningReferenceTest.compare(name, decided, none, 1),
        () -> TuningReferenceTest.compare(name, decided, none, 4));
    if (decided.size() < cases.size()) {
      Thorough.print(
          "graphs, connect, tuning %s NOT COMPARED: %d machines, whose answers contradict the source of the version"
              .formatted(name, cases.size() - decided.size()));
    }
  }

  /** The machines of the project are all compared for the oldest and the newest version. */
  private static List<ReferenceCase> cases(String version, String set) {
    List<ReferenceCase> all = ReferenceSets.ofVersion(version, set);
    List<String> versions = ReferenceSets.versions();
    int number = versions.indexOf(version);
    boolean isAtAnEnd = number == 0 || number == versions.size() - 1;
    if (set.equals("own")) {
      return isAtAnEnd
          ? all
          : Thorough.orEvery(
              6, number, all, "own machines, of releases but the oldest and the newest");
    }
    return Thorough.orEvery(versions.size(), number, all, set + " machines, of each release");
  }

  @Test
  void twoGpusHaveNoNvlsIn2283() {
    for (ReferenceCase test : againstSource("2.28.3")) {
      assertEquals(2, test.topology().gpus().size());
      assertTrue(
          DomainFinder.find(test.topology(), NcclSettings.DEFAULTS, false, test.profile()).stream()
              .map(domain -> test.graphs().graphs(domain, NcclSettings.DEFAULTS, new Inputs()))
              .allMatch(graphs -> graphs.get(GraphKind.NVLS).channels().isEmpty()));
    }
  }

  @Test
  void channelsAreRaisedWithoutNvlsIn2205() {
    for (ReferenceCase test : againstSource("2.20.5")) {
      Connection connection =
          Connection.of(
              Job.ofEqual(new Machine(test.topology(), NcclSettings.DEFAULTS), 1),
              test.graphs(),
              test.profile());
      assertEquals(16, connection.nChannels());
      assertTrue(!connection.nvls().isSupported());
    }
  }

  private static List<ReferenceCase> againstSource(String version) {
    return ReferenceSets.ofVersion(version, "random").stream()
        .filter(test -> AGAINST_SOURCE.getOrDefault(version, Set.of()).contains(test.name()))
        .toList();
  }
}

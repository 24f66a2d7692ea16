package dev.topo.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.model.fixture.ReferenceData;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.connect.Connection;
import dev.topo.search.connect.ConnectionVerifier;
import dev.topo.search.connect.Trees;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Connections against NCCL's own, line by line. */
class ConnectReferenceTest {
  @Test
  void ownMachinesAlone() {
    compare("own", ReferenceSets.own(), 1);
  }

  @Test
  void ownMachinesByFour() {
    compare("own", ReferenceSets.own(), 4);
  }

  @Test
  @Tag("slow")
  void randomMachinesByFour() {
    compare("random", ReferenceSets.random(), 4);
  }

  @Test
  void publishedMachines() {
    compare("public", ReferenceSets.published(), 1, 4);
  }

  @Test
  void jobsOfUnequalMachines() {
    check(
        "connect mixed",
        ReferenceSets.mixed(),
        test -> Connection.of(test.mixedJob()),
        "connect.txt");
  }

  @Test
  @Tag("slow")
  void numbersOfChannelsUnderSettings() {
    ReferenceSets.bySetting()
        .forEach(
            (setting, cases) -> {
              NcclSettings settings = NcclSettings.parse(List.of(setting));
              for (int machines : List.of(1, 2)) {
                checkFacts(
                    "connect facts n" + machines + " " + setting,
                    cases,
                    test -> equal(test, settings, machines),
                    "tuning.n" + machines + ".txt");
              }
            });
  }

  @Test
  void numbersOfChannelsOnSomeOfTheGpus() {
    checkFacts("connect facts n1 subset", ReferenceSets.someGpus(), equal(1), "tuning.n1.txt");
  }

  /** Compares the two lines with facts that stand above tuning tables, too. */
  private static void checkFacts(
      String set,
      List<ReferenceCase> cases,
      Function<ReferenceCase, Connection> connection,
      String file) {
    Agreement agreement = new Agreement(set);
    for (ReferenceCase test : cases) {
      ConnectText text = new ConnectText(connection.apply(test));
      agreement.addEqual(
          test.name(),
          String.join("\n", test.lines(file).subList(0, 2)),
          text.facts() + "\n" + text.channels());
    }
    agreement.finish();
  }

  @Test
  void realNcclOnTwoHosts() {
    Path folder = ReferenceData.of("measured/h200-2x2-hosts");
    ReferenceCase test = new ReferenceCase(folder, folder.resolve("topo.rank0.xml"));
    Connection connection =
        Connection.of(
            Job.ofEqual(machine(test, NcclSettings.parse(List.of("NCCL_NVLS_ENABLE=0"))), 2));
    List<String> logged =
        test.lines("info.log").stream()
            .filter(line -> line.matches(".* (Ring \\d+ :|Trees|Channel \\d+/\\d+ : [\\d ]+$).*"))
            .map(line -> line.replaceFirst(".*INFO ", "").strip())
            .toList();
    assertEquals(logged, log(connection));
    System.out.println("connect measured h200-2x2-hosts " + logged.size() + " log lines equal");
  }

  /** The lines of NCCL's log on rings and trees, of all ranks. */
  private static List<String> log(Connection connection) {
    List<String> lines = new ArrayList<>();
    int nChannels = connection.nChannels();
    for (int channel = 0; channel < nChannels; channel++) {
      StringBuilder line = new StringBuilder("Channel %02d/%02d :".formatted(channel, nChannels));
      for (int rank : connection.rings().order(channel)) {
        line.append(' ').append(rank);
      }
      lines.add(line.toString());
    }
    for (int rank = 0; rank < connection.nRanks(); rank++) {
      StringBuilder trees = new StringBuilder("Trees");
      for (int channel = 0; channel < nChannels; channel++) {
        Trees.Links tree = connection.trees().links(channel, rank);
        lines.add(
            "Ring %02d : %d -> %d -> %d"
                .formatted(
                    channel,
                    connection.rings().prev(channel, rank),
                    rank,
                    connection.rings().next(channel, rank)));
        trees.append(
            " [%d] %d/%d/%d->%d->%d"
                .formatted(channel, tree.down0(), tree.down1(), tree.down2(), rank, tree.up()));
      }
      lines.add(trees.toString());
    }
    return lines;
  }

  /** Compares jobs of some numbers of machines. */
  static void compare(String set, List<ReferenceCase> cases, int... numbersOfMachines) {
    compare(set, cases, NcclSettings.DEFAULTS, numbersOfMachines);
  }

  /** The same under some settings. */
  static void compare(
      String set, List<ReferenceCase> cases, NcclSettings settings, int... numbersOfMachines) {
    for (int machines : numbersOfMachines) {
      String file = "connect.n" + machines + ".txt";
      check(
          "connect n" + machines + " " + set,
          cases.stream().filter(test -> test.has(file)).toList(), // VersionRefusalTest
          test -> equal(test, settings, machines),
          file);
    }
  }

  private static Function<ReferenceCase, Connection> equal(int machines) {
    return test -> equal(test, NcclSettings.DEFAULTS, machines);
  }

  private static Connection equal(ReferenceCase test, NcclSettings settings, int machines) {
    return Connection.of(
        Job.ofEqual(machine(test, settings), machines), test.graphs(), test.profile());
  }

  private static Machine machine(ReferenceCase test, NcclSettings settings) {
    return new Machine(test.topology(), settings);
  }

  private static void check(
      String set,
      List<ReferenceCase> cases,
      Function<ReferenceCase, Connection> connected,
      String file) {
    Agreement agreement = new Agreement(set);
    for (ReferenceCase test : cases) {
      Connection connection = connected.apply(test);
      assertEquals(List.of(), ConnectionVerifier.verify(connection), test.name());
      agreement.addEqual(
          test.name(),
          String.join("\n", test.lines(file)),
          String.join("\n", new ConnectText(connection).lines()));
    }
    agreement.finish();
  }
}

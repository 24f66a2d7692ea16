package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Nodes that {@code --nvlink-domain} joins. */
class NvlinkDomainOptionTest {
  private static final String TRAY =
      Path.of(System.getProperty("topo.root"), "topologies/gb200-tray.xml").toString();

  private static List<String> lines(String command, String... options) {
    CliRun run =
        CliRun.of(
            Stream.concat(Stream.of(command, TRAY), Stream.of(options)).toArray(String[]::new));
    assertEquals(0, run.status(), run.err());
    assertFalse(run.err().contains("warning"), run.err());
    return run.out().lines().toList();
  }

  @Test
  void aRackIsOneNode() {
    String text = String.join("\n", lines("search", "--nodes=18", "--nvlink-domain=18"));
    assertTrue(text.contains("\ngb200-tray x 18 in NVLink domains of 18: 72 GPUs"), text);
    assertTrue(text.contains(", 1 node\n"), text);
    assertFalse(text.contains("caveat"), text);
  }

  @Test
  void theCaveatHasTheRangeOfDomains() {
    String text =
        String.join("\n", lines("predict", "--nodes=2", "--nvlink-domain=2", "--sizes=1G", "-v"));
    assertTrue(text.contains("published busbw: 90 of 100 within 14 % from 16 MiB on\n"), text);
    assertFalse(text.contains("no range is known"), text);
  }

  /** The user states hosts, of which a node has several. */
  @Test
  void numbersOfNodesAreThoseThatTheUserStates() {
    String[] options = {
      "--nodes=18,36", "--nvlink-domain=18", "--collective=all_reduce", "--sizes=1G"
    };
    List<String> text = lines("predict", options);
    assertTrue(text.get(0).contains(" on 18 hosts (1 NVLink domain), "), text.get(0));
    assertTrue(text.get(0).contains(" on 36 (2 domains), "), text.get(0));
    assertTrue(text.get(2).contains(": 18 to 36 hosts in 1 to 2 NVLink domains, "), text.get(2));
    assertTrue(text.get(5).matches(" +size +hosts +ranks .*"), text.get(5));
    assertTrue(text.get(7).matches(" +1 GiB +36 +144 .*"), text.get(7));
    List<String> csv =
        lines(
            "predict",
            Stream.concat(Stream.of(options), Stream.of("--format=csv")).toArray(String[]::new));
    assertTrue(
        csv.get(1).matches("1,.*,true,24,18,.*") && csv.get(2).matches("2,.*,true,32,36,.*"),
        csv.toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "l40s-4.xml||no NVSwitch joins the hosts",
        "gb200-tray.xml|NCCL_MNNVL_ENABLE=0|NCCL_MNNVL_ENABLE=0",
        "gb200-tray.xml|NCCL_P2P_DISABLE=1|the settings forbid peer-to-peer transfers",
      })
  void aDomainWithoutEffectIsNoted(String machine, String setting, String reason) {
    Path file = Path.of(TRAY).resolveSibling(machine);
    String command = "predict " + file + " --nodes 2 --nvlink-domain 2 --sizes 1G";
    CliRun run = CliRun.of((command + (setting == null ? "" : " --env " + setting)).split(" ", -1));
    String note = "note: --nvlink-domain has no effect, each host is a node: " + reason + "\n";
    assertTrue(run.out().contains(note), run.out());
    assertFalse(
        String.join("\n", lines("predict", "--nodes=2", "--nvlink-domain=2"))
            .contains("no effect"));
  }

  @Test
  void domainsMayDiffer() {
    List<String> tsv =
        lines("connect", "--nodes=6", "--nvlink-domain=4,2", "--format=tsv", "--channel=0");
    assertEquals(1 + 6 * 4, tsv.size());
    String tune =
        String.join("\n", lines("tune", "--nodes=6", "--nvlink-domain=4,2", "--sizes=1M"));
    assertTrue(tune.contains("24 ranks on 2 NVLink domains of 6 hosts in all"), tune);
    assertFalse(tune.contains("caveat: nvlink-domain"), tune);
  }

  @Test
  void aGroupInsideOneHostIsThatHostAlone() {
    String[] calls = {"--collective=all_reduce", "--sizes=1M,1G"};
    List<String> alone = lines("tune", calls);
    List<String> groups =
        lines("tune", "--nodes=4", "--nvlink-domain=4", "--split=DIV 4", calls[0], calls[1]);
    List<String> expected = alone.subList(alone.indexOf("AllReduce"), alone.size());
    int first = groups.indexOf("AllReduce");
    assertEquals(expected, groups.subList(first, first + expected.size()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "search | --nvlink-domain=3 | --nvlink-domain 3: expected numbers that add up to the 4 nodes of the job",
        "search | --nvlink-domain=0 | --nvlink-domain 0: expected numbers that add up to the 4 nodes of the job",
      })
  void saysWhatIsExpected(String command, String option, String message) {
    CliRun run = CliRun.of(command, TRAY, "--nodes=4", option);
    assertEquals(2, run.status(), run.err());
    assertTrue(run.err().contains(message), run.err());
  }

  private static String text(int status, String command, String... options) {
    CliRun run =
        CliRun.of(
            Stream.concat(Stream.of(command, TRAY), Stream.of(options)).toArray(String[]::new));
    assertEquals(status, run.status(), run.err());
    return run.out();
  }

  @Test
  void editsAreOfEveryHostOrOfOne() {
    String[] job = {"--nodes=8", "--nvlink-domain=4", "--sizes=1G", "-v"};
    String all = text(0, "whatif", job[0], job[1], job[2], job[3], "remove net:mlx5_1");
    assertTrue(
        all.contains(
            "\ngb200-tray x 8 in NVLink domains of 4: 32 ranks on 2 NVLink domains of 8 hosts in all"),
        all);
    assertTrue(all.contains("machine after:  16 GPUs (sm 100), NVSwitch, 12 ports"), all);
    String one = text(0, "whatif", job[0], job[1], job[2], job[3], "remove net:3-mlx5_1");
    assertTrue(one.contains("machine after:  16 GPUs (sm 100), NVSwitch, 15 ports"), one);
    assertTrue(one.contains("GPU 3-0 3-1 to 3-mlx5_1"), one);
    String gpu = text(0, "whatif", job[0], job[1], job[2], job[3], "remove gpu:2-3");
    assertTrue(gpu.contains("machine after:  15 GPUs (sm 100), NVSwitch, 16 ports"), gpu);
  }

  @Test
  void domainsThatDifferCannotBeEdited() {
    CliRun run = CliRun.of("whatif", TRAY, "remove gpu:0-1", "--nodes=3", "--nvlink-domain=2,1");
    assertEquals(2, run.status(), run.err());
    assertTrue(run.err().contains("expected one number for all domains"), run.err());
    CliRun placements =
        CliRun.of("whatif", TRAY, "--all-placements", "--nodes=2", "--nvlink-domain=2");
    assertEquals(2, placements.status(), placements.err());
    assertTrue(placements.err().contains("not an NVLink domain"), placements.err());
  }

  @Test
  void upgradesAreOfTheDomain() {
    String[] releases = {"--from=2.27.5", "--to=2.28.9"};
    String text =
        text(
            0, "upgrade", "--nodes=4", "--nvlink-domain=4", releases[0], releases[1], "--sizes=1M");
    assertTrue(text.contains("gb200-tray x 4 in NVLink domains of 4: 16 ranks on 1 node"), text);
    assertFalse(text.contains("caveat"), text);
  }

  @Test
  void aReportIsOfTheDomain() {
    String page = text(0, "report", "--nodes=2", "--nvlink-domain=2", "--sizes=1M");
    assertTrue(page.contains("gb200-tray x 2 in NVLink domains of 2"), page.substring(0, 500));
  }

  @Test
  void otherReleasesSayWhatIsNotKnownOfDomains() {
    String tray = TRAY.replace("gb200-tray", "hgx-b200");
    String[] job = {tray, "--nodes=2", "--nvlink-domain=2"};
    for (String release : List.of("2.22.3", "2.28.9", "2.30.7")) {
      CliRun compared = CliRun.of("search", job[0], job[1], job[2], "--nccl=" + release);
      assertFalse(compared.out().contains("domain-rules"), compared.out());
    }
    CliRun older = CliRun.of("search", job[0], job[1], job[2], "--nccl=2.21.5");
    assertTrue(older.out().contains("not modelled: domain-rules: hgx-b200"), older.out());
    CliRun oldest = CliRun.of("search", job[0], job[1], job[2], "--nccl=2.20.5");
    assertEquals(3, oldest.status(), oldest.out());
    assertTrue(oldest.err().contains("not modelled for NCCL 2.20.5"), oldest.err());
  }

  @Test
  void aRangeIsStatedOnlyWhereRacksWereMeasured() {
    String call = "--collective=all_reduce";
    String tray = String.join("\n", lines("predict", call, "--sizes=1G"));
    assertFalse(tray.contains("NVLink domains of several hosts"), tray);
    String rack = String.join("\n", inRack(call, "--sizes=1G"));
    assertTrue(rack.contains("in NVLink domains of several hosts only calls of 512 MiB"), rack);
    assertFalse(rack.contains("  not known"), rack);
    String small = String.join("\n", inRack(call, "--sizes=1M"));
    assertTrue(small.contains("  not known"), small);
  }

  private static List<String> inRack(String call, String sizes) {
    return lines("predict", "--nodes=18", "--nvlink-domain=18", call, sizes);
  }
}

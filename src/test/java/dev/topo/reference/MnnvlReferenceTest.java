package dev.topo.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.Topology;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.search.connect.Connection;
import dev.topo.search.engine.GraphSearch;
import dev.topo.search.path.Domain;
import dev.topo.search.path.DomainFinder;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.tuning.Communicator;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * NVLink domains of several hosts (MNNVL) against what NCCL's own code answers: from the files of
 * whole domains, and from files of single hosts that are joined here.
 */
class MnnvlReferenceTest {
  private static final int[] DOMAINS = {1, 2, 4};

  private static List<ReferenceCase> fused() {
    return ReferenceSets.cases(
            ReferenceSets.folder("mnnvl"), machine -> machine.resolve("topo.xml"))
        .stream()
        .filter(test -> test.has("topo.xml"))
        .toList();
  }

  @Test
  void pathsOfFusedFiles() {
    PathReferenceTest.compare("mnnvl", fused());
  }

  @Test
  void graphsOfFusedFiles() {
    GraphReferenceTest.compare("mnnvl", fused(), NcclSettings.DEFAULTS, DOMAINS);
  }

  @Test
  void connectionsOfFusedFiles() {
    ConnectReferenceTest.compare("mnnvl", fused(), DOMAINS);
  }

  @Test
  void tuningOfFusedFiles() {
    TuningReferenceTest.compare("mnnvl", fused(), NcclSettings.DEFAULTS, DOMAINS);
  }

  /** The same domains from files of one host. */
  @Test
  void joinedHostsAreTheDomain() {
    List<ReferenceCase> joined = JoinedHosts.cases();
    PathReferenceTest.compare("mnnvl from single hosts", joined);
    GraphReferenceTest.compare("mnnvl from single hosts", joined, NcclSettings.DEFAULTS, DOMAINS);
    ConnectReferenceTest.compare("mnnvl from single hosts", joined, DOMAINS);
    TuningReferenceTest.compare("mnnvl from single hosts", joined, NcclSettings.DEFAULTS, DOMAINS);
  }

  /** The GB300 tray of the project, whose bus ids are others than those of the reference. */
  @Test
  void theTrayOfTheProjectHasTheseAnswers() {
    Path tray = ReferenceSets.shipped("gb300-tray.xml");
    Path answers = ReferenceSets.folder("mnnvl");
    List<ReferenceCase> cases =
        List.of(
            new ReferenceCase(answers.resolve("gb300-tray"), tray),
            JoinedHosts.whole(answers.resolve("gb300-4trays"), tray, 4));
    GraphReferenceTest.compare("gb300-tray", cases, NcclSettings.DEFAULTS, DOMAINS);
    ConnectReferenceTest.compare("gb300-tray", cases, DOMAINS);
    TuningReferenceTest.compare("gb300-tray", cases, NcclSettings.DEFAULTS, DOMAINS);
  }

  /** Settings, some of which switch the domain off: then its hosts are nodes of their own. */
  @Test
  void settings() {
    Path folder = ReferenceSets.folder("mnnvl");
    for (String setting :
        List.of("NCCL_NVLS_ENABLE=0", "NCCL_MNNVL_ENABLE=0", "NCCL_P2P_DISABLE=1")) {
      NcclSettings settings = NcclSettings.parse(List.of(setting));
      List<ReferenceCase> cases =
          ReferenceSets.cases(
              folder.resolve("env").resolve(setting),
              answers -> folder.resolve(answers.getFileName().toString()).resolve("topo.xml"));
      String name = "mnnvl " + setting;
      if (cases.stream().anyMatch(test -> test.has("graph.n1.xml"))) {
        GraphReferenceTest.compare(name, cases, settings, 1, 2);
      }
      ConnectReferenceTest.compare(name, cases, settings, 1, 2);
      TuningReferenceTest.compare(name, cases, settings, 1, 2);
    }
  }

  /** Unequal domains in one job, from files of whole domains and of single hosts. */
  @Test
  void unequalDomains() {
    Path folder = ReferenceSets.folder("mnnvl");
    Path tray = ReferenceSets.shipped("gb200-tray.xml");
    ReferenceCase fused =
        new ReferenceCase(
            folder.resolve("mixed/gb200-4trays+gb200-4trays-15gpu+gb200-2trays"), folder);
    List<Topology> ofFiles =
        fused.lines("nodes.txt").stream()
            .map(name -> new ReferenceCase(folder, folder.resolve(name + "/topo.xml")).topology())
            .toList();
    ReferenceCase racks =
        new ReferenceCase(folder.resolve("mixed/gb200-18trays+gb200-18trays-71gpu"), folder);
    List<Topology> joined =
        List.of(
            JoinedHosts.whole(racks.folder(), tray, 18).topology(),
            JoinedHosts.joined(racks.folder(), tray, 18, gpu -> gpu.host() != 17 || gpu.dev() != 3)
                .topology());
    Agreement agreement = new Agreement("mnnvl mixed");
    compareMixed(agreement, fused, ofFiles);
    compareMixed(agreement, racks, joined);
    agreement.finish();
  }

  private static void compareMixed(
      Agreement agreement, ReferenceCase expected, List<Topology> domains) {
    Job job =
        new Job(
            domains.stream().map(domain -> new Machine(domain, NcclSettings.DEFAULTS)).toList());
    Communicator communicator = Communicator.of(job);
    agreement.addEqual(
        expected.name() + " connect.txt",
        expected.text("connect.txt").strip(),
        String.join("\n", new ConnectText(communicator.connection()).lines()));
    agreement.add(
        expected.name() + " tuning.txt",
        String.join(
            "\n",
            new TuningCase(communicator, TuningAnswers.parse(expected.lines("tuning.txt")))
                .differences()));
  }

  @Test
  void sendsAndReceives() {
    for (int domains : DOMAINS) {
      Agreement schedules = new Agreement("mnnvl p2p n" + domains);
      Agreement ports = new Agreement("mnnvl p2pnet n" + domains);
      for (ReferenceCase test : fused()) {
        if (!test.has("p2p.n" + domains + ".txt")) {
          continue;
        }
        Connection connection =
            Connection.of(
                Job.ofEqual(new Machine(test.topology(), NcclSettings.DEFAULTS), domains),
                test.graphs());
        schedules.addEqual(
            test.name(),
            test.text("p2p.n" + domains + ".txt").strip(),
            PeerText.schedule(connection));
        if (domains > 1) {
          ports.addEqual(
              test.name(),
              test.text("p2pnet.n" + domains + ".txt").strip(),
              PeerText.ports(connection));
        }
      }
      schedules.finish();
      if (domains > 1) {
        ports.finish();
      }
    }
  }

  /**
   * NVLS between two nodes, where the port of a missing GPU is next to another one: in 2.22.3 it
   * loses its bandwidth each time that it is passed over. As native code of both answers.
   */
  @Test
  void portsOfHeadsAreLostIn2223() {
    Path machine = ReferenceSets.folder("mnnvl").resolve("gb200-4trays-15gpu");
    Map.of("2.22.3", 24f, "2.23.4", 45f)
        .forEach(
            (version, speed) ->
                assertEquals(speed, nvls(machine.resolve("topo.xml"), version).bwInter(), version));
  }

  /** Native code of 2.22.3 ends with a segmentation fault there. */
  @Test
  void aPortWithoutAGpuIsRefusedFor2223() {
    Path machine =
        ReferenceSets.random().stream()
            .filter(test -> test.name().equals("random-1-011"))
            .findFirst()
            .orElseThrow()
            .topologyFile();
    assertTrue(
        String.valueOf(
                assertThrows(UnusableTopologyException.class, () -> nvls(machine, "2.22.3"))
                    .getMessage())
            .startsWith("no GPU is next to port mlx5_1"));
  }

  /** What a version finds for NVLS on a node of several. */
  private static ChannelGraph nvls(Path topologyFile, String version) {
    ReferenceCase test = new ReferenceCase(topologyFile, topologyFile, NcclProfile.of(version));
    Domain domain =
        DomainFinder.find(test.topology(), NcclSettings.DEFAULTS, true, test.profile()).get(0);
    return GraphSearch.findAll(domain, NcclSettings.DEFAULTS, new Inputs()).get(GraphKind.NVLS);
  }
}

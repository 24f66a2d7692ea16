package dev.topo.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.settings.NcclSettings;
import dev.topo.search.connect.Connection;
import dev.topo.search.connect.ConnectionVerifier;
import dev.topo.search.connect.Connector;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Connections of jobs as large as the largest clusters, in time and in memory. */
class ConnectScaleTest {
  private static Machine machine;

  @BeforeAll
  static void readMachine() {
    ReferenceCase dgx =
        ReferenceSets.inProject("own").stream()
            .filter(test -> test.name().equals("dgx-h100"))
            .findFirst()
            .orElseThrow();
    machine = new Machine(dgx.topology(), NcclSettings.DEFAULTS);
  }

  @Test
  void connectsThousandMachinesWithinASecond() {
    assertTrue(millisToAskEverything(1024) < 1000, "over a second");
  }

  @Test
  @Tag("slow")
  void connectsHundredThousandGpusWithinFiveSeconds() {
    assertTrue(millisToAskEverything(12_500) < 5000, "over five seconds");
  }

  @Test
  @Tag("slow")
  void connectionOfHundredThousandGpusIsRight() {
    Connection connection = Connector.connect(Job.ofEqual(machine, 12_500));
    assertEquals(List.of(), ConnectionVerifier.verify(connection));
  }

  /** Connects and asks for the neighbours of every rank in every channel. */
  private static long millisToAskEverything(int machines) {
    long start = System.nanoTime();
    Connection connection = Connector.connect(Job.ofEqual(machine, machines));
    long connected = System.nanoTime();
    long sumOfNeighbours = 0;
    int roots = 0;
    for (int channel = 0; channel < connection.nChannels(); channel++) {
      for (int rank = 0; rank < connection.nRanks(); rank++) {
        sumOfNeighbours += connection.rings().prev(channel, rank);
        sumOfNeighbours += connection.rings().next(channel, rank);
        roots += connection.trees().links(channel, rank).up() == Connection.NONE ? 1 : 0;
      }
    }
    long asked = System.nanoTime();
    System.out.println(
        "connect scale %d ranks, %d channels: search and connect %d ms, all neighbours %d ms"
            .formatted(
                connection.nRanks(),
                connection.nChannels(),
                (connected - start) / 1_000_000,
                (asked - connected) / 1_000_000));
    long ranks = connection.nRanks();
    assertEquals(connection.nChannels() * ranks * (ranks - 1), sumOfNeighbours);
    assertEquals(connection.nChannels(), roots);
    return (asked - start) / 1_000_000;
  }
}

package dev.topo.simulator.evaluate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.operation.PeerOperation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PeerTrafficTest {
  @ParameterizedTest
  @CsvSource({
    "SENDRECV, 800, 800",
    "ALLTOALL, 300, 300",
    "ALLTOALLV, 300, 300",
    "GATHER, 0, 300",
    "SCATTER, 300, 0"
  })
  void rankZeroSendsAndReceives(PeerOperation operation, long sent, long received) {
    long size = operation == PeerOperation.SENDRECV ? 800 : 400;
    PeerTraffic traffic = PeerTraffic.of(operation, size, 4, false);
    assertEquals(sent, traffic.sent(0));
    assertEquals(received, traffic.received(0));
    assertEquals(Math.max(sent, received), traffic.busiestBytes());
  }

  @Test
  void theOwnPartIsCopiedOutOfPlaceOnly() {
    assertEquals(100, PeerTraffic.of(PeerOperation.ALLTOALL, 400, 4, false).bytes(2, 2));
    assertEquals(0, PeerTraffic.of(PeerOperation.ALLTOALL, 400, 4, true).bytes(2, 2));
    assertEquals(0, PeerTraffic.of(PeerOperation.GATHER, 400, 4, false).bytes(2, 2));
  }

  /** busbw counts the busiest rank: here what rank 0 receives. */
  @Test
  void skewMakesRankZeroTheBusiest() {
    PeerTraffic traffic = PeerTraffic.skewed(500, 4, 2);
    assertEquals(200, traffic.bytes(1, 0));
    assertEquals(100, traffic.bytes(1, 2));
    assertEquals(600, traffic.busiestBytes());
    assertEquals(800, traffic.largestBuffer());
    assertEquals(
        PeerTraffic.of(PeerOperation.ALLTOALL, 400, 4, false).busiestBytes(),
        PeerTraffic.skewed(400, 4, 1).busiestBytes());
  }

  @Test
  void readsAMatrix() {
    PeerTraffic traffic = PeerTrafficReader.read("# bytes\n0, 5\n7,1\n", "t.csv", 2);
    assertEquals(5, traffic.bytes(0, 1));
    assertEquals(7, traffic.bytes(1, 0));
    assertEquals(1, traffic.bytes(1, 1));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "1,2; 1 rows: expected one for each of the 2 ranks",
        "1,2|3,4|5,6; t.csv:3:1: a row more than the 2 ranks",
        "1,2,3|1,2; t.csv:1:1: 3 columns: expected one for each of the 2 ranks",
        "1,2|3,x; t.csv:2:3: \"x\": expected bytes",
        "1,-2|3,4; t.csv:1:3: \"-2\": expected bytes"
      })
  void refusesWhatIsNoMatrix(String text, String expected) {
    String message =
        assertThrows(
                TopologyFormatException.class,
                () -> PeerTrafficReader.read(text.replace('|', '\n'), "t.csv", 2))
            .getMessage();
    assertTrue(message.contains(expected), message);
  }
}

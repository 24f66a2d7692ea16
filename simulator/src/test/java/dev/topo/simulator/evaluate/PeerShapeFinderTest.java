package dev.topo.simulator.evaluate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PeerShapeFinderTest {
  @Test
  void partsAreWholePagesAndAllOfTheBytes() {
    long bytes = 1_000_001;
    assertEquals(
        bytes,
        IntStream.range(0, 16).mapToLong(part -> PeerShapeFinder.part(bytes, 16, part)).sum());
    assertEquals(65_536, PeerShapeFinder.part(bytes, 16, 0));
    assertEquals(16_961, PeerShapeFinder.part(bytes, 16, 15));
    assertEquals(0, PeerShapeFinder.part(4096, 4, 1));
  }
}

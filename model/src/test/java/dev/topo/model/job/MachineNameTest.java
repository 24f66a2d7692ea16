package dev.topo.model.job;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.model.job.Machine.MachineName;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MachineNameTest {
  @ParameterizedTest
  @CsvSource({
    "topologies/dgx-h100.xml, dgx-h100",
    "DGX.XML, DGX",
    "node17/topo.xml, node17",
    "/topo.xml, topo",
    "dump.txt, dump.txt"
  })
  void aFileNamesItsMachine(Path file, String name) {
    assertEquals(name, MachineName.of(file));
  }

  @Test
  void equalNeighboursAreCounted() {
    Path a = Path.of("a.xml");
    Path b = Path.of("b.xml");
    assertEquals("a x 2 + b + a", MachineName.of(List.of(a, a, b, a)));
  }
}

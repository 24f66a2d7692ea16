package dev.topo.search.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.topo.model.RecentMap;
import dev.topo.model.Topology;
import dev.topo.model.fixture.ShippedMachines;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.xml.XmlDocument;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologySource.UnknownElements;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TopologySourceTest {
  private static final GpuSelection TWO = GpuSelection.of(Set.of(0, 1));

  @TempDir private Path folder;

  private final Inputs inputs = new Inputs();
  private final TopologySource source = new TopologySource(inputs, UnknownElements.REJECTED);

  private static Topology topology(TopologySource source, Path file, GpuSelection gpus) {
    return source.topology(file, gpus, NcclProfile.DEFAULT, new Diagnostics());
  }

  private Path copy(String machine) throws IOException {
    return Files.copy(ShippedMachines.file(machine), folder.resolve(machine + ".xml"));
  }

  @Test
  void aFileIsReadOnceForAllQuestions() throws IOException {
    Path file = copy("l40s-4");
    Topology all = topology(source, file, GpuSelection.ALL);
    XmlDocument document = source.document(file);
    Files.delete(file);
    assertSame(all, topology(source, file, GpuSelection.ALL));
    assertSame(document, source.document(file));
    assertEquals(2, topology(source, file, TWO).gpus().size());
    assertEquals(1, inputs.list().size());
    assertEquals(file.toString(), inputs.list().get(0).file());
  }

  @Test
  void aVersionHasATopologyOfItsOwn() throws IOException {
    Path file = copy("l40s-4");
    NcclProfile old = NcclProfile.of("2.21.5");
    assertNotSame(
        topology(source, file, GpuSelection.ALL),
        source.topology(file, GpuSelection.ALL, old, new Diagnostics()));
  }

  @Test
  void unknownElementsAreAChoice() throws IOException {
    Path file = copy("l40s-4");
    String text = Files.readString(file).replaceFirst("</system>", "<gpx/></system>");
    Files.writeString(file, text);
    assertThrows(TopologyFormatException.class, () -> topology(source, file, GpuSelection.ALL));
    Diagnostics found = new Diagnostics();
    new TopologySource(inputs, UnknownElements.IGNORED)
        .topology(file, GpuSelection.ALL, NcclProfile.DEFAULT, found);
    assertEquals(List.of("ignored-element"), found.list().stream().map(d -> d.code()).toList());
  }

  @Test
  void aFileIsCompletedBeforeItsTopologyIsBuilt() throws IOException {
    Path file = copy("dgx-a100");
    XmlDocument other = source.document(copy("l40s-4"));
    TopologySource completed =
        new TopologySource(
            inputs,
            UnknownElements.REJECTED,
            (name, document) -> other,
            new RecentMap.Results<>(0));
    assertSame(other, completed.document(file));
    assertEquals(4, topology(completed, file, GpuSelection.ALL).gpus().size());
  }

  @Test
  void anNvlinkDomainHasTheHostsOfOneFile() throws IOException {
    Path file = copy("gb200-tray");
    assertSame(source.document(file), source.document(file, 1));
    XmlDocument three = source.document(file, 3);
    assertSame(three, source.document(file, 3));
    assertEquals(
        3 * topology(source, file, GpuSelection.ALL).gpus().size(),
        source
            .topology(three, GpuSelection.ALL, NcclProfile.DEFAULT, new Diagnostics())
            .gpus()
            .size());
  }
}

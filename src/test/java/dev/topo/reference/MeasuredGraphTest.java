package dev.topo.reference;

import dev.topo.model.fixture.ReferenceData;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.xml.GraphWriter;
import dev.topo.model.xml.XmlReader;
import dev.topo.model.xml.XmlWriter;
import dev.topo.search.engine.GraphSearch;
import dev.topo.search.path.Domain;
import dev.topo.search.path.DomainFinder;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologyReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The graphs that real NCCL 2.28.9 found on NVIDIA H200 GPUs (driver 580, CUDA 13.0, 2026-11-20),
 * as it dumped them. NVLink multicast was off.
 */
class MeasuredGraphTest {
  @ParameterizedTest
  @ValueSource(strings = {"h200-x2", "h200-x4", "h200-x4-declared", "h200-2x2-hosts"})
  void machinesHaveTheGraphsOfRealNccl(String machine) throws IOException {
    Agreement agreement = new Agreement("graphs measured " + machine + ", real NCCL");
    for (Path topology : topologies(ReferenceData.of("measured/" + machine))) {
      String file = topology.getFileName().toString();
      Path graph = topology.resolveSibling(file.replace("topo.", "graph."));
      boolean severalNodes = machine.equals("h200-2x2-hosts");
      agreement.addEqual(
          file, Files.readString(graph), graphs(topology, settings(file), severalNodes));
    }
    agreement.finish();
  }

  @ParameterizedTest
  @ValueSource(strings = {"h200-x2", "h200-x4", "h200-2x2-hosts"})
  void dumpsOfRealNcclAreWrittenBackByteForByte(String machine) throws IOException {
    Agreement agreement = new Agreement("read and write " + machine + ", dumps of real NCCL");
    try (Stream<Path> files = Files.list(ReferenceData.of("measured/" + machine))) {
      for (Path file : files.filter(path -> path.toString().endsWith(".xml")).sorted().toList()) {
        agreement.addEqual(
            file.getFileName().toString(),
            Files.readString(file),
            XmlWriter.write(new XmlReader().read(file, new Inputs())));
      }
    }
    agreement.finish();
  }

  private static List<Path> topologies(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(path -> path.getFileName().toString().matches("(.*\\.)?topo\\.(.*\\.)?xml"))
          .sorted()
          .toList();
    }
  }

  private static NcclSettings settings(String file) {
    NcclSettings settings = NcclSettings.parse(List.of("NCCL_NVLS_ENABLE=0"));
    if (file.startsWith("nop2p") || file.startsWith("noshm")) {
      settings = settings.with(NcclSettings.parse(List.of("NCCL_P2P_DISABLE=1")));
    }
    if (file.startsWith("noshm")) {
      settings = settings.with(NcclSettings.parse(List.of("NCCL_SHM_DISABLE=1")));
    }
    return settings;
  }

  private static String graphs(Path topology, NcclSettings settings, boolean severalNodes) {
    Domain domain =
        DomainFinder.find(
                new TopologyReader().read(topology, GpuSelection.ALL, new Diagnostics()),
                settings,
                severalNodes,
                NcclProfile.DEFAULT)
            .get(0);
    return GraphWriter.write(
        GraphSearch.findAll(domain, settings, new Inputs()),
        domain.topology(),
        domain.profile().search().graphFormat);
  }
}

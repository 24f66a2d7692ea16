package dev.topo.search.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.model.Link.PathType;
import dev.topo.model.Node.GpuNode;
import dev.topo.model.fixture.GraphBuilder;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.ChannelGraph.Channel;
import dev.topo.model.graph.ChannelGraph.NodeGraphs;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.graph.GraphKind.Pattern;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.xml.XmlReader;
import dev.topo.search.path.Domain;
import dev.topo.search.topology.TopologyReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Jobs of random nodes with random graphs are connected to rings and trees, whatever the graphs.
 */
class ConnectionRandomTest {
  private static final List<Pattern> TREES =
      List.of(Pattern.BALANCED_TREE, Pattern.SPLIT_TREE, Pattern.TREE);

  private final long seed = Long.getLong("test.seed", 1);
  private final Random random = new Random(seed);

  @Test
  void smallJobs() {
    for (int i = 0; i < Integer.getInteger("test.iters", 150); i++) {
      verify(1 + random.nextInt(40), 1 + random.nextInt(9));
    }
  }

  @Test
  void jobOfThousandsOfNodes() {
    verify(4096, 4);
    verify(4095, 4);
  }

  private void verify(int nodes, int maxGpus) {
    List<Machine> kinds = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      kinds.add(machine(1 + random.nextInt(maxGpus)));
    }
    List<Machine> machines = new ArrayList<>();
    for (int node = 0; node < nodes; node++) {
      machines.add(kinds.get(random.nextInt(kinds.size())));
    }
    Job job = new Job(machines);
    Connection connection = Connection.of(job, (domain, settings, inputs) -> graphs(domain));
    String message = "seed " + seed + ", " + nodes + " nodes with up to " + maxGpus + " GPUs";
    assertEquals(job.nRanks(), connection.nRanks(), message);
    assertEquals(nodes, connection.nNodes(), message);
    assertEquals(List.of(), ConnectionVerifier.verify(connection), message);
  }

  /** A machine with GPUs under one CPU. */
  private static Machine machine(int gpus) {
    StringBuilder xml =
        new StringBuilder("<system version=\"1\"><cpu numaid=\"0\" arch=\"arm64\">");
    for (int gpu = 0; gpu < gpus; gpu++) {
      xml.append(
          ("<pci busid=\"0000:%02x:00.0\" class=\"0x030200\" link_speed=\"16.0 GT/s PCIe\" link_width=\"16\">"
                  + "<gpu dev=\"%d\" sm=\"80\" gdr=\"1\"/></pci>")
              .formatted(gpu + 1, gpu));
    }
    xml.append(
        "<nic><net name=\"eth0\" dev=\"0\" speed=\"10000\" port=\"0\" guid=\"0x1\" maxconn=\"1\" gdr=\"0\"/></nic>");
    xml.append("</cpu></system>");
    byte[] content = xml.toString().getBytes(StandardCharsets.UTF_8);
    return new Machine(
        new TopologyReader()
            .map(new XmlReader().read(content, "random"), GpuSelection.ALL, new Diagnostics()),
        NcclSettings.DEFAULTS);
  }

  private NodeGraphs graphs(Domain domain) {
    int gpus = domain.topology().gpus().size();
    int channels = 1 + random.nextInt(3);
    Pattern tree = gpus == 1 ? Pattern.TREE : TREES.get(random.nextInt(TREES.size()));
    return new NodeGraphs(
        List.of(
            graph(GraphKind.RING, Pattern.RING, domain, channels),
            graph(GraphKind.TREE, tree, domain, channels)));
  }

  private ChannelGraph graph(GraphKind kind, Pattern pattern, Domain domain, int nChannels) {
    List<Channel> channels = new ArrayList<>();
    for (int channel = 0; channel < nChannels; channel++) {
      List<Integer> ranks =
          new ArrayList<>(domain.topology().gpus().stream().map(GpuNode::rank).toList());
      Collections.shuffle(ranks, random);
      channels.add(new Channel(ranks, Optional.empty()));
    }
    int crossNic = random.nextInt(3);
    return GraphBuilder.of(kind, channels)
        .like(pattern)
        .crossNic(crossNic)
        .paths(PathType.PHB, PathType.PHB)
        .differing()
        .build();
  }
}

package dev.topo.search.connect;

import dev.topo.model.Link.PathType;
import dev.topo.model.fixture.GraphBuilder;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.ChannelGraph.Channel;
import dev.topo.model.graph.ChannelGraph.NodeGraphs;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.graph.GraphKind.Pattern;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.fixture.TestMachine;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologyBuilder.Vertex;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** Jobs of small nodes whose graphs are stated, connected under the rules of a version. */
final class JobOfNodes {
  private final List<Machine> machines = new ArrayList<>();
  private final Map<Machine, NodeGraphs> graphs = new HashMap<>();

  /** A node with GPUs at an NVSwitch and a port of 50 GB/s for each. */
  static Machine switched(int gpus, int sm) {
    TestMachine machine = new TestMachine();
    Vertex cpu = machine.intel();
    Vertex[] all = new Vertex[gpus];
    for (int gpu = 0; gpu < gpus; gpu++) {
      Vertex pci = machine.pciSwitch(cpu, 50, 0);
      all[gpu] = machine.gpu(pci, sm, true, 50);
      machine.net(pci, 50);
    }
    machine.nvSwitch(360, all);
    return new Machine(machine.build(), NcclSettings.DEFAULTS);
  }

  /** Channels that begin with one GPU after the other and pass all in order. */
  static List<Channel> channels(int gpus, int... first) {
    return IntStream.of(first)
        .mapToObj(f -> IntStream.range(0, gpus).map(i -> (f + i) % gpus).boxed().toList())
        .map(ranks -> new Channel(ranks, Optional.empty()))
        .toList();
  }

  static ChannelGraph graph(GraphKind kind, int crossNic, float bwGBps, List<Channel> channels) {
    Pattern pattern = kind == GraphKind.TREE ? Pattern.TREE : kind.pattern();
    return GraphBuilder.of(kind, channels)
        .like(pattern)
        .crossNic(crossNic)
        .bwGBps(bwGBps, bwGBps)
        .paths(PathType.NVL, PathType.PIX)
        .differing()
        .build();
  }

  /** Adds equal nodes with rings and trees, and with NVLS channels if there are any. */
  JobOfNodes add(int nodes, Machine machine, int crossNic, List<Channel> rings, int... nvlsHeads) {
    List<ChannelGraph> all = new ArrayList<>();
    all.add(graph(GraphKind.RING, crossNic, 40, rings));
    all.add(graph(GraphKind.TREE, 0, 40, rings));
    if (nvlsHeads.length > 0) {
      List<Channel> heads = channels(machine.nRanks(), nvlsHeads);
      all.add(graph(GraphKind.NVLS, 0, 40, heads));
    }
    graphs.put(machine, new NodeGraphs(all));
    for (int node = 0; node < nodes; node++) {
      machines.add(machine);
    }
    return this;
  }

  /** Adds equal nodes with rings, trees and chains, and with other heads of CollNetDirect. */
  JobOfNodes addCollNet(int nodes, Machine machine, List<Channel> chains, List<Channel> heads) {
    add(nodes, machine, 0, chains);
    List<ChannelGraph> all = new ArrayList<>();
    graphs.get(machine).all().stream().filter(g -> g.nChannels() > 0).forEach(all::add);
    all.add(graph(GraphKind.COLLNET_CHAIN, 0, 40, chains));
    all.add(graph(GraphKind.COLLNET_DIRECT, 0, 40, heads));
    graphs.put(machine, new NodeGraphs(all));
    return this;
  }

  Connection connect(String version) {
    return Connection.of(
        new Job(machines),
        (domain, settings, inputs) ->
            graphs.entrySet().stream()
                .filter(e -> e.getKey().nRanks() == domain.topology().gpus().size())
                .findFirst()
                .orElseThrow()
                .getValue(),
        NcclProfile.of(version));
  }
}

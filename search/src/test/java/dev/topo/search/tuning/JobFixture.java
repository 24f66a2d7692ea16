package dev.topo.search.tuning;

import dev.topo.model.PathType;
import dev.topo.model.graph.Channel;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.graph.NodeGraphs;
import dev.topo.model.graph.Pattern;
import dev.topo.model.node.CpuArch;
import dev.topo.model.node.CpuVendor;
import dev.topo.search.cost.CommFacts;
import dev.topo.search.rules.NcclProfile;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Jobs for tests, like DGX H100 unless a test changes something. */
public final class JobFixture {
  private static final Channel CHANNEL = new Channel(List.of(0), Optional.empty());

  List<Integer> localRanks = List.of(8, 8, 8, 8);
  int minSm = 90;
  int maxSm = 90;
  Optional<CpuVendor> cpuVendor = Optional.of(CpuVendor.INTEL);
  boolean nvls = true;
  public Optional<CommFacts.CollNet> collNet = Optional.empty();
  PathType typeInter = PathType.PXB;

  public static JobFixture dgxH100() {
    return new JobFixture();
  }

  private ChannelGraph graph(GraphKind kind, int channels, float bw) {
    return new ChannelGraph(
        kind,
        kind.pattern(),
        0,
        bw,
        bw,
        0,
        PathType.NVL,
        typeInter,
        true,
        Collections.nCopies(channels, CHANNEL));
  }

  public CommFacts facts() {
    List<ChannelGraph> graphs =
        Arrays.stream(GraphKind.values())
            .filter(kind -> collNet.isPresent() || !kind.isCollNet())
            .map(kind -> graph(kind, 8, kind == GraphKind.NVLS ? 45 : 48))
            .toList();
    return new CommFacts(
        NcclProfile.DEFAULT,
        localRanks,
        minSm,
        maxSm,
        new CommFacts.Cpu(Optional.of(CpuArch.X86), cpuVendor),
        16,
        nvls,
        nvls ? 16 : 0,
        collNet,
        true,
        true,
        Pattern.BALANCED_TREE,
        new NodeGraphs(graphs));
  }
}

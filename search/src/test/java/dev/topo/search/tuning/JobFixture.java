package dev.topo.search.tuning;

import dev.topo.model.CpuModel.CpuArch;
import dev.topo.model.CpuModel.CpuVendor;
import dev.topo.model.Link.PathType;
import dev.topo.model.fixture.GraphBuilder;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.ChannelGraph.Channel;
import dev.topo.model.graph.ChannelGraph.NodeGraphs;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.graph.GraphKind.Pattern;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.search.rules.NcclProfile;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Jobs for tests, like DGX H100 unless a test changes something. */
public final class JobFixture {
  private static final Channel CHANNEL = new Channel(List.of(0), Optional.empty());

  public NcclProfile profile = NcclProfile.DEFAULT;
  public List<Integer> localRanks = List.of(8, 8, 8, 8);
  int minSm = 90;
  int maxSm = 90;
  CpuArch cpuArch = CpuArch.X86;
  Optional<CpuVendor> cpuVendor = Optional.of(CpuVendor.INTEL);
  public int nChannels = 16;
  boolean nvls = true;
  float slowestPortGBps = 48;
  public Optional<CommFacts.CollNet> collNet = Optional.empty();
  PathType typeIntra = PathType.NVL;
  PathType typeInter = PathType.PXB;

  /** Bandwidth of a channel, and of one between nodes where it differs. */
  float bwGBps = 48;

  Optional<Float> netGBps = Optional.empty();
  int nvlsGraphChannels = 8;
  boolean nvSwitch = true;
  Pattern maxTreePattern = Pattern.BALANCED_TREE;

  public static JobFixture dgxH100() {
    return new JobFixture();
  }

  /** A fixture under the rules of a version. */
  public static JobFixture of(String version) {
    JobFixture job = new JobFixture();
    job.profile = NcclProfile.of(version);
    return job;
  }

  /** A fixture of equal nodes under the rules of a version. */
  static JobFixture job(String version, int nodes, int gpus) {
    JobFixture job = JobFixture.of(version);
    job.localRanks = Collections.nCopies(nodes, gpus);
    return job;
  }

  static Tuner tuner(JobFixture job, String... settings) {
    return new Tuner(job.facts(), NcclSettings.parse(List.of(settings)));
  }

  static float bandwidth(
      JobFixture job, Collective collective, Algorithm algorithm, Protocol protocol) {
    return tuner(job).model().bandwidthGBps(collective, algorithm, protocol);
  }

  /** True if an algorithm can run a call. */
  static boolean runs(JobFixture job, CollectiveCall call, Algorithm algorithm) {
    return tuner(job).estimates(call).stream().anyMatch(e -> e.algorithm() == algorithm);
  }

  private ChannelGraph graph(GraphKind kind, int channels, float bw) {
    return GraphBuilder.of(kind, Collections.nCopies(channels, CHANNEL))
        .bwGBps(bw, netGBps.orElse(bw))
        .paths(typeIntra, typeInter)
        .build();
  }

  public CommFacts facts() {
    List<ChannelGraph> graphs =
        Arrays.stream(GraphKind.values())
            .filter(kind -> collNet.isPresent() || !kind.isCollNet())
            .map(
                kind ->
                    kind == GraphKind.NVLS
                        ? graph(kind, nvlsGraphChannels, 45)
                        : graph(kind, 8, bwGBps))
            .toList();
    CommFacts.Cpu cpu = new CommFacts.Cpu(Optional.of(cpuArch), cpuVendor);
    return new CommFacts(
        profile,
        localRanks,
        minSm,
        maxSm,
        cpu,
        nChannels,
        nChannels,
        nvls,
        nvls ? 16 : 0,
        nvls ? 8 : 0,
        slowestPortGBps,
        collNet,
        true,
        nvSwitch,
        maxTreePattern,
        new NodeGraphs(graphs),
        Set.of());
  }
}

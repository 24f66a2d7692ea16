package dev.topo.search.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.Topology;
import dev.topo.model.fixture.ShippedMachines;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.model.operation.Call.CollectiveCall.ReductionOperator;
import dev.topo.model.operation.Collective;
import dev.topo.search.engine.GraphSearch;
import dev.topo.search.kernel.CallPaths.Buffers;
import dev.topo.search.kernel.CallPaths.CallPath;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologyReader;
import dev.topo.search.topology.TopologySource.UnknownElements;
import dev.topo.search.tuning.Communicator;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link CallPaths}: what registered buffers change, rule by rule. */
class CallPathsTest {
  private static final long LARGE = 256L << 20;

  private static Communicator communicator(
      String version, String machine, String gpus, int nodes, List<String> settings)
      throws IOException {
    Path file =
        ShippedMachines.files().stream()
            .filter(one -> one.endsWith(machine + ".xml"))
            .findFirst()
            .orElseThrow();
    NcclProfile profile = NcclProfile.of(version);
    Topology topology =
        new TopologyReader(UnknownElements.IGNORED, profile)
            .read(
                file,
                gpus.equals("all") ? GpuSelection.ALL : GpuSelection.of(Set.of(0)),
                new Diagnostics());
    return Communicator.of(
        Job.ofEqual(new Machine(topology, NcclSettings.parse(settings)), nodes),
        GraphSearch::findAll,
        profile);
  }

  private static CallPaths paths(String machine, int nodes, String... settings) throws IOException {
    return CallPaths.of(communicator("2.28.9", machine, "all", nodes, List.of(settings)));
  }

  private static CallPath registered(CallPaths paths, Collective collective) {
    return paths.of(CollectiveCall.of(collective, LARGE), Buffers.REGISTERED);
  }

  /** Algorithm, protocol, most channels, and who accesses the buffers. */
  private static String text(CallPath path) {
    return path.label()
        + " "
        + path.choice().orElseThrow().channels()
        + path.parts().stream().map(part -> " " + part.label()).collect(Collectors.joining());
  }

  private static List<String> settings(CallPath path) {
    return path.registered().orElseThrow().remarks().stream()
        .flatMap(remark -> remark.setting().stream())
        .toList();
  }

  /** The switch needs fewer channels, by generation and collective; eight heads share them. */
  @ParameterizedTest
  @CsvSource({
    "dgx-h100, 1, ALL_REDUCE, NVLS/Simple 4 nvls",
    "dgx-h100, 1, ALL_GATHER, NVLS/Simple 4 nvls",
    "dgx-h100, 1, REDUCE_SCATTER, NVLS/Simple 5 nvls",
    "hgx-b200, 1, ALL_REDUCE, NVLS/Simple 8 nvls",
    "hgx-b200, 1, ALL_GATHER, NVLS/Simple 4 nvls",
    "hgx-b200, 1, REDUCE_SCATTER, NVLS/Simple 6 nvls",
    "hgx-h100-sharp, 2, ALL_REDUCE, NVLS/Simple 6 nvls collnet",
    "hgx-h100-sharp, 2, REDUCE_SCATTER, NVLS/Simple 6 nvls collnet"
  })
  void nvlsRunsOnFewChannels(String machine, int nodes, Collective collective, String expected)
      throws IOException {
    CallPaths paths = paths(machine, nodes, "NCCL_ALGO=NVLS", "NCCL_COLLNET_ENABLE=1");
    assertEquals(expected, text(registered(paths, collective)));
  }

  @Test
  void treesOfNvlsDoSoWithoutInNetworkReduction() throws IOException {
    CallPaths paths = paths("dgx-h100", 4, "NCCL_ALGO=NVLSTree");
    assertEquals("NVLSTree/Simple 6 nvls", text(registered(paths, Collective.ALL_REDUCE)));
  }

  @ParameterizedTest
  @CsvSource({"NCCL_MAX_CTAS=3, 3", "NCCL_MIN_CTAS=10, 10"})
  void limitsOfBlocksHold(String limit, int channels) throws IOException {
    CallPaths paths = paths("dgx-h100", 1, "NCCL_ALGO=NVLS", limit);
    assertEquals(
        channels, registered(paths, Collective.ALL_REDUCE).choice().orElseThrow().channels());
  }

  @Test
  void nvlsNeedsAProcessForEachGpu() throws IOException {
    Communicator communicator =
        communicator("2.28.9", "dgx-h100", "all", 1, List.of("NCCL_ALGO=NVLS"));
    NcclSettings settings = communicator.job().settings();
    CallPath shared = registered(CallPaths.of(communicator, settings, 8), Collective.ALL_REDUCE);
    assertEquals("NVLS/Simple 16", text(shared));
    assertEquals(List.of("NCCL_SINGLE_PROC_MEM_REG_ENABLE=1"), settings(shared));
    NcclSettings single = settings.with(NcclSettings.parse(settings(shared)));
    assertEquals(
        "NVLS/Simple 4 nvls",
        text(registered(CallPaths.of(communicator, single, 8), Collective.ALL_REDUCE)));
  }

  /** Up to 24 channels become 16 where GPUs of one node access each other's buffers. */
  @ParameterizedTest
  @CsvSource({
    "ALL_REDUCE, false, Ring/Simple 16 p2p",
    "ALL_REDUCE, true, Ring/Simple 24",
    "ALL_GATHER, false, Ring/Simple 16 p2p",
    "ALL_GATHER, true, Ring/Simple 16 p2p",
    "BROADCAST, true, Ring/Simple 16 p2p",
    "REDUCE, false, Ring/Simple 24",
    "REDUCE_SCATTER, false, Ring/Simple 24"
  })
  void ringsOfSomeCollectivesAccessPeers(Collective collective, boolean inPlace, String expected)
      throws IOException {
    CallPaths paths = paths("dgx-h100", 1, "NCCL_ALGO=Ring", "NCCL_PROTO=Simple");
    CollectiveCall call = CollectiveCall.of(collective, LARGE);
    assertEquals(expected, text(paths.of(call, Buffers.REGISTERED, inPlace)));
    assertEquals(List.of(), paths.of(call, Buffers.PLAIN).parts());
  }

  @ParameterizedTest
  @CsvSource({
    "1, NCCL_PROTO=LL128, Ring/LL128 24",
    "1, NCCL_MIN_NCHANNELS=32, Ring/Simple 32 p2p",
    "1, NCCL_MAX_NCHANNELS=16, Ring/Simple 16 p2p",
    "1, NCCL_LOCAL_REGISTER=0, Ring/Simple 24",
    "1, NCCL_CUMEM_ENABLE=0, Ring/Simple 24",
    "1, NCCL_CUMEM_ENABLE=0 NCCL_LEGACY_CUDA_REGISTER=1, Ring/Simple 16 p2p",
    "1, NCCL_P2P_LEVEL=LOC, Ring/Simple 4",
    "2, NCCL_MIN_NCHANNELS=20, Ring/Simple 20 p2p"
  })
  void otherCallsKeepTheirChannels(int nodes, String setting, String expected) throws IOException {
    List<String> settings = new ArrayList<>(List.of("NCCL_ALGO=Ring"));
    settings.addAll(List.of(setting.split(" ", -1)));
    if (!setting.startsWith("NCCL_PROTO")) {
      settings.add("NCCL_PROTO=Simple");
    }
    CallPaths paths = paths("dgx-h100", nodes, settings.toArray(String[]::new));
    assertEquals(expected, text(registered(paths, Collective.ALL_GATHER)));
  }

  @ParameterizedTest
  @CsvSource({"false, Tree/Simple 16 p2p", "true, Tree/Simple 24"})
  void treesAccessPeersOutOfPlace(boolean inPlace, String expected) throws IOException {
    CallPaths paths = paths("dgx-h100", 1, "NCCL_ALGO=Tree", "NCCL_PROTO=Simple");
    CollectiveCall call = CollectiveCall.of(Collective.ALL_REDUCE, LARGE);
    assertEquals(expected, text(paths.of(call, Buffers.REGISTERED, inPlace)));
  }

  /** On a cube of meshes some pairs of GPUs reach each other through a third one. */
  @Test
  void pairsThroughAThirdGpuPreventDirectAccess() throws IOException {
    CallPaths paths = paths("dgx-1v", 1, "NCCL_ALGO=Ring", "NCCL_PROTO=Simple");
    assertEquals(List.of(), registered(paths, Collective.ALL_GATHER).parts());
  }

  @ParameterizedTest
  @CsvSource({
    "NCCL_CROSS_NIC=0, ALL_GATHER, Ring/Simple 1 net",
    "NCCL_CROSS_NIC=0, BROADCAST, Ring/Simple 1 net",
    "NCCL_NET_GDR_LEVEL=LOC, ALL_GATHER, Ring/Simple 4"
  })
  void theNetworkTakesOneChannelOfTheOnlyRankOfANode(
      String setting, Collective collective, String expected) throws IOException {
    CallPaths paths =
        CallPaths.of(
            communicator(
                "2.28.9",
                "dgx-h100",
                "0",
                4,
                List.of("NCCL_ALGO=Ring", "NCCL_PROTO=Simple", setting)));
    assertEquals(expected, text(registered(paths, collective)));
  }

  @Test
  void inNetworkReductionTakesOneChannelOfTheOnlyRankOfANode() throws IOException {
    CallPaths paths =
        CallPaths.of(
            communicator(
                "2.28.9",
                "hgx-h100-sharp",
                "0",
                4,
                List.of("NCCL_ALGO=CollnetChain", "NCCL_COLLNET_ENABLE=1")));
    assertEquals("CollNetChain/Simple 1 collnet", text(registered(paths, Collective.ALL_REDUCE)));
    CollectiveCall average =
        new CollectiveCall(
            Collective.ALL_REDUCE, LARGE, DataType.FLOAT32, ReductionOperator.AVG, 1);
    assertEquals(List.of(), paths.of(average, Buffers.REGISTERED).parts());
  }

  /** The policy for few blocks. */
  @ParameterizedTest
  @CsvSource({
    "ALL_GATHER, '', NVLS/Simple 4 nvls",
    "REDUCE_SCATTER, '', NVLS/Simple 5 nvls",
    "BROADCAST, '', Ring/Simple 16 p2p",
    "ALL_GATHER, NCCL_PROTO=Simple, Ring/Simple 16 p2p",
    "ALL_GATHER, NCCL_MAX_NCHANNELS=3, Ring/Simple 3 p2p",
    "ALL_GATHER, NCCL_NVLS_ENABLE=0, Ring/Simple 16 p2p"
  })
  void aPolicyPrefersNvls(Collective collective, String setting, String expected)
      throws IOException {
    List<String> settings = new ArrayList<>(List.of("NCCL_CTA_POLICY=1"));
    if (!setting.isEmpty()) {
      settings.add(setting);
    }
    CallPaths paths = paths("dgx-h100", 1, settings.toArray(String[]::new));
    assertEquals(expected, text(registered(paths, collective)));
  }

  @Test
  void windowsAreRegisteredWhereNoKernelRuns() throws IOException {
    CallPaths paths = paths("dgx-h100", 1);
    CallPath path = paths.of(CollectiveCall.of(Collective.BROADCAST, LARGE), Buffers.SYMMETRIC);
    assertEquals(CallPath.Kind.ALGORITHM, path.kind());
    assertEquals("Ring/Simple 16 p2p", text(path));
    assertEquals(
        CallPath.Kind.EMPTY,
        paths.of(CollectiveCall.of(Collective.REDUCE_SCATTER, 8L), Buffers.SYMMETRIC).kind());
  }

  @ParameterizedTest
  @ValueSource(strings = {"2.26.2", "2.29.3", "2.30.7"})
  void otherReleasesAreNotKnown(String version) throws IOException {
    CallPaths paths = CallPaths.of(communicator(version, "dgx-h100", "all", 1, List.of()));
    CallPath path = registered(paths, Collective.ALL_GATHER);
    assertEquals(CallPath.Kind.NOT_KNOWN, path.kind());
    assertEquals(Optional.empty(), path.choice());
    assertTrue(path.unknown().orElseThrow().contains(version), path.unknown().toString());
    assertEquals(Optional.empty(), paths.unknown(Buffers.PLAIN));
  }

  /** An algorithm on the buffers of windows is one on registered buffers. */
  @ParameterizedTest
  @ValueSource(strings = {"2.29.3", "2.29.7", "2.30.3", "2.30.7", "2.31.2"})
  void kernelsOfWindowsAreKnownWhereRegisteredBuffersAreNot(String version) throws IOException {
    CallPaths paths = CallPaths.of(communicator(version, "dgx-h100", "all", 1, List.of()));
    assertEquals(Optional.empty(), paths.unknown(Buffers.SYMMETRIC));
    assertEquals(
        "AllReduce_RSxLDMC_AGxSTMC",
        paths.of(CollectiveCall.of(Collective.ALL_REDUCE, LARGE), Buffers.SYMMETRIC).label());
    CallPath broadcast =
        paths.of(CollectiveCall.of(Collective.BROADCAST, LARGE), Buffers.SYMMETRIC);
    assertEquals(CallPath.Kind.NOT_KNOWN, broadcast.kind());
    assertTrue(broadcast.unknown().orElseThrow().contains("by an algorithm"));
    assertEquals(
        CallPath.Kind.EMPTY,
        paths.of(CollectiveCall.of(Collective.REDUCE_SCATTER, 8L), Buffers.SYMMETRIC).kind());
  }

  /** From 2.31 on a list of kernels leaves no algorithm to other collectives. */
  @ParameterizedTest
  @CsvSource({
    "2.30.7, NCCL_SYM_KERNEL=AllGather_LL, not known",
    "2.31.2, NCCL_SYM_KERNEL=AllGather_LL, refused",
    "2.31.2, NCCL_SYM_KERNEL=allgather:AllGather_LL, AllReduce_RSxLDMC_AGxSTMC",
    "2.30.7, NCCL_ALGO=Ring, AllReduce_RSxLDMC_AGxSTMC",
    "2.31.2, NCCL_ALGO=Ring, not known"
  })
  void listsLeaveKernelsOrAlgorithms(String version, String setting, String label)
      throws IOException {
    CallPaths paths = CallPaths.of(communicator(version, "dgx-h100", "all", 1, List.of(setting)));
    CallPath path = paths.of(CollectiveCall.of(Collective.ALL_REDUCE, LARGE), Buffers.SYMMETRIC);
    assertEquals(label, path.label());
    assertEquals(label.equals("refused"), path.refusal().isPresent());
  }
}

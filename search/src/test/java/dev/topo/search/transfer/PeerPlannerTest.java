package dev.topo.search.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.Topology;
import dev.topo.model.fixture.ShippedMachines;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingException;
import dev.topo.model.operation.PeerOperation;
import dev.topo.model.operation.Protocol;
import dev.topo.model.xml.XmlReader;
import dev.topo.search.connect.Connection;
import dev.topo.search.connect.P2pChannels;
import dev.topo.search.engine.GraphSearch;
import dev.topo.search.path.Transport;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologyReader;
import dev.topo.search.topology.TopologySource.UnknownElements;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Expected values are computed by hand from NCCL's source, for GPUs of dgx-h100. */
class PeerPlannerTest {
  private static Connection connection(String version, int nodes, int gpus, String... settings)
      throws IOException {
    Path file = ShippedMachines.files().get(0).resolveSibling("dgx-h100.xml");
    NcclProfile profile = NcclProfile.of(version);
    Topology topology =
        new TopologyReader(UnknownElements.IGNORED, profile)
            .map(
                new XmlReader().read(file, new Inputs()),
                GpuSelection.of(Set.copyOf(IntStream.range(0, gpus).boxed().toList())),
                new Diagnostics());
    Machine machine = new Machine(topology, NcclSettings.parse(List.of(settings)));
    return Connection.of(Job.ofEqual(machine, nodes), GraphSearch::findAll, profile);
  }

  /** Protocol, channels and chunk of what rank 0 sends to rank 1, a GPU of the same node. */
  private static String sent(String version, int nodes, int gpus, long bytes, String... settings)
      throws IOException {
    PeerPlanner planner = new PeerPlanner(connection(version, nodes, gpus, settings));
    return planner
        .call(0, (from, to) -> from == 0 && to == 1 ? bytes : Traffic.NONE)
        .rounds()
        .stream()
        .flatMap(PeerRound::transfers)
        .map(t -> t.transport() + " " + t.protocol() + " " + t.nChannels() + " " + t.chunkBytes())
        .findFirst()
        .orElseThrow();
  }

  /**
   * 32 channels for a peer, 16 of them at first. LL up to 32 times 16 KiB, in parts of 8 KiB or
   * more; then Simple in parts of 64 KiB to 16 MiB.
   */
  @ParameterizedTest
  @CsvSource({
    "0, P2P LL 1 32768",
    "8, P2P LL 1 32768",
    "8193, P2P LL 2 32768",
    "524288, P2P LL 16 32768",
    "524289, P2P SIMPLE 9 524288",
    "1048576, P2P SIMPLE 16 524288",
    "268435456, P2P SIMPLE 16 524288",
    "268435457, P2P SIMPLE 32 524288"
  })
  void sizeDeterminesProtocolAndChannels(long bytes, String expected) throws IOException {
    assertEquals(expected, sent("2.28.9", 1, 2, bytes));
  }

  @ParameterizedTest
  @CsvSource({
    "NCCL_P2P_LL_THRESHOLD=0, 8, P2P SIMPLE 1 524288",
    "NCCL_P2P_NVL_CHUNKSIZE=100000, 1048576, P2P SIMPLE 16 98304",
    "NCCL_CHUNK_SIZE=70000, 1048576, P2P SIMPLE 16 65536",
    "NCCL_CHUNK_SIZE=70000, 8, P2P LL 1 32768",
    "NCCL_LL_BUFFSIZE=131072, 8192, P2P LL 4 8192",
    "NCCL_MAX_P2P_NCHANNELS=4, 65537, P2P SIMPLE 2 524288",
    "NCCL_P2P_DISABLE=1, 32768, SHM LL 2 32768",
    "NCCL_P2P_DISABLE=1, 32769, SHM SIMPLE 2 131072"
  })
  void settingsChangeThem(String setting, long bytes, String expected) throws IOException {
    assertEquals(expected, sent("2.28.9", 1, 2, bytes, setting));
  }

  @Test
  void chunksThatNcclCannotDivideAreRefused() {
    assertThrows(
        SettingException.class, () -> sent("2.28.9", 1, 2, 1 << 20, "NCCL_P2P_NVL_CHUNKSIZE=4"));
  }

  /** From 2.29 on the threshold counts for each channel that Simple would use. */
  @ParameterizedTest
  @CsvSource({
    "2.28.9, 16385, P2P LL 3 32768",
    "2.29.3, 16384, P2P LL 1 32768",
    "2.29.3, 16385, P2P SIMPLE 1 524288",
    "2.23.4, 16385, P2P LL 3 32768"
  })
  void from229ProtocolFollowsFromTheChannels(String version, long bytes, String expected)
      throws IOException {
    assertEquals(expected, sent(version, 1, 2, bytes));
  }

  @Test
  void until221OtherRulesHold() {
    assertThrows(SettingException.class, () -> sent("2.21.5", 1, 2, 8));
  }

  /** Over the network no LL; chunks of 128 KiB, a quarter or half of that for small sizes. */
  @ParameterizedTest
  @CsvSource({
    "131071, NET SIMPLE 2 32768",
    "131072, NET SIMPLE 2 65536",
    "1048575, NET SIMPLE 2 65536",
    "1048576, NET SIMPLE 2 131072"
  })
  void theNetworkHasNoLl(long bytes, String expected) throws IOException {
    assertEquals(expected, sent("2.28.9", 2, 1, bytes));
  }

  @ParameterizedTest
  @CsvSource({
    "NCCL_ALLOC_P2P_NET_LL_BUFFERS=1, NET LL 1 16384",
    "NCCL_NET_SHARED_BUFFERS=0, NET LL 1 16384",
    "NCCL_NET_SHARED_BUFFERS=1, NET SIMPLE 1 32768"
  })
  void exceptWithBuffersForIt(String setting, String expected) throws IOException {
    assertEquals(expected, sent("2.28.9", 2, 1, 32768, setting));
  }

  /** The kernel of an all-to-all of two GPUs that a profiler showed: 32 blocks of 640 threads. */
  @Test
  void copiesAndTransfersHaveChannelsOfTheirOwn() throws IOException {
    TransferPlan call =
        new PeerPlanner(connection("2.28.9", 1, 2))
            .call(1, Traffic.of(PeerOperation.ALLTOALL, 16 << 20, 2, 0));
    assertEquals(List.of(0, 16), call.rounds().stream().map(PeerRound::firstChannel).toList());
    PeerKernel kernel = call.kernels().get(0);
    assertEquals(32, kernel.channels().size());
    assertEquals(640, kernel.threads());
    assertEquals(1, kernel.mostAtOnce());
  }

  @Test
  void until227RoundsBeganAtOneChannelAfterTheOther() throws IOException {
    Traffic all = Traffic.of(PeerOperation.ALLTOALL, 1 << 20, 8, 0);
    assertEquals(List.of(0, 16, 8, 24, 4, 20, 12, 28), firstChannels("2.28.9", 1, all));
    assertEquals(List.of(0, 1, 2, 3, 4, 5, 6, 7), firstChannels("2.27.5", 1, all));
  }

  private static List<Integer> firstChannels(String version, int nodes, Traffic traffic)
      throws IOException {
    return new PeerPlanner(connection(version, nodes, 8))
        .call(0, traffic).rounds().stream().map(PeerRound::firstChannel).toList();
  }

  /** Eight rounds with the ranks of a node share their channels, and the threads of a block. */
  @Test
  void roundsOfAGroupRunAtOnceBetweenNodes() throws IOException {
    Connection connection = connection("2.28.9", 2, 8);
    assertEquals(16, connection.p2pChannels(0).nChannels());
    TransferPlan call =
        new PeerPlanner(connection).call(0, Traffic.of(PeerOperation.ALLTOALL, 16 << 20, 16, 0));
    assertEquals(
        List.of(0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 8, 8, 8, 8, 8, 8),
        call.rounds().stream().map(PeerRound::firstChannel).toList());
    assertEquals(List.of(0, 1, 8, 9), call.kernels().get(0).channels());
    assertEquals(8, call.kernels().get(0).mostAtOnce());
  }

  /**
   * Two rounds of 16 channels: 568 bytes hold 48 for each and a batch for 32 more channels once.
   */
  @Test
  void whatDoesNotFitIntoTheArgumentsIsAnotherKernel() throws IOException {
    Traffic all = Traffic.of(PeerOperation.ALLTOALL, 16 << 20, 2, 0);
    PeerPlanner planner = new PeerPlanner(connection("2.28.9", 1, 2, "NCCL_WORK_ARGS_BYTES=600"));
    assertEquals(
        List.of(16, 16),
        planner.call(0, all).kernels().stream().map(kernel -> kernel.channels().size()).toList());
  }

  @Test
  void theRootOfAGatherReceivesFromAll() throws IOException {
    PeerPlanner planner = new PeerPlanner(connection("2.28.9", 1, 8));
    Traffic gather = Traffic.of(PeerOperation.GATHER, 8 << 20, 8, 3);
    assertEquals(8, planner.call(3, gather).rounds().size());
    List<PeerRound> other = planner.call(5, gather).rounds();
    assertEquals(1, other.size());
    assertEquals(3, other.get(0).send().orElseThrow().peer());
    assertTrue(other.get(0).receive().isEmpty());
    Traffic scatter = Traffic.of(PeerOperation.SCATTER, 8 << 20, 8, 3);
    assertEquals(3, planner.call(5, scatter).rounds().get(0).receive().orElseThrow().peer());
  }

  @Test
  void partsAreMultiplesOf16Bytes() {
    assertEquals(112, Traffic.of(PeerOperation.ALLTOALL, 999, 8, 0).bytes(0, 1));
    assertEquals(112, Traffic.of(PeerOperation.ALLTOALLV, 999, 8, 0).bytes(0, 1));
    assertEquals(999, Traffic.of(PeerOperation.SENDRECV, 999, 8, 0).bytes(7, 0));
    assertEquals(Traffic.NONE, Traffic.of(PeerOperation.ALLTOALL, 100, 8, 0).bytes(0, 1));
    assertThrows(
        IllegalArgumentException.class, () -> Traffic.of(PeerOperation.HYPERCUBE, 999, 8, 0));
  }

  @Test
  void upToEightRoundsOfAGroupAreABatch() {
    assertEquals(7, kernel("2.28.9", IntStream.rangeClosed(1, 9)).mostAtOnce());
    assertEquals(8, kernel("2.28.3", IntStream.rangeClosed(1, 9)).mostAtOnce());
    assertEquals(2, kernel("2.28.9", IntStream.rangeClosed(1, 9)).batches());
    assertEquals(2, kernel("2.28.9", IntStream.of(5, 5)).batches());
  }

  private static PeerKernel kernel(String version, IntStream rounds) {
    NcclProfile profile = NcclProfile.of(version);
    KernelPlanner planner =
        new KernelPlanner(profile, profile.settingDefaults(), new P2pChannels(1, 1));
    Optional<Transfer> send = Optional.of(new Transfer(1, 8, Transport.P2P, Protocol.LL, 1, 32768));
    rounds.forEach(round -> planner.add(new PeerRound(round, 0, 1, false, send, Optional.empty())));
    return planner.kernels().get(0);
  }
}

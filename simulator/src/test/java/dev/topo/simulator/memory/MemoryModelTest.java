package dev.topo.simulator.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.search.connect.Connection;
import dev.topo.search.fixture.SharedGraphs;
import dev.topo.search.path.Domain.PeerAccess;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.tuning.Communicator;
import dev.topo.simulator.fixture.TestJobs;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory by NCCL's source where none was measured. */
class MemoryModelTest {
  private static final String SIMPLE = "Simple buffers of sends and receives";
  private static final LibraryBuild BUILD = new LibraryBuild(true, 132, 0);
  private static final String SHARED = "shared network buffers of sends and receives";

  private static Communicator communicator(Machine machine, int nodes) {
    return TestJobs.evaluate(TestJobs.on(machine, nodes)).communicator();
  }

  private static MemoryAnswer answer(Communicator communicator, String... steps) {
    return new MemoryModel(communicator, List::of)
        .answer(Stream.of(steps).map(MemoryStep::parse).toList());
  }

  private static long bytes(StepMemory step, String what) {
    return step.parts().stream()
        .filter(part -> part.what().equals(what) && part.place() == MemoryPlace.GPU)
        .mapToLong(MemoryPart::bytes)
        .sum();
  }

  /** {@code p2pRecvSetup}: the process of the GPU between two has the buffers of both. */
  @Test
  void aGpuBetweenTwoHasTheBuffersOfBoth() {
    Communicator dgx1 = communicator(TestJobs.shipped("dgx-1v"), 1);
    Connection connection = dgx1.connection();
    MemoryAnswer answer = answer(dgx1, "init", "alltoall 1 MiB");
    long[] receivers = new long[connection.nRanks()];
    int relayed = 0;
    for (int rank = 0; rank < receivers.length; rank++) {
      for (int peer = 0; peer < receivers.length; peer++) {
        PeerAccess access = connection.peerAccess(rank, peer);
        relayed += access.relay().isPresent() ? 1 : 0;
        if (rank != peer) {
          receivers[access.relay().isPresent() ? access.relay().getAsInt() : rank]++;
        }
      }
    }
    assertEquals(8 * 3, relayed, "three of seven peers of each GPU have no NVLink to it");
    long ofPair =
        (long) connection.p2pChannels(0).nChannelsPerPeer() * connection.bufferSizes(0).simple();
    for (int rank = 0; rank < receivers.length; rank++) {
      assertEquals(
          receivers[rank] * ofPair, bytes(answer.ofRank(rank).get(1), SIMPLE), "rank " + rank);
    }
  }

  /** CUDA keeps the local memory of the kernel that needs most; later kernels take no more. */
  @Test
  void localMemoryOfKernelsIsTakenOnce() {
    for (LibraryBuild.KernelKind first : LibraryBuild.KernelKind.values()) {
      for (LibraryBuild.KernelKind second : LibraryBuild.KernelKind.values()) {
        RankMemory memory = new RankMemory(BUILD, true);
        List.of(first, second, first, second).forEach(memory::launch);
        long most = Math.max(BUILD.localBytes(first), BUILD.localBytes(second));
        assertEquals(
            most,
            memory.drain().stream()
                .filter(part -> part.place() == MemoryPlace.GPU)
                .mapToLong(MemoryPart::bytes)
                .sum(),
            first + ", " + second);
      }
    }
  }

  /** NCCL_NVB_PRECONNECT has an effect only where all is connected at once. */
  @Test
  void peersBehindAGpuAreConnectedAtInitWhereAllIs() {
    for (String off : List.of("NCCL_NVB_PRECONNECT=0", "NCCL_NVB_PRECONNECT=1")) {
      MemoryAnswer answer =
          answer(
              communicator(TestJobs.shipped("dgx-1v", "NCCL_RUNTIME_CONNECT=0", off), 1),
              "init",
              "alltoall 1 MiB");
      long atInit = 0;
      long all = 0;
      for (int rank = 0; rank < answer.nRanks(); rank++) {
        atInit += bytes(answer.ofRank(rank).get(0), SIMPLE);
        all += bytes(answer.ofRank(rank).get(0), SIMPLE);
        all += bytes(answer.ofRank(rank).get(1), SIMPLE);
      }
      assertEquals(off.endsWith("1") ? 3 * all : 0, 7 * atInit, off);
    }
  }

  /** {@code ncclTopoCheckP2p}: Ampere GPUs read over NVLink, and not over PCIe. */
  @Test
  void onlyPairsOverNvlinkRead() {
    Connection connection = communicator(TestJobs.shipped("a100-pcie-4-bridged"), 1).connection();
    for (int rank = 0; rank < 4; rank++) {
      for (int peer = 0; peer < 4; peer++) {
        assertEquals(
            rank != peer && rank / 2 == peer / 2,
            connection.peerAccess(rank, peer).reads(),
            rank + " and " + peer);
      }
    }
    assertTrue(communicator(TestJobs.shipped("dgx-a100"), 1).connection().peerAccess(0, 7).reads());
  }

  /** {@code initTransportsRank}: the proxies of all GPUs that drive ports for a rank. */
  @Test
  void withoutRuntimeConnectEachRelayHasABufferOfEachRank() {
    String atOnce = "NCCL_RUNTIME_CONNECT=0";
    StepMemory pxn =
        answer(communicator(TestJobs.shipped("dgx-h100", atOnce), 2), "init").ofRank(0).get(0);
    StepMemory own =
        answer(communicator(TestJobs.shipped("dgx-h100", atOnce, "NCCL_PXN_DISABLE=1"), 2), "init")
            .ofRank(0)
            .get(0);
    assertEquals(8 * bytes(own, SHARED), bytes(pxn, SHARED));
  }

  /** Releases before NCCL_RUNTIME_CONNECT connect all at once. */
  @ParameterizedTest
  @ValueSource(strings = {"2.21.5", "2.22.3"})
  void olderReleasesConnectAllAtInit(String release) {
    NcclProfile profile = NcclProfile.of(release);
    Communicator communicator =
        Communicator.of(Job.ofEqual(TestJobs.shipped("dgx-a100"), 1), SharedGraphs.GRAPHS, profile);
    List<StepMemory> steps = answer(communicator, "init", "all_reduce 8 B").ofRank(0);
    boolean atOnce = release.equals("2.21.5");
    String rings = "Simple buffers of collectives";
    assertEquals(atOnce, bytes(steps.get(0), rings) > 0);
    assertEquals(!atOnce, bytes(steps.get(1), rings) > 0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "NCCL_GDRCOPY_ENABLE=1",
        "NCCL_P2P_USE_CUDA_MEMCPY=1",
        "NCCL_SET_STACK_SIZE=1",
        "NCCL_IB_TC=1"
      })
  void theAnswerSaysWhatItLacks(String setting) {
    List<String> omissions =
        answer(communicator(TestJobs.shipped("dgx-h100", setting), 1), "init").omissions();
    assertEquals(setting.contains("IB_TC"), omissions.isEmpty(), omissions.toString());
  }
}

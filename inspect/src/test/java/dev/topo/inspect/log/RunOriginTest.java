package dev.topo.inspect.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.inspect.log.RunOrigin.CommSize;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RunOriginTest {
  @ParameterizedTest
  @CsvSource({
    "NCCL version 2.18.1+cuda12.1, 2.18.1",
    "n1:7:8 [0] NCCL INFO NCCL version 2.28.9+cuda13.0, 2.28.9",
    "# nccl-tests version 2.19.6 nccl-headers=22809 nccl-library=21805, 2.18.5",
    "'[1,0]<stdout>:# nccl-tests version 2.13.8 nccl-headers=22005 nccl-library=22304', 2.23.4",
    "# nccl-tests version 2.0.0 nccl-library=2708, 2.7.8"
  })
  void readsTheReleaseOfTheLibrary(String line, String version) {
    assertEquals(List.of(version), RunOrigin.of("other\n" + line + "\nother").versions());
  }

  @ParameterizedTest
  @CsvSource({"22809, 2.28.9", "21805, 2.18.5", "2708, 2.7.8", "2.27.3, 2.27.3"})
  void readsTheReleaseOfAField(String field, String version) {
    assertEquals(List.of(version), RunOrigin.ofVersion(field).versions());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "2", "none", "99999999999999", "2.28.9\u001b[31m"})
  void whatIsNoReleaseIsUnknown(String field) {
    assertEquals(RunOrigin.UNKNOWN, RunOrigin.ofVersion(field));
  }

  @Test
  void runsOfTwoReleasesAreBothNamed() {
    assertEquals(
        List.of("2.18.1", "2.28.9"),
        RunOrigin.of("NCCL version 2.18.1+cuda12.1\nNCCL version 2.28.9\nNCCL version 2.18.1\n")
            .versions());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[0] NCCL INFO Using network Socket",
        "[0] NCCL INFO NET/Socket : Using [0]eth0:10.0.0.1<0>",
        "[0] NCCL INFO Assigned NET plugin Socket to comm",
        "[0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] [send] via NET/Socket/0"
      })
  void findsTheNetworkSocket(String line) {
    assertTrue(RunOrigin.of(line).usesSockets());
    assertFalse(RunOrigin.of(line.replace("NCCL INFO", "")).usesSockets(), "no line of NCCL");
  }

  @Test
  void interfacesFoundBesideInfiniBandAreNotUsed() {
    String ib = "[0] NCCL INFO NET/IB : Using [0]mlx5_0:1/IB [RO]; OOB eth0:10.0.0.1<0>\n";
    String found = "[0] NCCL INFO NET/Socket : Using [0]eth0:10.0.0.1<0>\n";
    assertFalse(RunOrigin.of(ib + found).usesSockets(), "sockets though NET/IB is used");
    String used = "[0] NCCL INFO Using network Socket\n";
    assertTrue(RunOrigin.of(ib + found + used).usesSockets(), "no sockets though NCCL uses them");
  }

  @Test
  void readsTheSizesOfCommunicators() {
    String place =
        "[0] NCCL INFO comm 0x1 rank %d nRanks 16 nNodes 2 localRanks 8 localRank 0 MNNVL 0\n";
    String init =
        "[0] NCCL INFO ncclCommInitRank comm 0x1 rank 0 nranks 16 cudaDev 0 - Init START\n";
    CommSize size = new CommSize(16, OptionalInt.of(2), OptionalInt.of(8));
    assertEquals(
        List.of(size),
        RunOrigin.of(init + place.formatted(0) + place.formatted(1)).sizes(),
        "the line with the nodes counts");
    assertEquals("16 ranks on 2 nodes of 8 GPUs", size.toString());
    CommSize ranks = new CommSize(16, OptionalInt.empty(), OptionalInt.empty());
    assertEquals(List.of(ranks), RunOrigin.of(init).sizes());
    assertEquals(
        List.of(new CommSize(4, OptionalInt.empty(), OptionalInt.empty())),
        RunOrigin.of("[0] NCCL INFO Channel 00/24 :    0   1   2   3\n").sizes());
    String many = "[0] NCCL INFO Channel 00/24 :" + " 1".repeat(100_000);
    assertEquals(100_000, RunOrigin.of(many).sizes().get(0).nRanks());
    assertTrue(ranks.isOf(size));
    assertFalse(size.isOf(new CommSize(16, OptionalInt.of(4), OptionalInt.of(4))));
  }
}

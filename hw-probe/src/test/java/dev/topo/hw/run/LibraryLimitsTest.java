package dev.topo.hw.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.topo.model.job.RankSplit;
import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.model.operation.Call.CollectiveCall.ReductionOperator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LibraryLimitsTest {
  private static RunRequest request(
      List<DataType> types, Registration registration, boolean estimates) {
    return RunRequest.of(
        new RunCalls(
            List.of(RunCollective.ALL_REDUCE),
            new SizeSweep(8, 8, 1, 1),
            types,
            List.of(ReductionOperator.SUM),
            0),
        Repetition.DEFAULTS,
        new Reporting(Average.MEAN, false, estimates, false, false, 0),
        ProcessLayout.of(1, 1, registration),
        0,
        Optional.empty());
  }

  private static RunRequest plain() {
    return request(List.of(DataType.FLOAT32), Registration.NONE, false);
  }

  private static String refusal(int version, RunRequest request, ProcessPlacement placement) {
    return assertThrows(
            RunFailure.class, () -> new LibraryLimits(version, 90).limit(request, placement))
        .getMessage();
  }

  @Test
  void whatIsThereStays() {
    RunRequest all = request(List.of(DataType.values()), Registration.SYMMETRIC, true);
    assertEquals(all, new LibraryLimits(22809, 90).limit(all, ProcessPlacement.ALONE));
  }

  @Test
  void typesOfEightBitsAreLeftOutWhereThereAreNone() {
    RunRequest all = request(List.of(DataType.values()), Registration.NONE, false);
    assertEquals(
        10, new LibraryLimits(22809, 80).limit(all, ProcessPlacement.ALONE).calls().types().size());
    assertEquals(
        10, new LibraryLimits(22304, 90).limit(all, ProcessPlacement.ALONE).calls().types().size());
    assertEquals(
        "f8e4m3 needs NCCL 2.24 and GPUs of sm 90; here are NCCL 2.23.4 and sm 90",
        refusal(
            22304,
            request(List.of(DataType.FLOAT8_E4M3), Registration.NONE, false),
            ProcessPlacement.ALONE));
  }

  @Test
  void aFunctionThatIsNotThereIsNotCalled() {
    assertEquals(
        "-R 2 (symmetric buffers) needs NCCL 2.27.0; this is 2.26.2",
        refusal(
            22602,
            request(List.of(DataType.FLOAT32), Registration.SYMMETRIC, false),
            ProcessPlacement.ALONE));
    assertEquals(
        "-R 1 (registered buffers) needs NCCL 2.19.0; this is 2.18.5",
        refusal(
            21805,
            request(List.of(DataType.FLOAT32), Registration.LOCAL, false),
            ProcessPlacement.ALONE));
    assertEquals(
        "--estimate needs NCCL 2.22.0; this is 2.21.5",
        refusal(
            22105,
            request(List.of(DataType.FLOAT32), Registration.NONE, true),
            ProcessPlacement.ALONE));
    ProcessPlacement two =
        new ProcessPlacement(
            0, 2, 0, "host", "", Optional.empty(), Optional.of(RankSplit.parse("MOD 2")));
    assertEquals(
        "several processes needs NCCL 2.18.0; this is 2.17.1", refusal(21701, plain(), two));
    AlternatingRun.Variant ring =
        new AlternatingRun.Variant(
            "Ring/LL",
            Map.of("NCCL_ALGO", "Ring", "NCCL_PROTO", "LL"),
            List.of(RunCollective.ALL_REDUCE));
    assertEquals(
        "the comparison of algorithms and protocols needs NCCL 2.18.0; this is 2.17.1",
        refusal(
            21701,
            plain().withComparison(new AlternatingRun(List.of(ring), 5)),
            ProcessPlacement.ALONE));
    assertEquals(
        "communicators with a configuration needs NCCL 2.14.0; this is 2.13.4",
        refusal(21304, plain(), ProcessPlacement.ALONE));
  }
}

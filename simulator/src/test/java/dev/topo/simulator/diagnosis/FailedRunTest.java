package dev.topo.simulator.diagnosis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.io.Inputs;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.PeerOperation;
import dev.topo.search.fixture.SharedGraphs;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.fixture.TestJobs;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs that are not healthy whatever their times: wrong results, errors, a missing end. */
class FailedRunTest {
  private static final Diagnoser DIAGNOSER =
      new Diagnoser(new JobEvaluator(SharedGraphs.GRAPHS, new Inputs()), () -> {});
  private static final String HEALTHY =
      new Inputs().text(TestJobs.ROOT.resolve("examples/healthy.txt"), "a run");
  private static final Pattern LAST_LINES = Pattern.compile("(?m)^# (?:Out of|Avg).*\\n");

  private static Diagnosis diagnosis(Optional<Operation> operation, String... texts) {
    return DIAGNOSER.diagnose(
        new DiagnosisInput(
            IntStream.range(0, texts.length)
                .mapToObj(i -> new RunText("file" + i, texts[i]))
                .toList(),
            operation,
            Optional.empty(),
            GpuSelection.ALL,
            OptionalInt.empty(),
            OptionalInt.empty(),
            NcclSettings.DEFAULTS,
            Optional.empty()));
  }

  private static Cause first(String text) {
    Diagnosis diagnosis = diagnosis(Optional.empty(), text);
    assertEquals(Health.FAULT, diagnosis.verdict(), diagnosis.toString());
    return diagnosis.causes().get(0);
  }

  /** The healthy run with another row for a size. */
  private static String with(long bytes, String row) {
    return HEALTHY.replaceFirst("(?m)^ *" + bytes + " .*$", " " + bytes + " 0 float sum -1 " + row);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1103.62 243.2 456.0 5 1101.38 243.7 457.0 0",
        "1103.62 243.2 456.0 0 1101.38 243.7 457.0 1e+06"
      })
  void wrongResultsComeFirst(String row) {
    Cause first = first(with(268435456, row));
    assertEquals(CauseKind.WRONG_RESULTS, first.kind());
    assertEquals(Certainty.STATED, first.certainty());
    assertTrue(first.detail().startsWith("1 of 13 results were wrong"), first.detail());
  }

  @ParameterizedTest
  @ValueSource(strings = {": 3 FAILED", ": 12 OK"})
  void valuesOutOfBoundsAreWrongResults(String count) {
    Cause first = first(HEALTHY.replaceFirst("(# Out of bounds values) : 0 OK", "$1 " + count));
    assertEquals(CauseKind.WRONG_RESULTS, first.kind());
  }

  @Test
  void resultsThatWereNotCheckedAreNotWrong() {
    Diagnosis diagnosis =
        diagnosis(
            Optional.empty(), with(268435456, "1103.62 243.2 456.0 N/A 1101.38 243.7 457.0 N/A"));
    assertEquals(Health.AS_EXPECTED, diagnosis.verdict(), diagnosis.toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "FAILED_RUN; node00: Test NCCL failure common.cu:958 'unhandled cuda error'",
        "FAILED_RUN; srun: error: node01: tasks 8-15: Killed",
        "FAILED_RUN; slurmstepd: error: *** JOB 7 ON node00 CANCELLED AT 2026 DUE TO TIME LIMIT ***",
        "FAILED_RUN; mpirun noticed that process rank 3 with PID 7 on node n1 exited on signal 9 (Killed).",
        "FAILED_RUN; [n1:07] *** Process received signal ***\\n[n1:07] Signal: Segmentation fault (11)",
        "FAILED_RUN; ./run.sh: line 3: 12345 Killed                  ./all_reduce_perf",
        "FAILED_RUN; [ 12.3] NVRM: Xid (PCI:0000:10:00): 79, GPU has fallen off the bus.",
        "FAILED_RUN; [rank0]:[E ProcessGroupNCCL.cpp:616] Watchdog caught collective operation timeout: x",
        "NCCL_WARNING; n1:7:7 [0] misc/x.cc:1 NCCL WARN something that no table knows",
      })
  void anErrorAnywhereIsQuoted(CauseKind kind, String line) {
    for (String text :
        List.of(
            line + "\n" + HEALTHY,
            HEALTHY + line + "\n",
            LAST_LINES.matcher(HEALTHY).replaceAll("") + line + "\n")) {
      Diagnosis diagnosis = diagnosis(Optional.empty(), text.replace("\\n", "\n"));
      Cause cause =
          diagnosis.causes().stream().filter(one -> one.kind() == kind).findFirst().orElseThrow();
      assertEquals(Health.FAULT, diagnosis.verdict());
      String shown = line.replaceFirst(".*(?:\\\\n|: error: |WARN |Xid)", "");
      assertTrue(
          cause.evidence().stream()
              .anyMatch(one -> shown.contains(one.text()) || one.text().contains(shown)),
          cause + " of " + line);
    }
  }

  @Test
  void aRunThatEndsEarlyIsNotHealthy() {
    String cut = HEALTHY.substring(0, HEALTHY.indexOf(" 268435456 "));
    Cause first = first(cut.substring(0, cut.lastIndexOf('\n') + 1));
    assertEquals(CauseKind.FAILED_RUN, first.kind());
    assertTrue(first.detail().startsWith("ends at 128 MiB of 4 GiB"), first.detail());
  }

  @ParameterizedTest
  @CsvSource({
    "23230.6 11.555 21.666 0 1170.38 229.357 430.045 0",
    "23230.6 11.555 21.666 0 23170.3 11.585 21.723 0"
  })
  void oneSlowSizeIsNoHealthyRun(String row) {
    Cause first = first(with(268435456, row));
    assertEquals(CauseKind.UNEVEN_SIZES, first.kind());
    assertTrue(first.detail().contains("AllReduce of 256 MiB takes 1"), first.detail());
  }

  @Test
  void theSizeFromWhichBusbwFallsIsNamed() {
    StringBuilder run =
        new StringBuilder(
            "# Collective test starting: all_reduce_perf\n# nThread 1 nGpus 1 minBytes 1 maxBytes 8\n");
    for (long bytes = 1 << 26; bytes <= 1L << 32; bytes *= 2) {
      double algbw = bytes < 1 << 30 ? 101.33 : 48;
      String times = "%.1f %.2f %.2f 0".formatted(bytes / algbw / 1e3, algbw, algbw * 1.875);
      run.append(" %d %d float sum -1 %s %s\n".formatted(bytes, bytes / 4, times, times));
    }
    String detail = first(run.append("# Out of bounds values : 0 OK\n").toString()).detail();
    assertTrue(
        detail.contains("from 190.0 GB/s at 512 MiB to 90.0 GB/s at 1 GiB and stays below"),
        detail);
  }

  @Test
  void aFileWithErrorsOnlyIsALog() {
    String line =
        "n1:7:7 [0] transport/net_ib.cc:839 NCCL WARN NET/IB : Got completion with error 12, opcode 1";
    assertTrue(first(line).detail().contains("the peer does not answer"), first(line).detail());
  }

  @Test
  void aReleaseWithoutRulesIsRefused() {
    String old = HEALTHY.replaceFirst("# nccl-tests version.*", "NCCL version 2.7.8+cuda11.0");
    String message =
        assertThrows(TopologyFormatException.class, () -> diagnosis(Optional.empty(), old))
            .getMessage();
    assertTrue(message.contains("ran NCCL 2.7.8"), message);
  }

  @Test
  void sendsAndReceivesAreNamedByTheUser() {
    String rows = "16777216 4194304 float sum -1 700.00 23.97 23.97 0 700.00 23.97 23.97 N/A\n";
    String old = HEALTHY.replaceAll("(?m)^(?:# Collective.*| +\\d.*)\\n", "");
    Diagnosis diagnosis = diagnosis(Optional.of(PeerOperation.SENDRECV), old + rows);
    assertTrue(
        diagnosis.reached().isPresent()
            && diagnosis.reached().get().operation() == PeerOperation.SENDRECV,
        diagnosis.toString());
  }

  /** As of a machine whose NVLinks join pairs: NCCL's log has four nodes of two ranks. */
  @Test
  void nodesOfNvlinkPairsAreHosts() {
    String log =
        "n1:7:7 [0] NCCL INFO comm 0x1 rank 0 nRanks 16 nNodes 8 localRanks 2 localRank 0 MNNVL 0\n";
    String connection =
        "n1:7:7 [0] NCCL INFO Channel 00/0 : 15[7] -> 0[0] [receive] via NET/IB/0\n";
    for (Diagnosis diagnosis :
        List.of(
            diagnosis(Optional.empty(), HEALTHY, log),
            diagnosis(Optional.empty(), log + connection))) {
      assertTrue(
          diagnosis.basis().toString().contains("2 hosts; NCCL counts 8 nodes"),
          diagnosis.toString());
    }
  }
}

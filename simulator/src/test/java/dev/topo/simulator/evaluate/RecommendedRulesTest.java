package dev.topo.simulator.evaluate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.inspect.measured.Measurement;
import dev.topo.inspect.measured.MeasurementReader;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.search.tuning.Communicator;
import dev.topo.search.tuning.TunerCsv;
import dev.topo.search.tuning.TunerRule;
import dev.topo.simulator.evaluate.RecommendedRules.Recommendation;
import dev.topo.simulator.fixture.TestJobs;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rules of a tuner file: by predicted and by measured times. */
class RecommendedRulesTest {
  private static final List<Collective> GATHER = List.of(Collective.ALL_GATHER);

  private static JobResult four() {
    return TestJobs.evaluate(TestJobs.on(TestJobs.measured("h200-x4")).withGpusPerProcess(4));
  }

  private static Protocol protocol(List<TunerRule> rules, long size) {
    return rules.stream()
        .filter(rule -> rule.minBytes() <= size && size <= rule.maxBytes())
        .map(TunerRule::protocol)
        .findFirst()
        .orElseThrow();
  }

  private static void assertRulesLeaveNoGap(List<TunerRule> rules) {
    long next = 0;
    for (TunerRule rule : rules) {
      assertEquals(next, rule.minBytes(), rule.toString());
      next = rule.maxBytes() + 1;
    }
    assertEquals(Long.MIN_VALUE, next, "the last rule holds for all that is larger");
  }

  @Test
  void rulesAreNcclsChoicesAndWhatIsBetter() {
    JobResult job = four();
    List<TunerRule> own = TunerCsv.of(job.communicator().tuner()).only(GATHER).rules();
    List<TunerRule> best =
        RecommendedRules.of(job.communicator(), GATHER, Recommendation.of(job.predictor())).rules();
    assertEquals(Protocol.LL, protocol(best, 2 << 20));
    assertEquals(Protocol.LL, protocol(own, 2 << 20));
    // What docs/advise.md has measured: LL128 is faster there, NCCL takes Simple.
    assertTrue(own.stream().noneMatch(rule -> rule.protocol() == Protocol.LL128), own.toString());
    assertEquals(Protocol.LL128, protocol(best, 4 << 20));
    assertEquals(Protocol.LL128, protocol(best, 8 << 20));
    assertEquals(Protocol.SIMPLE, protocol(best, 1L << 40));
    assertRulesLeaveNoGap(best);
  }

  @Test
  void rulesMayRestOnMeasuredTimes() throws IOException {
    String file = "h200-x4.csv";
    List<Measurement> measured =
        MeasurementReader.read(Files.readString(TestJobs.MEASURED.resolve(file)), file)
            .measurements();
    Communicator communicator = four().communicator();
    List<TunerRule> best =
        RecommendedRules.of(
                communicator,
                List.of(Collective.values()),
                new MeasuredChoices(communicator.tuner(), measured))
            .rules();
    List<TunerRule> gather = of(Collective.ALL_GATHER, best);
    assertEquals(Protocol.LL128, protocol(gather, 4 << 20));
    assertEquals(Protocol.SIMPLE, protocol(gather, 1L << 34));
    for (Collective collective : Collective.values()) {
      assertRulesLeaveNoGap(of(collective, best));
    }
  }

  private static List<TunerRule> of(Collective collective, List<TunerRule> rules) {
    return rules.stream().filter(rule -> rule.collective() == collective).toList();
  }

  /** Between nodes nothing is calibrated, and NCCL's choices stay as they are. */
  @Test
  void rulesForSeveralNodesAreNcclsOwn() {
    JobResult job = TestJobs.evaluate(TestJobs.on(TestJobs.shipped("dgx-h100"), 4));
    Comparator<TunerRule> order = Comparator.comparing(TunerRule::toString);
    assertEquals(
        TunerCsv.of(job.communicator().tuner()).rules().stream().sorted(order).toList(),
        RecommendedRules.of(
                job.communicator(),
                List.of(Collective.values()),
                Recommendation.of(job.predictor()))
            .rules()
            .stream()
            .sorted(order)
            .toList());
  }
}

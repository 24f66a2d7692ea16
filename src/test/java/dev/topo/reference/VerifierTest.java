package dev.topo.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.topo.hw.javacpp.WorkerMain;
import dev.topo.hw.run.ProcessLayout;
import dev.topo.hw.run.ProcessPlacement;
import dev.topo.hw.run.Repetition;
import dev.topo.hw.run.ReplayWorker;
import dev.topo.hw.run.Reporting;
import dev.topo.hw.run.RunCalls;
import dev.topo.hw.run.RunCollective;
import dev.topo.hw.run.RunRequest;
import dev.topo.hw.run.SizeSweep;
import dev.topo.hw.run.WorkerCommand;
import dev.topo.hw.verify.MeasuredChoice;
import dev.topo.hw.verify.MeasuredChoice.Result;
import dev.topo.hw.verify.Verification;
import dev.topo.hw.verify.Verifier;
import dev.topo.hw.verify.VerifyRequest;
import dev.topo.inspect.caveat.CaveatFinder;
import dev.topo.inspect.log.Fact;
import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.inspect.measured.RunReader;
import dev.topo.inspect.measured.RunReader.RunHints;
import dev.topo.model.fixture.ReferenceData;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.Inputs.Invocation;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Protocol;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlReader;
import dev.topo.model.xml.XmlWriter;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.visualizer.hardware.VerificationJson;
import dev.topo.visualizer.hardware.VerificationSentence;
import dev.topo.visualizer.hardware.VerificationText;
import dev.topo.visualizer.view.Envelope;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What NCCL once dumped and logged on four H200, replayed, against what is predicted of them. */
class VerifierTest {
  private static final Path SCHEMA =
      Path.of(System.getProperty("topo.root"), "docs/schema/verify.schema.json");

  private static final String MACHINE = "measured/h200-x4";

  @TempDir private Path folder;
  private final List<String> steps = new ArrayList<>();

  private static RunRequest run() {
    return RunRequest.of(
        RunCalls.ofFloatSums(
            List.of(RunCollective.ALL_REDUCE, RunCollective.ALL_GATHER),
            new SizeSweep(1 << 20, 1 << 20, 0, 2)),
        Repetition.DEFAULTS,
        Reporting.DEFAULTS,
        ProcessLayout.ofOneThread(4),
        300,
        Optional.empty());
  }

  private Verification verify(XmlElement machine, boolean sweeps, Map<String, String> more)
      throws IOException {
    NcclSettings settings = NcclSettings.parse(List.of("NCCL_NVLS_ENABLE=0"));
    Map<String, String> variables = new HashMap<>(more);
    variables.put("REPLAY", ReferenceData.of(MACHINE).toAbsolutePath().toString());
    VerifyRequest request =
        new VerifyRequest(
            variables,
            settings,
            ProcessPlacement.ALONE.announcing(XmlWriter.write(machine)),
            run(),
            sweeps);
    return new Verifier(
            request,
            VerifierTest::command,
            devices -> machine,
            new JobEvaluator(),
            new Inputs(),
            steps::add)
        .verify(folder);
  }

  private static WorkerCommand command(Map<String, String> variables) {
    WorkerCommand usual = WorkerCommand.ofThisProcess(WorkerMain.class, variables, List.of());
    return new WorkerCommand(
        usual.java(),
        List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
        usual.classPath(),
        ReplayWorker.class.getName(),
        usual.environment());
  }

  private static XmlElement machine() {
    return new XmlReader().read(ReferenceData.of(MACHINE).resolve("topo.xml"), new Inputs()).root();
  }

  @Test
  void whatNcclSaidAgreesWithThePrediction() throws IOException {
    Verification verification = verify(machine(), true, Map.of());
    Agreement agreement = new Agreement("verify on h200-x4, real NCCL replayed");
    for (Fact fact : verification.comparison().facts()) {
      agreement.addEqual(fact.topic() + " " + fact.where(), fact.expected(), fact.found());
    }
    agreement.finish();
    assertTrue(verification.isGood());
    String sentence = VerificationSentence.of(verification);
    assertTrue(sentence.startsWith("topo agrees with NCCL 2.28.9 here in all "), sentence);
    assertTrue(
        sentence.endsWith(
            "; no other algorithm or protocol is measurably faster than NCCL's choice in 2 sizes."),
        sentence);
    assertEquals(List.of(), verification.mismatches());
    // NCCL's choice, then Tree for AllReduce alone and Ring for both, with three protocols each.
    assertEquals(2 + 3 + 6, verification.measured().size());
    assertTrue(
        verification.measured().stream().allMatch(one -> one.predictedUs().isPresent()),
        "the machine has a calibration");
    assertEquals("asking NCCL what it does", steps.get(0));
    String measuring = "measuring NCCL's choice and 6 forced pairs in 5 rounds";
    assertTrue(steps.contains(measuring), steps.toString());
    assertTrue(steps.contains(measuring + ", ALL_REDUCE of 1 MiB"), steps.toString());
    assertEquals(
        2, steps.stream().filter(step -> !step.contains(",")).count(), "NCCL is started twice");
    assertTrue(
        text(verification)
            .endsWith(
                """
                NCCL's choice is the fastest measured in 2 of 2 sizes, not distinguishable from it in 0 and slower in 0
                Times are medians of 5 rounds in which NCCL's choice and all forced pairs were measured in turns
                """),
        text(verification));
    StringBuilder json = new StringBuilder();
    VerificationJson.of(verification, NcclSettings.DEFAULTS).writeTo(json);
    assertTrue(json.toString().startsWith("{\n  \"schema\" : \"topo/verify/1\","), json.toString());
    assertEquals(List.of(), faults(json.toString()));
    MeasuredRun run = RunReader.read(json.toString(), "result.json", RunHints.NOTHING);
    assertEquals(verification.measured().size(), run.measurements().size());
    assertEquals(OptionalInt.of(1), run.nodes());
  }

  private static String text(Verification verification) throws IOException {
    StringBuilder text = new StringBuilder();
    VerificationText.sizes(verification.choices()).writeTo(text);
    return text.toString();
  }

  /** The comparison of AllReduce, for which NCCL chooses Ring/LL here. */
  private MeasuredChoice allReduce(String times, String spread) throws IOException {
    Verification verification = verify(machine(), true, Map.of("TIMES", times, "SPREAD", spread));
    StringBuilder json = new StringBuilder();
    VerificationJson.of(verification, NcclSettings.DEFAULTS).writeTo(json);
    assertEquals(List.of(), faults(json.toString()));
    MeasuredChoice choice = verification.choices().get(0);
    String lost = choice.lostPercent().map(percent -> String.format("%.1f", percent)).orElse("");
    assertEquals(
        !lost.isEmpty(), text(verification).lines().anyMatch(line -> line.endsWith("  " + lost)));
    assertEquals(
        choice.result() == Result.NOT_DISTINGUISHABLE,
        text(verification).lines().anyMatch(line -> line.endsWith("  not distinguishable")));
    return choice;
  }

  private static List<?> faults(String json) throws IOException {
    return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
        .getSchema(Files.readString(SCHEMA), InputFormat.JSON)
        .validate(json, InputFormat.JSON);
  }

  @Test
  void aFasterPairBeyondTheNoiseIsALoss() throws IOException {
    MeasuredChoice choice = allReduce("Tree/LL=80,Tree/LL128=90", "10");
    assertEquals(Result.SLOWER, choice.result());
    assertEquals(Optional.of(25.0), choice.lostPercent());
    assertEquals(Protocol.LL, choice.faster().orElseThrow().protocol());
    assertEquals(100, choice.chosen().timeUs(), "the median of the rounds");
    assertEquals(10, choice.chosen().spreadUs(), 1e-9);
  }

  @Test
  void aFasterPairWithinTheSpreadOfTheRoundsIsNotDistinguishable() throws IOException {
    MeasuredChoice choice = allReduce("Tree/LL=80", "21");
    assertEquals(Result.NOT_DISTINGUISHABLE, choice.result());
    assertEquals(Optional.empty(), choice.lostPercent());
  }

  /** Two communicators with the same algorithm and protocol differ by noise only. */
  @Test
  void theSamePairWhenForcedMeasuresTheNoise() throws IOException {
    MeasuredChoice same = allReduce("Ring/LL=54", "0");
    assertEquals(Result.FASTEST, same.result());
    assertEquals(46, same.noiseUs(), 1e-9);
  }

  @Test
  void aPairFasterByLessThanTheNoiseOfTheSamePairIsNotDistinguishable() throws IOException {
    MeasuredChoice choice = allReduce("Ring/LL=85,Tree/LL=86", "0");
    assertEquals(Result.NOT_DISTINGUISHABLE, choice.result());
    assertEquals(15, choice.noiseUs(), 1e-9);
  }

  @Test
  void aMachineThatIsNotTheRealOneDisagrees() throws IOException {
    String text = XmlWriter.write(machine()).replace("count=\"18\"", "count=\"6\"");
    XmlElement other = new XmlReader().read(text.getBytes(StandardCharsets.UTF_8), "x").root();
    Verification verification = verify(other, false, Map.of());
    assertFalse(verification.isGood());
    assertTrue(
        verification.comparison().differences().stream()
            .anyMatch(fact -> fact.topic() == Fact.Topic.GRAPH));
    String sentence = VerificationSentence.of(verification);
    assertTrue(
        sentence.startsWith(
            "topo and NCCL 2.28.9 differ in 219 of 418 facts (topology file, graph file, system and 8 more), first in the topology file: NCCL has nvlink count=\"18\""),
        sentence);
  }

  @Test
  void theRulesAreThoseOfTheReleaseThatRan() throws IOException {
    Verification verification = verify(machine(), false, Map.of("VERSION", "22703"));
    assertEquals("2.27.3", verification.communicator().profile().version());
    assertEquals(List.of(), verification.mismatches());
  }

  @Test
  void aReleaseWithoutRulesOfItsOwnIsACaveat() throws IOException {
    Verification verification = verify(machine(), false, Map.of("VERSION", "22805"));
    assertEquals("2.28.3", verification.communicator().profile().version());
    assertEquals(CaveatFinder.ofRelease(verification.rules()), verification.mismatches());
    assertEquals(1, verification.mismatches().size());
    StringBuilder json = new StringBuilder();
    Envelope envelope =
        new Envelope(verification.rules(), verification.mismatches(), Invocation.NONE);
    VerificationJson.of(verification, NcclSettings.DEFAULTS)
        .render(envelope, "json", line -> {})
        .writeTo(json);
    assertTrue(
        json.toString().contains("\"caveats\" : [ \"nccl-release: NCCL 2.28.5 (rules of 2.28.3)"));
    assertEquals(List.of(), faults(json.toString()));
  }

  @Test
  void wrongResultsAreNoAgreement() throws IOException {
    Verification verification = verify(machine(), true, Map.of("WRONG", "1"));
    assertEquals(2, verification.wrongResults());
    assertFalse(verification.isGood());
  }
}

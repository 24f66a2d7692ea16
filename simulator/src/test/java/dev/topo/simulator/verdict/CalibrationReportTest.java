package dev.topo.simulator.verdict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.inspect.measured.RunReader;
import dev.topo.inspect.measured.RunReader.RunHints;
import dev.topo.model.Topology;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologyReader;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.calibration.CalibrationChoice.SelectedCalibration;
import dev.topo.simulator.calibration.CalibrationFile;
import dev.topo.simulator.calibration.Constant;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.Prediction.CollectivePrediction;
import dev.topo.simulator.evaluate.Prediction.Source;
import dev.topo.simulator.fixture.TestJobs;
import dev.topo.simulator.verdict.CalibrationFit.FitResult;
import dev.topo.simulator.verdict.CalibrationReport.CalibrationSet;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Fits to runs of two and four H200, and how far they hold. */
class CalibrationReportTest {
  private static final String X4 = "h200-x4.csv";
  private static final long MIB = 1L << 20;

  private static Calibration shipped() {
    return CalibrationFile.shipped("h200-nvswitch").orElseThrow();
  }

  private static String text(String file) {
    return new Inputs().text(TestJobs.MEASURED.resolve(file), "a run");
  }

  private static Topology topology(Path file, Optional<GpuSelection> gpus) {
    return new TopologyReader().read(file, gpus.orElse(GpuSelection.ALL), new Diagnostics());
  }

  /** The measurements of a file; machine and settings are those of the file where none is given. */
  private static MeasuredSet set(String text, Path... machine) {
    MeasuredRun run = RunReader.read(text, "run", RunHints.NOTHING);
    List<MeasuredSet> sets =
        new MeasuredFiles(
                List.of(machine),
                Optional.empty(),
                CalibrationReportTest::topology,
                NcclSettings.parse(List.of("NCCL_NVLS_ENABLE=0")),
                OptionalInt.empty(),
                new JobEvaluator())
            .sets(run, NcclProfile.DEFAULT);
    assertEquals(1, sets.size());
    return sets.get(0);
  }

  private static MeasuredSet ofMachine(String text, String machine) {
    return set(text, TestJobs.MEASURED.resolve(machine + ".topo.xml"));
  }

  private static FitResult fit(MeasuredSet set, Set<Constant> free) {
    return new CalibrationFit(
            set.observations(one -> true, 1),
            shipped().withMeasuredOn(MeasuredSet.measuredOn(List.of(set), Optional.empty())),
            free)
        .run("mine", "a test", round -> {});
  }

  private static FitResult fit(MeasuredSet set) {
    return fit(set, Set.of(Constant.values()));
  }

  private static CalibrationReport report(FitResult fit, MeasuredSet... others) {
    List<CalibrationSet> judged = new ArrayList<>();
    for (MeasuredSet set : others) {
      judged.add(new CalibrationSet(set, judged.isEmpty()));
    }
    return new CalibrationReport(fit.calibration(), Optional.of(fit), "a test", judged);
  }

  /** The median error of all times of a set. */
  private static double median(CalibrationReport report, int set) {
    List<ErrorTable.Row> rows = report.judged().get(set).errors(report.model()).rows();
    return rows.get(rows.size() - 1).model().median();
  }

  @Test
  @Tag("slow")
  void aFitToASweepHoldsForTwoGpusToo() {
    MeasuredSet four = ofMachine(text(X4), "h200-x4");
    FitResult fit = fit(four);
    CalibrationReport report = report(fit, four, ofMachine(text("h200-x2.csv"), "h200-x2"));
    assertTrue(median(report, 0) <= 0.025, "fitted: " + median(report, 0));
    assertTrue(median(report, 1) <= 0.06, "not fitted: " + median(report, 1));
    // One number of GPUs cannot tell what a launch costs for each of them; nothing here was
    // replayed.
    assertTrue(
        fit.undetermined()
            .containsAll(
                List.of(
                    Constant.LAUNCH_BASE,
                    Constant.LAUNCH_PER_GPU,
                    Constant.KERNEL_REGISTERED,
                    Constant.PCI_EFFICIENCY,
                    Constant.COPY_HOST)),
        fit.undetermined().toString());
    assertEquals(Constant.OF_NVLS, fit.calibration().published(), "nothing ran by NVLS");
    ChoiceRegret regret = report.judged().get(0).regret(report.model());
    assertTrue(regret.mean() <= 0.01, regret.toString());
  }

  /** One time in twenty is ten times too long: the constants hardly move. */
  @Test
  @Tag("slow")
  void outliersDoNotRule() {
    List<String> lines = new ArrayList<>(text(X4).lines().toList());
    Random random = new Random(1);
    for (int i = 1; i < lines.size(); i++) {
      if (random.nextInt(20) == 0) {
        String[] cells = lines.get(i).split(",");
        cells[5] = String.valueOf(10 * Double.parseDouble(cells[5]));
        lines.set(i, String.join(",", cells));
      }
    }
    MeasuredSet clean = ofMachine(text(X4), "h200-x4");
    MeasuredSet spoilt = ofMachine(String.join("\n", lines) + "\n", "h200-x4");
    CalibrationReport ofClean = report(fit(clean), clean);
    CalibrationReport ofSpoilt = report(fit(spoilt), spoilt);
    for (Constant constant :
        List.of(
            Constant.KERNEL,
            Constant.STEP_LL128,
            Constant.SLICE_SIMPLE,
            Constant.NVLINK_EFFICIENCY,
            Constant.STEP_SIMPLE)) {
      double value = ofClean.calibration().value(constant);
      assertEquals(value, ofSpoilt.calibration().value(constant), 0.05 * value, constant.label());
    }
    assertEquals(median(ofClean, 0), median(ofSpoilt, 0), 0.005);
  }

  /** Times of NVLS as they would be with 0.7 of the links of eight GPUs, and steps of 8 us. */
  @Test
  void ownTimesOfNvlsTakeThePlaceOfPublishedOnes() {
    StringBuilder csv =
        new StringBuilder(
            "gpus,collective,forced_algorithm,forced_protocol,bytes,time_us,time_inplace_us\n");
    for (long bytes = 1 << 20; bytes <= 1L << 33; bytes *= 2) {
      double us = 24 + bytes * (1 + 1.0 / 8) / (18 * 20.6e3 * 0.7);
      csv.append(
          String.format(Locale.ROOT, "8,all_reduce,NVLS,Simple,%d,%.2f,%.2f%n", bytes, us, us));
    }
    Machine machine = TestJobs.shipped("dgx-h100");
    MeasuredRun run = RunReader.read(csv.toString(), "nvls.csv", RunHints.NOTHING);
    Calibration mine =
        fit(new MeasuredSet(
                "nvls",
                machine,
                Optional.empty(),
                run.measurements(),
                NcclProfile.DEFAULT,
                new JobEvaluator()))
            .calibration();
    assertEquals(0.7, mine.value(Constant.NVLS_EFFICIENCY), 0.01);
    assertEquals(Set.of(), mine.published());
    JobRequest job = TestJobs.on(machine);
    assertEquals(Source.PUBLISHED, source(job));
    assertEquals(
        Source.CALIBRATION,
        source(job.withCalibration(SelectedCalibration.requested(mine, machine.topology()))));
  }

  private static Source source(JobRequest job) {
    return TestJobs.predictor(job)
        .predict(TestJobs.allReduce(1L << 30), false)
        .map(CollectivePrediction::source)
        .orElseThrow();
  }

  /** A result of verify has its machine and its settings. */
  @Test
  void aResultOfVerifyCanBeFitted() {
    MeasuredSet verified = set(text("h200-x4-run/verify.json"));
    FitResult fit = fit(verified);
    CalibrationReport report = report(fit, verified, verified);
    assertTrue(median(report, 0) <= 0.05, "fitted: " + median(report, 0));
    assertEquals(median(report, 0), median(report, 1));
    assertTrue(fit.calibration().value(Constant.LAUNCH_PER_GPU) > 4, "this host launches slower");
    assertEquals(0, report.judged().get(0).notCovered(report.model()));
    assertEquals(66, report.judged().get(0).regretOfNccl().cases());
  }

  @Test
  void fixedConstantsStay() {
    FitResult fit =
        fit(
            set(text("h200-x4-run/verify.json")),
            Constant.allBut("--fix ", List.of("kernel", "drift.steps")));
    for (Constant fixed : List.of(Constant.KERNEL, Constant.DRIFT_STEPS)) {
      assertEquals(shipped().value(fixed), fit.calibration().value(fixed), fixed.label());
    }
  }

  @Test
  void aWrongDeclarationIsTakenIntoAccount() {
    List<MeasuredSet> sets =
        new MeasuredFiles(
                List.of(TestJobs.MEASURED.resolve("declared-chain.topo.xml")),
                Optional.of(TestJobs.MEASURED.resolve("h200-x4.topo.xml")),
                CalibrationReportTest::topology,
                NcclSettings.parse(List.of("NCCL_NVLS_ENABLE=0")),
                OptionalInt.empty(),
                new JobEvaluator())
            .sets(
                RunReader.read(text("declared-chain.csv"), "run", RunHints.NOTHING),
                NcclProfile.DEFAULT);
    MeasuredSet large = sets.get(0).only(one -> one.sizeBytes() >= 64 * MIB);
    CalibrationReport report =
        new CalibrationReport(
            shipped(), Optional.empty(), "a test", List.of(new CalibrationSet(large, false)));
    assertFalse(large.measurements().isEmpty());
    assertTrue(median(report, 0) <= 0.1, report.toString());
  }

  /** Milliseconds, as nccl-tests once printed them. */
  @Test
  void timesThatNoLinkCouldBringAreDoubted() {
    StringBuilder text = new StringBuilder();
    for (String line : text(X4).lines().toList()) {
      String[] cells = line.split(",", -1);
      if (!cells[0].equals("gpus")) {
        cells[5] = String.valueOf(Double.parseDouble(cells[5]) / 1000);
        cells[6] = String.valueOf(Double.parseDouble(cells[6]) / 1000);
      }
      text.append(String.join(",", cells)).append('\n');
    }
    String doubt = fit(ofMachine(text.toString(), "h200-x4")).doubt().orElseThrow();
    assertTrue(doubt.contains("times as fast as NCCL assumes (nvlink.efficiency)"), doubt);
  }
}

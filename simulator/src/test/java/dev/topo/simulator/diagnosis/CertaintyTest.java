package dev.topo.simulator.diagnosis;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.fixture.RandomCases;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Collective;
import dev.topo.model.xml.XmlReader;
import dev.topo.simulator.diagnosis.PlantedRun.World;
import dev.topo.simulator.evaluate.JobEvaluator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * How often a cause of a given certainty is right, on planted runs: a fifth of them healthy, a
 * fifth with faults that are no hypothesis, severities random. Between nodes, times are off by what
 * the model was off on clusters that were left out of its fit (docs/accuracy/networks.csv).
 */
@Tag("slow")
class CertaintyTest {
  private static final int RUNS = RandomCases.count(60, 300);
  private static final int BINS = 10;
  private static final double MOST_CERTAINTY = 0.8;

  /** Largest difference between the mean certainty and the share that is right. */
  private static final double MOST_OVERCONFIDENCE = 0.1;

  private static final Diagnoser DIAGNOSER = new Diagnoser(new JobEvaluator(), () -> {});

  /** A run and the causes that would be right; none for a healthy one. */
  private record Planted(PlantedRun run, String text, Set<CauseKind> right) {}

  /**
   * Median errors of clusters that were left out, in percent, for sizes from 1 MiB on and below.
   */
  private static List<double[]> errors() throws IOException {
    Path table = Path.of(System.getProperty("topo.root"), "docs/accuracy/networks.csv");
    return Files.readAllLines(table).stream()
        .map(line -> line.split(","))
        .filter(cells -> cells[2].equals("rdma"))
        .collect(Collectors.groupingBy(cells -> cells[1], TreeMap::new, Collectors.toList()))
        .values()
        .stream()
        .map(
            rows ->
                new double[] {
                  median(rows, "below 64 KiB"),
                  median(rows, "64 KiB to 1 MiB"),
                  median(rows, "from 1 MiB")
                })
        .toList();
  }

  private static double median(List<String[]> rows, String sizes) {
    return rows.stream()
            .filter(row -> row[0].equals(sizes))
            .mapToDouble(row -> Double.parseDouble(row[4]))
            .findFirst()
            .orElse(10)
        / 100;
  }

  /** The output with other times. */
  private static String scaled(String text, LongToDoubleFunction factor) {
    StringBuilder scaled = new StringBuilder();
    for (String line : text.lines().toList()) {
      String[] cells = line.strip().split(" +");
      if (cells.length == 13 && !line.startsWith("#")) {
        double by = factor.applyAsDouble(Long.parseLong(cells[0]));
        for (int i = 5; i < 12; i++) {
          double value = Double.parseDouble(cells[i]);
          cells[i] =
              i == 8
                  ? cells[i]
                  : String.format(Locale.ROOT, "%.4f", i % 4 == 1 ? value * by : value / by);
        }
        line = String.join(" ", cells);
      }
      scaled.append(line).append('\n');
    }
    return scaled.toString();
  }

  private static Planted planted(int at, Random random, List<double[]> errors) {
    boolean isNetwork = random.nextInt(3) > 0;
    String machine = isNetwork ? "dgx-h100" : random.nextBoolean() ? "hgx-b200" : "hgx-h200-4nic";
    int nodes = isNetwork ? 2 << random.nextInt(2) : 1;
    double severity = random.nextDouble();
    World usual = World.usual(0.04);
    String fault = "";
    Set<CauseKind> right = EnumSet.noneOf(CauseKind.class);
    World world = usual;
    LongToDoubleFunction odd = bytes -> 1;
    if (at % 5 == 1) {
      right = EnumSet.of(CauseKind.UNKNOWN);
      double more = 0.6 + 1.5 * severity;
      double middle = 16 + 8 * random.nextDouble();
      odd =
          random.nextBoolean()
              ? bytes -> 1 + more * Math.exp(-Math.pow((log2(bytes) - middle) / 3, 2))
              : bytes -> 1 + more * (0.4 + 0.6 * Math.abs(Math.sin(log2(bytes) * middle)));
    } else if (at % 5 > 1 && isNetwork) {
      switch (random.nextInt(6)) {
        case 0, 1 -> {
          world = new World(0.04, 1.5 + 2.5 * severity, 0, 0, 1);
          right = EnumSet.of(CauseKind.SLOW_PATH);
        }
        case 2 -> {
          fault = "net:*.gdr=0";
          right = EnumSet.of(CauseKind.NO_GPUDIRECT, CauseKind.SLOW_PATH);
        }
        case 3 -> {
          int left = 1 + random.nextInt(4);
          fault =
              "remove "
                  + IntStream.range(left, 8)
                      .mapToObj(i -> "net:mlx5_" + i)
                      .collect(Collectors.joining(" "));
          right = EnumSet.of(CauseKind.FEWER_NICS);
        }
        case 4 -> {
          world = new World(0.04, 2 + 3 * severity, 0.2 + 0.2 * severity, 0, 1);
          right = EnumSet.of(CauseKind.CONGESTION, CauseKind.SLOW_PATH);
        }
        default -> {
          fault = "env NCCL_NET=Socket";
          right = EnumSet.of(CauseKind.WRONG_NETWORK);
        }
      }
    } else if (at % 5 > 1) {
      switch (random.nextInt(4)) {
        case 0 -> {
          fault = "env NCCL_P2P_DISABLE=1";
          right = EnumSet.of(CauseKind.P2P_OFF, CauseKind.NO_NVLINK);
        }
        case 1 -> {
          fault = "env NCCL_MAX_CTAS=" + (1 + random.nextInt(7));
          right = EnumSet.of(CauseKind.FEW_CHANNELS);
        }
        case 2 -> {
          world = new World(0.04, 1, 0, 60 + 200 * severity, 1);
          right = EnumSet.of(CauseKind.SLOW_LAUNCHES);
        }
        default -> {
          fault = "env NCCL_PROTO=LL";
          right = EnumSet.of(CauseKind.FORCED_CHOICE);
        }
      }
    }
    PlantedRun run = new PlantedRun(machine, nodes, "GPU", fault, world);
    String text =
        run.text(
            random.nextLong(),
            List.of(random.nextBoolean() ? Collective.ALL_REDUCE : Collective.ALL_GATHER),
            1 << 13,
            1L << 31);
    double[] error = errors.get(random.nextInt(errors.size()));
    double sign = random.nextBoolean() ? 1 : -1;
    LongToDoubleFunction more = odd;
    return new Planted(
        run,
        scaled(
            text,
            bytes ->
                more.applyAsDouble(bytes)
                    * (isNetwork
                        ? Math.exp(sign * error[bytes < 1 << 16 ? 0 : bytes < 1 << 20 ? 1 : 2])
                        : 1)),
        right);
  }

  private static double log2(long bytes) {
    return Math.log(bytes) / Math.log(2);
  }

  private static Diagnosis diagnosis(Planted planted) {
    return DIAGNOSER.diagnose(
        new DiagnosisInput(
            List.of(new RunText("run.txt", planted.text)),
            Optional.empty(),
            Optional.of(new XmlReader().read(planted.run.file(), new Inputs())),
            GpuSelection.ALL,
            OptionalInt.empty(),
            OptionalInt.empty(),
            NcclSettings.DEFAULTS,
            Optional.empty()));
  }

  @Test
  void aCauseIsRightAsOftenAsItsCertaintySays() throws IOException {
    Random random = new Random(67);
    List<double[]> errors = errors();
    int[] named = new int[BINS + 1];
    int[] rightOnes = new int[BINS + 1];
    double certainty = 0;
    double brier = 0;
    int right = 0;
    int accused = 0;
    int faults = 0;
    int found = 0;
    List<String> alarms = new ArrayList<>();
    for (int at = 0; at < RUNS; at++) {
      Planted planted = planted(at, random, errors);
      Diagnosis diagnosis = diagnosis(planted);
      boolean isHealthy = planted.right.isEmpty();
      if (isHealthy && diagnosis.verdict().isBad()) {
        alarms.add(planted.run + ": " + diagnosis);
      }
      boolean isKnown = !isHealthy && !planted.right.contains(CauseKind.UNKNOWN);
      faults += isKnown ? 1 : 0;
      Optional<Cause> first = diagnosis.causes().stream().findFirst();
      found +=
          isKnown && first.filter(one -> planted.right.contains(one.kind())).isPresent() ? 1 : 0;
      if (first.isPresent() && first.get().share().isPresent()) {
        double share = first.get().share().getAsDouble();
        boolean isRight = planted.right.contains(first.get().kind());
        boolean isNamed = first.get().kind() != CauseKind.UNKNOWN;
        assertTrue(!isNamed || share <= MOST_CERTAINTY + 1e-9, diagnosis.toString());
        if (isNamed) {
          int bin = (int) (share * BINS);
          named[bin]++;
          rightOnes[bin] += isRight ? 1 : 0;
          certainty += share;
          brier += Math.pow(share - (isRight ? 1 : 0), 2);
          right += isRight ? 1 : 0;
          accused++;
        }
        if (!isRight) {
          System.out.printf(
              "planted %s %s x %d: %s said (%.0f %%), right %s%n",
              planted.run.fault(),
              planted.run.machine(),
              planted.run.nodes(),
              first.get().kind(),
              100 * share,
              planted.right);
        }
      }
    }
    System.out.printf(
        "certainty: %d runs, %d of %d faults first, %d causes named with %.0f %% on average, right %.0f %%; Brier score %.3f, base rate %.3f%n",
        RUNS,
        found,
        faults,
        accused,
        100 * certainty / accused,
        100.0 * right / accused,
        brier / accused,
        (double) right / accused * (1 - (double) right / accused));
    for (int bin = 0; bin < BINS; bin++) {
      System.out.printf(
          "  %d to %d %%: %d of %d%n", 10 * bin, 10 * bin + 10, rightOnes[bin], named[bin]);
    }
    assertTrue(alarms.size() <= 0.02 * RUNS / 5 + 0.5, alarms.toString());
    assertTrue(
        certainty / accused - (double) right / accused <= MOST_OVERCONFIDENCE,
        certainty / accused + " said, " + (double) right / accused + " right");
  }
}

package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import dev.topo.model.fixture.Thorough;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code diagnose} and {@code predict --against} of the same run and machine. */
class SameVerdictTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));

  /** Least number of runs and machines that are compared, of all and of every fourth run. */
  private static final int LEAST = Thorough.isOn() ? 40 : 10;

  private static final Pattern ANSWER = Pattern.compile("\"answer\" : \"((?:[^\"\\\\]|\\\\.)*)\"");
  private static final String H200 = "src/test/resources/measured/h200-x%s.topo.xml";
  private static final String H100 = "topologies/dgx-h100.xml";

  /** Machines and numbers of nodes on which the runs, or some of them, may have been. */
  private static final List<List<String>> JOBS =
      List.of(
          List.of(H200.formatted(2), "1"),
          List.of(H200.formatted(4), "1"),
          List.of(H100, "2"),
          List.of(H100, "4"));

  private static List<Path> runs() throws IOException {
    List<Path> runs = new ArrayList<>();
    Path shared = Path.of(System.getProperty("topo.reference", "")).resolve("cases");
    for (Path path :
        List.of(ROOT.resolve("src/test/resources/measured"), ROOT.resolve("examples"), shared)) {
      if (Files.isDirectory(path)) {
        try (Stream<Path> files = Files.walk(path)) {
          files
              .filter(file -> file.toString().matches(".*\\.(txt|csv|json|log)"))
              .sorted()
              .forEach(runs::add);
        }
      }
    }
    return runs;
  }

  private static CliRun run(List<String> job, String... command) {
    List<String> words = new ArrayList<>(List.of(command));
    String nvls = "NCCL_NVLS_ENABLE=" + (job.get(0).equals(H100) ? 2 : 0);
    words.addAll(List.of("--nodes", job.get(1), "--env", nvls, "--format", "json"));
    return CliRun.of(words.toArray(new String[0]));
  }

  @Test
  void neverContradictEachOther() throws IOException {
    List<String> wrong = new ArrayList<>();
    int compared = 0;
    for (Path run : Thorough.orEvery(4, 0, runs(), "runs with two verdicts")) {
      for (List<String> job : JOBS) {
        String machine = ROOT.resolve(job.get(0)).toString();
        CliRun judged = run(job, "predict", machine, "--against", run.toString());
        if (judged.status() > 1) {
          continue;
        }
        CliRun diagnosed = run(job, "diagnose", run.toString(), "--machine", machine);
        if (diagnosed.status() > 1) {
          continue;
        }
        compared++;
        String answer = answer(judged);
        boolean isHealthy = answer(diagnosed).startsWith("Nothing is wrong");
        boolean isAccused = diagnosed.status() == 1 && !diagnosed.out().contains("\"too-fast\"");
        boolean isStated = diagnosed.out().contains("\"certainty\" : \"stated\"");
        boolean isBad = answer.matches(".*\\d+ times? fails?.*|.*run failed.*");
        boolean isSlow = isBad && !answer.contains("most sizes are as fast");
        boolean isAsExpected = diagnosed.out().contains("\"verdict\" : \"as-expected\"");
        if (isHealthy && isBad
            || isAsExpected && isSlow
            || isAccused && (judged.status() == 0 || !isStated && !isBad)) {
          wrong.add("%s on %s:%n  %s%n  %s%n".formatted(run, job, answer, answer(diagnosed)));
        }
      }
    }
    assertEquals(List.of(), wrong);
    assertTrue(compared >= LEAST, compared + " compared");
  }

  private static String answer(CliRun run) {
    Matcher answer = ANSWER.matcher(run.out());
    assertTrue(answer.find(), run.toString());
    return answer.group(1);
  }
}

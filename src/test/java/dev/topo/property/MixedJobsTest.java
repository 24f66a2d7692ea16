package dev.topo.property;

import static dev.topo.model.operation.PeerOperation.ALLTOALL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import dev.topo.model.fixture.RandomCases;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologyReader;
import dev.topo.search.topology.TopologySource.UnknownElements;
import dev.topo.search.transfer.PeerPlanner;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.JobResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Of a job of unequal machines the order of its nodes changes no time, and no range is known. Where
 * three and more nodes exchange data by trees or by sends, it does: which node is which leaf of the
 * double binary tree ({@code ncclGetDtree}, {@code nccl:src/graph/trees.cc}) and which ranks meet
 * in a round of the schedule ({@code ncclP2pSchedule}, {@code nccl:src/init.cc}, 2.28.9) follows
 * the order; choices and channels do not.
 */
class MixedJobsTest {
  private static final Path MACHINES = Path.of(System.getProperty("topo.root"), "topologies");
  private static final double TOLERANCE = 1.05;

  private static final List<Call> CALLS =
      Stream.of("all_reduce", "all_gather", "reduce", "alltoall", "sendrecv")
          .flatMap(name -> Stream.of("64K", "16M", "1G").map(size -> Call.of(name, size)))
          .toList();

  private static final List<String> KINDS =
      List.of(
          "dgx-1v",
          "dgx-a100",
          "a100-4-slingshot",
          "dgx-h100",
          "hgx-h200-4nic",
          "hgx-h100-sharp",
          "hgx-b200",
          "hgx-b300",
          "gb200-tray",
          "gh200-4",
          "l40s-8-switched");

  private static final List<NcclProfile> RELEASES =
      List.of(NcclProfile.DEFAULT, NcclProfile.of("2.21.5"), NcclProfile.of("2.30.7"));

  private static final List<NcclSettings> SETTINGS =
      Stream.of("", "NCCL_NVLS_ENABLE=0", "NCCL_ALGO=Ring", "NCCL_ALGO=Tree", "NCCL_NET=Socket")
          .map(text -> NcclSettings.parse(text.isEmpty() ? List.of() : List.of(text)))
          .toList();

  private final JobEvaluator evaluator = new JobEvaluator().remembering();
  private final Map<List<Object>, Machine> machines = new LinkedHashMap<>();
  private final List<String> differences = new ArrayList<>();

  private Machine machine(String name, NcclSettings settings, NcclProfile profile) {
    return machines.computeIfAbsent(
        List.of(name, settings, profile),
        key ->
            new Machine(
                new TopologyReader(UnknownElements.REJECTED, profile)
                    .read(MACHINES.resolve(name + ".xml"), GpuSelection.ALL, new Diagnostics()),
                settings));
  }

  /**
   * Times and choices by call that the release has rules for; the reason alone if NCCL does not
   * start.
   */
  private Map<String, Double> answers(
      List<String> order, NcclSettings settings, NcclProfile profile) {
    Map<String, Double> answers = new TreeMap<>();
    try {
      Job job = new Job(order.stream().map(name -> machine(name, settings, profile)).toList());
      List<Call> calls =
          CALLS.stream()
              .filter(call -> call instanceof CollectiveCall || PeerPlanner.covers(profile))
              .toList();
      JobResult result = evaluator.evaluate(JobRequest.of(job, profile, calls));
      result
          .predictions()
          .forEach(
              (call, prediction) -> {
                String choice =
                    call instanceof CollectiveCall collective
                        ? " " + result.communicator().tuner().decide(collective)
                        : "";
                boolean isByOrder =
                    order.size() > 2 && (choice.contains("TREE") || call.operation() == ALLTOALL);
                answers.put(
                    call + choice.replaceAll("timeUs=[^,\\]]*", ""),
                    isByOrder ? 1 : prediction.timeUs());
                if (job.isMixed()) {
                  assertTrue(prediction.spread().isEmpty(), order + " " + call);
                }
              });
    } catch (UnusableTopologyException | TopologyFormatException e) {
      answers.put("refused", 1.0);
    }
    return answers;
  }

  private void compare(
      List<String> order, List<String> other, NcclSettings settings, NcclProfile profile) {
    Map<String, Double> before = answers(order, settings, profile);
    Map<String, Double> after = answers(other, settings, profile);
    Stream.concat(before.keySet().stream(), after.keySet().stream())
        .distinct()
        .filter(
            call -> {
              double ratio =
                  before.getOrDefault(call, Double.NaN) / after.getOrDefault(call, Double.NaN);
              return !(ratio < TOLERANCE && 1 / ratio < TOLERANCE);
            })
        .forEach(
            call ->
                differences.add(
                    "%s %s %s %s: %s, %s"
                            .formatted(
                                order,
                                other,
                                settings.values(),
                                call,
                                before.get(call),
                                after.get(call))
                        + " "
                        + profile));
  }

  @Test
  void everyTwoMachinesHaveTheTimesOfTheOtherOrder() {
    for (String first : KINDS) {
      for (String second : KINDS.subList(0, KINDS.indexOf(first))) {
        compare(
            List.of(first, second),
            List.of(second, first),
            NcclSettings.DEFAULTS,
            NcclProfile.DEFAULT);
      }
    }
    assertEquals(List.of(), differences);
  }

  @Test
  void orderOfRandomNodesChangesNoTime() {
    int count = RandomCases.count(60, 600);
    for (int seed = 0; seed < count; seed++) {
      Random random = new Random(Long.getLong("test.seed", 1) + seed);
      List<String> order = new ArrayList<>();
      for (int node = 2 + random.nextInt(4); node > 0; node--) {
        order.add(KINDS.get(random.nextInt(KINDS.size())));
      }
      List<String> other = new ArrayList<>(order);
      Collections.shuffle(other, random);
      compare(
          order,
          other,
          SETTINGS.get(random.nextInt(SETTINGS.size())),
          RELEASES.get(random.nextInt(RELEASES.size())));
    }
    assertEquals(List.of(), differences);
  }

  private static String predict(String... nodes) {
    List<String> words = new ArrayList<>(List.of("predict", "--collective=all_reduce"));
    Stream.of(nodes).forEach(node -> words.add("--node=" + MACHINES.resolve(node + ".xml")));
    words.add("--sizes=16M");
    return CliRun.of(words.toArray(String[]::new)).toString();
  }

  /** {@link Job#first} is the only way to one machine of a job by its place. */
  @Test
  void noSourceTakesAMachineOfAJobByItsPlace() throws IOException {
    Pattern byPlace =
        Pattern.compile(
            "(?<!spec)[.]machines\\(\\)\\s*[.](get\\(0\\)(?![.]get)|getFirst|iterator|stream\\(\\)\\s*[.]find)"
                + "|nvls\\(\\)[.]channels\\(0\\)|[.]localRanks\\(0\\)");
    try (Stream<Path> files = Files.walk(MACHINES.getParent())) {
      List<String> found = new ArrayList<>();
      for (Path file :
          files
              .filter(file -> file.toString().matches(".*/src/main/java/.*[.]java"))
              .sorted()
              .toList()) {
        byPlace
            .matcher(Files.readString(file))
            .results()
            .forEach(hit -> found.add(file + ": " + hit.group()));
      }
      assertEquals(List.of(), found);
    }
  }

  @Test
  void answersSayThatMachinesDiffer() {
    String mixed = predict("hgx-b200", "dgx-h100");
    assertTrue(mixed.contains("mixed-machines: hgx-b200, dgx-h100"), mixed);
    assertTrue(predict("dgx-h100", "gh200-4").contains("cannot connect"), "RDMA and Slingshot");
  }
}

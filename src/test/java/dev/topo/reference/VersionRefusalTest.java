package dev.topo.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.model.fixture.Thorough;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.search.engine.GraphSearch;
import dev.topo.search.path.DomainFinder;
import dev.topo.search.tuning.Communicator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Machines that a version fails on are refused for the same reason. {@code
 * -Dtest.nccl=2.20.5,2.29.3} and {@code -Dtest.sets=own,public} narrow the run down.
 */
class VersionRefusalTest {
  private static final List<String> STAGES = List.of("paths", "n1", "n2", "n4");

  /** What a reason says, and what a refusal for it says. */
  private static final Map<String, String> REFUSALS =
      Map.of(
          "endless recursion", "endless recursion",
          // findLocalCpu goes back from a bridge below a bridge: the stack overflows.
          "segmentation fault", "endless recursion",
          "at most 32 links", "more than 32 links",
          "more than 8 NVLS heads", "8 NVLS heads",
          "could not find any local path from gpu to net", "no path to a network port");

  private static Stream<String> versions() {
    String versions = System.getProperty("test.nccl", "");
    return versions.isEmpty()
        ? ReferenceSets.versions().stream()
        : Arrays.stream(versions.split(",", -1));
  }

  @ParameterizedTest
  @MethodSource("versions")
  void machinesWithoutAnAnswerAreRefused(String version) {
    List<String> unlike = new ArrayList<>();
    for (String set : System.getProperty("test.sets", "own,random").split(",", -1)) {
      for (ReferenceCase reference : ReferenceSets.ofVersion(version, set)) {
        String name = version + " " + set + "/" + reference.name();
        refusals(reference, name, unlike)
            .forEach(
                (refusal, stages) ->
                    Thorough.print(
                        "refused %s %s: %s".formatted(name, String.join(" ", stages), refusal)));
      }
    }
    assertEquals(List.of(), unlike);
  }

  /** The refusals of a machine with their stages; those for another reason go to a list, too. */
  private static Map<String, List<String>> refusals(
      ReferenceCase reference, String name, List<String> unlike) {
    Map<String, List<String>> refusals = new LinkedHashMap<>();
    for (String stage : STAGES) {
      Optional<String> reason = reason(reference, stage);
      if (reason.isPresent()) {
        String refusal = refusal(reference, stage);
        refusals.computeIfAbsent(refusal, text -> new ArrayList<>()).add(stage);
        if (!isFor(reason.get(), refusal)) {
          unlike.add("%s %s: %s but found: %s".formatted(name, stage, reason.get(), refusal));
        }
      }
    }
    return refusals;
  }

  /** Why there is no answer; where only a crash was seen, the reason names no stages. */
  private static Optional<String> reason(ReferenceCase reference, String stage) {
    return reference
        .skipped(stage)
        .or(
            () ->
                Optional.of("SKIPPED")
                    .filter(reference::has)
                    .map(reference::text)
                    .filter(text -> text.contains("segmentation fault")));
  }

  private static boolean isFor(String reason, String refusal) {
    return REFUSALS.entrySet().stream()
        .anyMatch(known -> reason.contains(known.getKey()) && refusal.contains(known.getValue()));
  }

  /** The message that a stage fails with, or that it does not. */
  private static String refusal(ReferenceCase reference, String stage) {
    try {
      answer(reference, stage);
      return "an answer";
    } catch (TopologyFormatException | UnusableTopologyException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static void answer(ReferenceCase reference, String stage) {
    Machine machine = new Machine(reference.topology(), NcclSettings.DEFAULTS);
    if (stage.equals("paths")) {
      DomainFinder.find(machine.topology(), machine.settings(), false, reference.profile());
    } else {
      int nodes = Integer.parseInt(stage.substring(1));
      Job job = Job.ofEqual(machine, nodes);
      Communicator.of(job, GraphSearch::findAll, reference.profile());
    }
  }
}

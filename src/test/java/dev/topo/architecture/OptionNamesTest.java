package dev.topo.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import dev.topo.model.io.SpecField;
import dev.topo.visualizer.view.OptionWords;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/**
 * The names of the options of {@code topo} are known to the commands, and below them to {@link
 * OptionWords} alone: other classes name what a question states.
 */
@AnalyzeClasses(packages = "dev.topo", importOptions = ArchitectureTest.MainClassesOnly.class)
class OptionNamesTest {
  private static final Pattern OPTION = Pattern.compile("--[a-z][a-z_-]*");

  /** Words of other tools that are options of topo as well: MPI's launchers have {@code --env}. */
  private static final Map<String, Set<String>> OF_OTHER_TOOLS =
      Map.of("dev.topo.simulator.diagnosis.LineKind", Set.of("--env"));

  /** What writes whole command lines of topo: to run next, or by which a page was made. */
  private static final Set<String> COMMAND_LINES =
      Set.of(
          "dev.topo.simulator.advice.Check",
          "dev.topo.simulator.diagnosis.Confirmation",
          "dev.topo.visualizer.hardware.LaunchTimeText",
          "dev.topo.visualizer.hardware.TakenMemoryText",
          "dev.topo.visualizer.serve.QuestionCommand",
          "dev.topo.visualizer.study.TrialCommand");

  /** Texts that still name an option in what is no error of a question; no class is added here. */
  private static final Set<String> HINTS =
      Set.of(
          "dev.topo.hw.probe.CaptureReader",
          "dev.topo.hw.run.LibraryLimits",
          "dev.topo.inspect.guest.GuestCpus",
          "dev.topo.inspect.lint.LinkRules",
          "dev.topo.inspect.lint.Subject",
          "dev.topo.inspect.measured.MeasuredRun",
          "dev.topo.search.explain.Alternatives",
          "dev.topo.search.explain.BuffersExplainer",
          "dev.topo.search.transfer.PeerPlanner",
          "dev.topo.simulator.diagnosis.JobDiagnosis",
          "dev.topo.simulator.evaluate.FabricCaveats",
          "dev.topo.simulator.evaluate.CommunicatorPredictions",
          "dev.topo.simulator.pair.HostPartition",
          "dev.topo.simulator.pair.PairCause");

  @ArchTest
  static void noOtherClassNamesAnOption(JavaClasses classes) throws IOException {
    Set<String> options = options(classes);
    assertTrue(options.contains("--nodes") && options.contains("--nvlink-domain"));
    Map<String, Set<String>> named = new TreeMap<>();
    for (JavaClass one : classes) {
      String owner = one.getName().replaceFirst("\\$.*", "");
      if (!one.getPackageName().startsWith("dev.topo.cli")
          && !owner.equals(OptionWords.class.getName())
          && !COMMAND_LINES.contains(owner)) {
        Set<String> found = new TreeSet<>(named(one));
        found.retainAll(options);
        found.removeAll(OF_OTHER_TOOLS.getOrDefault(owner, Set.of()));
        if (!found.isEmpty()) {
          named.computeIfAbsent(owner, key -> new TreeSet<>()).addAll(found);
        }
      }
    }
    assertEquals(HINTS, named.keySet(), named::toString);
  }

  @ArchTest
  static void eachFieldOfAQuestionIsStatedByAnOption(JavaClasses classes) {
    Set<String> options = options(classes);
    assertEquals(
        List.of(),
        Arrays.stream(SpecField.values())
            .filter(field -> !options.contains(OptionWords.of(field)))
            .toList());
  }

  private static Set<String> options(JavaClasses classes) {
    return classes.stream()
        .flatMap(one -> one.getFields().stream())
        .flatMap(field -> field.tryGetAnnotationOfType(Option.class).stream())
        .flatMap(option -> Arrays.stream(option.names()))
        .filter(name -> name.startsWith("--"))
        .collect(Collectors.toSet());
  }

  private static List<String> named(JavaClass one) throws IOException {
    return ClassConstants.of(one).strings().stream()
        .flatMap(text -> OPTION.matcher(text).results().map(MatchResult::group))
        .toList();
  }
}

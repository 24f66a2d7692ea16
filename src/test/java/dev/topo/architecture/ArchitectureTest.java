package dev.topo.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodReference;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.Job;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologyReader;
import dev.topo.search.topology.TopologySource;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.Prediction;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;

/**
 * Which module, package and library may know which. Change a rule in the same commit as the design.
 */
@AnalyzeClasses(packages = "dev.topo", importOptions = ArchitectureTest.MainClassesOnly.class)
class ArchitectureTest {
  /** The most packages of the product. */
  private static final int MOST_ROOMS = 60;

  /** Every package, in an order in which each knows earlier ones only. */
  private static final List<String> ROOMS =
      rooms(
          "model: io, ., graph, job, operation, xml, nic",
          "search: rules, topology, path, engine, connect, bound, transfer, tuning, kernel,"
              + " explain",
          "inspect: caveat, difference, edit, guest, lint, log, measured, trace",
          "simulator: calibration, timing, network, evaluate, memory, variant, packing, pair,"
              + " verdict, diagnosis, advice, workload, sweep",
          ": .",
          "hw: nvml, run, javacpp, sysfs, library, probe, foreign, verify",
          "visualizer: drawing, view, chart, structure, times, hardware, report, study, serve",
          "cli: help, terminal, option, .");

  private static List<String> rooms(String... floors) {
    List<String> rooms = new ArrayList<>();
    for (String floor : floors) {
      String[] parts = floor.split(": ");
      for (String room : parts[1].split(", ")) {
        rooms.add(
            "dev.topo"
                + (parts[0].isEmpty() ? "" : "." + parts[0])
                + (room.equals(".") ? "" : "." + room));
      }
    }
    return List.copyOf(rooms);
  }

  /** Leaves out tests, also those that lie in the test-jar of a module. */
  static final class MainClassesOnly implements ImportOption {
    @Override
    public boolean includes(Location location) {
      return !location.contains("/test-classes/") && !location.contains("-tests.jar");
    }
  }

  @ArchTest
  static void aPackageKnowsThoseBeforeItOnly(JavaClasses classes) {
    Set<String> wrong = new TreeSet<>();
    for (JavaClass one : classes) {
      int room = ROOMS.indexOf(one.getPackageName());
      one.getDirectDependenciesFromSelf().stream()
          .map(Dependency::getTargetClass)
          .filter(target -> target.getPackageName().startsWith("dev.topo"))
          .filter(target -> ROOMS.indexOf(target.getPackageName()) > room)
          .forEach(target -> wrong.add(one.getName() + " knows " + target.getName()));
    }
    assertEquals(Set.of(), wrong);
  }

  @ArchTest
  static void theListHasEveryPackage(JavaClasses classes) {
    Set<String> packages =
        classes.stream().map(JavaClass::getPackageName).collect(Collectors.toSet());
    assertEquals(new TreeSet<>(ROOMS), new TreeSet<>(packages));
    assertTrue(ROOMS.size() <= MOST_ROOMS, ROOMS.size() + " packages");
  }

  @ArchTest
  static void noPackageAndNoClassIsNamedLikeAnother(JavaClasses classes) {
    assertNoneTwice(ROOMS.stream().map(room -> room.substring(room.lastIndexOf('.') + 1)));
    assertNoneTwice(
        classes.stream()
            .filter(one -> one.getEnclosingClass().isEmpty())
            .map(JavaClass::getSimpleName)
            .filter(name -> !name.equals("package-info")));
  }

  private static void assertNoneTwice(Stream<String> names) {
    Set<String> seen = new HashSet<>();
    Set<String> twice = new TreeSet<>();
    names.filter(name -> !seen.add(name)).forEach(twice::add);
    assertEquals(Set.of(), twice);
  }

  /** The compiler accepts a reference to a method whose result is not public; the JVM does not. */
  @ArchTest
  static void aMethodReferenceHasTypesThatItsPackageMayUse(JavaClasses classes) {
    Set<String> wrong = new TreeSet<>();
    for (JavaClass one : classes) {
      for (JavaMethodReference reference : one.getMethodReferencesFromSelf()) {
        JavaClass result = reference.getTarget().getRawReturnType();
        if (!result.getPackageName().equals(one.getPackageName())
            && result.getPackageName().startsWith("dev.topo")
            && !result.getModifiers().contains(JavaModifier.PUBLIC)) {
          wrong.add(reference.getDescription());
        }
      }
    }
    assertEquals(Set.of(), wrong);
  }

  /** What reads a machine or runs NCCL on it knows no model of NCCL; verify compares both. */
  @ArchTest
  static final ArchRule theHardwareKnowsTheModelOnly =
      classes()
          .that()
          .resideInAPackage("dev.topo.hw..")
          .and()
          .resideOutsideOfPackage("dev.topo.hw.verify")
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage("dev.topo.hw..", "dev.topo.model..")
                  .or(DescribedPredicate.not(resideInAPackage("dev.topo.."))));

  /** A host without fonts can draw SVG, and drawing SVG does not wait for AWT to load. */
  @ArchTest
  static final ArchRule awtIsForPngAndChartsOnly =
      onlyUsedIn(
          new String[] {"java.awt..", "javax.imageio..", "javax.swing.."},
          "dev.topo.visualizer.chart");

  @ArchTest
  static final ArchRule chartLibrariesStayInOnePackage =
      onlyUsedIn(
          new String[] {"org.jfree..", "org.apache.batik..", "org.apache.xmlgraphics.."},
          "dev.topo.visualizer.chart");

  /** The worker is started as a process, so that nothing native is loaded into the command. */
  @ArchTest
  static final ArchRule nativeRunsStayInTheWorker =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.topo.hw.javacpp")
          .should()
          .dependOnClassesThat(
              resideInAPackage("dev.topo.hw.javacpp")
                  .and(DescribedPredicate.not(simpleName("WorkerMain"))));

  /** Only what asks for graphs knows the search: the tuner takes graphs as they are. */
  @ArchTest
  static final ArchRule theTunerDoesNotSearch =
      noClasses()
          .that()
          .resideInAPackage("dev.topo.search.tuning")
          .and()
          .doNotHaveSimpleName("Communicator")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("dev.topo.search.engine");

  /**
   * Results of runs and traces of jobs are JSON that others write, topologies of other tools are
   * XML: one package reads each.
   */
  @ArchTest
  static final ArchRule xmlAndJsonLibrariesStayAtTheEdges =
      onlyUsedIn(
          new String[] {
            "tools.jackson..",
            "com.fasterxml..",
            "com.ctc.wstx..",
            "org.codehaus.stax2..",
            "javax.xml.."
          },
          "dev.topo.model.xml",
          "dev.topo.hw.foreign",
          "dev.topo.visualizer.chart",
          "dev.topo.hw.run",
          "dev.topo.inspect.measured",
          "dev.topo.inspect.trace",
          "dev.topo.simulator.sweep",
          "dev.topo.visualizer.view");

  @ArchTest
  static final ArchRule csvIsForOutputsAndMeasurements =
      onlyUsedIn(
          new String[] {"org.apache.commons.csv.."},
          "dev.topo.visualizer.view",
          "dev.topo.simulator.calibration",
          "dev.topo.simulator.sweep",
          "dev.topo.inspect.trace",
          "dev.topo.inspect.measured");

  /**
   * The search works on arrays; where a user waits for a comparison or a reason, libraries do. The
   * front door has a view, on which users of the library compute what else they want.
   */
  @ArchTest
  static final ArchRule jgraphtIsForViewsBoundsAndMatching =
      onlyUsedIn(
          new String[] {"org.jgrapht.."},
          "dev.topo.search.bound",
          "dev.topo.inspect.difference",
          "dev.topo.simulator.pair",
          "dev.topo");

  /**
   * {@code topo search} does not load JGraphT, and no choice of NCCL follows from a bound: only
   * explanations, advice and predictions, which show them, ask for bounds. The raw rate of a link
   * is for all.
   */
  @ArchTest
  static final ArchRule boundsAreForExplanationsAdviceAndPredictionsOnly =
      noClasses()
          .that()
          .resideOutsideOfPackages(
              "dev.topo.search.bound",
              "dev.topo.search.explain",
              "dev.topo.simulator.evaluate",
              "dev.topo.simulator.verdict",
              "dev.topo.simulator.packing",
              "dev.topo.simulator.advice",
              "dev.topo.simulator.diagnosis")
          .should()
          .dependOnClassesThat(
              resideInAPackage("dev.topo.search.bound").and(not(simpleName("LinkRates"))));

  @ArchTest
  static final ArchRule nativeBindingsStayBehindTheirInterface =
      onlyUsedIn(new String[] {"org.bytedeco.."}, "dev.topo.hw.nvml", "dev.topo.hw.javacpp");

  /** What finds out what would be loaded must not load it. */
  @ArchTest
  static final ArchRule whatReadsLibrariesLoadsNone =
      noClasses()
          .that()
          .resideInAnyPackage("dev.topo.hw.library", "dev.topo.hw.sysfs")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.topo.hw.nvml", "dev.topo.hw.javacpp")
          .orShould()
          .callMethod(System.class, "load", String.class)
          .orShould()
          .callMethod(System.class, "loadLibrary", String.class);

  @ArchTest
  static final ArchRule archivesAreForCaptures =
      onlyUsedIn(new String[] {"org.apache.commons.compress.."}, "dev.topo.hw.probe");

  @ArchTest
  static final ArchRule protocolBuffersAreForTheirPackage =
      onlyUsedIn(new String[] {"com.google.protobuf.."}, "dev.topo.inspect.trace");

  @ArchTest
  static final ArchRule medianAndQuantileHaveOneDefinition =
      onlyUsedIn(new String[] {"org.apache.commons.statistics.."}, "dev.topo.model");

  @ArchTest
  static final ArchRule matricesAreForCalibrations =
      onlyUsedIn(
          new String[] {"org.ejml.."},
          "dev.topo.simulator.calibration",
          "dev.topo.simulator.verdict");

  @ArchTest
  static final ArchRule differencesOfLinesAreForLint =
      onlyUsedIn(new String[] {"com.github.difflib.."}, "dev.topo.inspect.lint");

  @ArchTest
  static final ArchRule picocliIsForTheCommand =
      onlyUsedIn(new String[] {"picocli.."}, "dev.topo.cli..");

  @ArchTest
  static final ArchRule onlyTheStreamsOfTheCommandWriteToTheStreamsOfTheProcess =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.topo.cli.terminal")
          .should()
          .accessField(System.class, "out")
          .orShould()
          .accessField(System.class, "err");

  @ArchTest
  static final ArchRule onlyAMainEndsTheProcess =
      noClasses()
          .that()
          .doNotHaveSimpleName("Main")
          .and()
          .doNotHaveSimpleName("WorkerMain")
          .should()
          .callMethod(System.class, "exit", int.class)
          .orShould()
          .callMethod(Runtime.class, "exit", int.class)
          .orShould()
          .callMethod(Runtime.class, "halt", int.class);

  @ArchTest
  static final ArchRule onlyTheCommandReadsTheEnvironment =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.topo.cli..")
          .should()
          .callMethodWhere(target(name("getenv")).and(target(owner(name(System.class.getName())))));

  /**
   * So that every question takes the same path: each of a command from its evaluator, each of a
   * user of the library from that of the front door.
   */
  @ArchTest
  static final ArchRule theFrontDoorsConstructTheOnlyEvaluators =
      noClasses()
          .that()
          .doNotHaveFullyQualifiedName("dev.topo.cli.TopoCommand")
          .and()
          .doNotHaveFullyQualifiedName("dev.topo.Topo")
          .and()
          .doNotHaveFullyQualifiedName(JobEvaluator.class.getName())
          .should()
          .callConstructorWhere(target(owner(name(JobEvaluator.class.getName()))));

  /**
   * What a command reads and is made by is passed on; a thread would hand it to the next command.
   */
  @ArchTest
  static final ArchRule nothingBelongsToAThread =
      noClasses()
          .should()
          .dependOnClassesThat(
              DescribedPredicate.describe(
                  "are thread-locals", (JavaClass one) -> one.isAssignableTo(ThreadLocal.class)));

  /**
   * So that every file which a command reads is known to it; a user of the library, who has no
   * command, has others: those of the front door, which passes them on, or of a shortcut.
   */
  @ArchTest
  static final ArchRule theFrontDoorsMakeTheOnlyInputs =
      noClasses()
          .that()
          .doNotHaveFullyQualifiedName("dev.topo.cli.TopoCommand")
          .and()
          .doNotHaveFullyQualifiedName("dev.topo.Topo")
          .and()
          .doNotHaveFullyQualifiedName(JobEvaluator.class.getName())
          .and()
          .doNotHaveFullyQualifiedName("dev.topo.search.connect.Connection")
          .and()
          .doNotHaveFullyQualifiedName("dev.topo.search.topology.TopologyReader")
          .should()
          .callConstructorWhere(target(owner(name(Inputs.class.getName()))));

  /** So that files are read once, and each place says what becomes of unknown elements. */
  @ArchTest
  static final ArchRule onePlaceBuildsTopologies =
      noClasses()
          .that()
          .doNotHaveFullyQualifiedName(TopologySource.class.getName())
          .and()
          .doNotHaveFullyQualifiedName(TopologyReader.class.getName())
          .should()
          .callConstructorWhere(target(owner(name(TopologyReader.class.getName()))));

  /** The rules of a request are those that its topologies were built by, never the default. */
  @ArchTest
  static final ArchRule everyRequestNamesItsRules =
      noClasses()
          .that()
          .doNotHaveFullyQualifiedName(JobRequest.class.getName())
          .should()
          .callMethod(JobRequest.class, "of", Job.class, List.class);

  /** Where no release is named, the command or a library user decides; nothing else picks one. */
  @ArchTest
  static final ArchRule theDefaultRulesArePickedAtTheEdges =
      noClasses()
          .that()
          .resideOutsideOfPackages("dev.topo.cli..", "dev.topo.search..")
          .and()
          .doNotHaveFullyQualifiedName("dev.topo.search.tuning.Communicator")
          .and()
          .doNotHaveFullyQualifiedName("dev.topo.simulator.evaluate.JobRequest")
          .and()
          .doNotHaveFullyQualifiedName("dev.topo.inspect.lint.Linter")
          .and()
          .doNotHaveFullyQualifiedName("dev.topo.inspect.lint.RuleCatalogue")
          .should()
          .accessField(NcclProfile.class, "DEFAULT");

  @ArchTest
  static final ArchRule namesSayWhatAClassIs =
      noClasses()
          .should()
          .haveSimpleNameEndingWith("Util")
          .orShould()
          .haveSimpleNameEndingWith("Utils")
          .orShould()
          .haveSimpleNameEndingWith("Helper")
          .orShould()
          .haveSimpleNameEndingWith("Manager")
          .orShould()
          .haveSimpleNameEndingWith("Base")
          .orShould()
          .haveSimpleNameEndingWith("Impl");

  /**
   * Packages that compare predictions with each other; with measurements, {@code verdict}, {@code
   * diagnosis} and {@code pair} compare them, by the noise of these.
   */
  private static final Set<String> COMPARING =
      Set.of(
          "dev.topo",
          "dev.topo.cli",
          "dev.topo.hw.verify",
          "dev.topo.simulator.evaluate",
          "dev.topo.simulator.variant",
          "dev.topo.simulator.advice",
          "dev.topo.simulator.workload",
          "dev.topo.simulator.sweep",
          "dev.topo.visualizer.structure",
          "dev.topo.visualizer.times",
          "dev.topo.visualizer.report",
          "dev.topo.visualizer.study",
          "dev.topo.visualizer.serve");

  /** Their classes with a small part of a number, and the question that it answers. */
  private static final Map<String, String> SMALL_PARTS =
      Map.ofEntries(
          Map.entry("TimeChange", "what is no change of a time"),
          Map.entry("PredictedCall", "which other choice is recommended"),
          Map.entry("MeasuredChoices", "the same by measured times"),
          Map.entry("NetworkPredictor", "which part of a rate a network reaches"),
          Map.entry("GraphImprover", "which gain a graph file is worth"),
          Map.entry("LinkShare", "which links are full"),
          Map.entry("PlanFinder", "which gain more work is worth"),
          Map.entry("WorkloadAdviser", "the same for a traced job"),
          Map.entry("TraceMerger", "which calls overlap with computation"),
          Map.entry("UpgradePoint", "how the logarithm of no bandwidth is avoided"),
          Map.entry("BusbwWords", "in how many digits a change is shown"),
          Map.entry("MemoryReport", "which steps have no row of their own"),
          Map.entry("TimelineDrawing", "how short a bar may be"));

  /** So that no command calls a change what another calls none. */
  @ArchTest
  static void oneClassSaysWhichChangeOfATimeIsNone(JavaClasses classes) throws IOException {
    Set<String> found = new TreeSet<>();
    for (JavaClass one : classes) {
      if (COMPARING.contains(one.getPackageName())
          && ClassConstants.of(one).doubles().stream().anyMatch(ArchitectureTest::isSmallPart)) {
        found.add(one.getName().replaceAll(".*\\.|\\$.*", ""));
      }
    }
    assertEquals(
        new TreeSet<>(SMALL_PARTS.keySet()), found, "a change of a time is none by TimeChange");
  }

  /** A part, or a factor that is one more or one less: 0.02, 1.02, 0.98. */
  private static boolean isSmallPart(double number) {
    double part = Math.min(Math.abs(number), Math.abs(number - 1));
    return part > 1e-6 && part <= 0.05;
  }

  /** So that no command compares two times that another calls not comparable. */
  @ArchTest
  static final ArchRule oneClassSaysWhichTimesAreComparable =
      noClasses()
          .that()
          .resideInAnyPackage(
              "dev.topo",
              "dev.topo.cli..",
              "dev.topo.visualizer..",
              "dev.topo.simulator.variant",
              "dev.topo.simulator.sweep")
          .and()
          .doNotHaveSimpleName("UpgradeResult") // whether a caveat applies
          .should()
          .callMethod(Prediction.Source.class, "predictsTimes");

  @ArchTest
  static void everyPackageIsNullMarked(JavaClasses classes) {
    List<String> unmarked =
        classes.stream()
            .map(JavaClass::getPackage)
            .distinct()
            .filter(javaPackage -> !javaPackage.isAnnotatedWith(NullMarked.class))
            .map(JavaPackage::getName)
            .sorted()
            .toList();
    assertEquals(List.of(), unmarked, "packages whose package-info lacks @NullMarked");
  }

  /** The rules above would hold for nothing, too. */
  @ArchTest
  static void theRulesSeeTheClassesOfEveryModuleAndNoTests(JavaClasses classes) {
    for (String seen :
        List.of(
            "dev.topo.model.Topology",
            "dev.topo.search.engine.ChannelEngine",
            "dev.topo.simulator.timing.TimingModel",
            "dev.topo.Topo",
            "dev.topo.visualizer.drawing.MachineLayout",
            "dev.topo.cli.terminal.Streams")) {
      assertEquals(1, classes.stream().filter(c -> c.getName().equals(seen)).count(), seen);
    }
    assertEquals(
        List.of(),
        classes.stream()
            .map(JavaClass::getSimpleName)
            .filter(simpleName -> simpleName.endsWith("Test"))
            .toList());
  }

  private static ArchRule onlyUsedIn(String[] library, String... users) {
    return noClasses()
        .that()
        .resideOutsideOfPackages(users)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(library);
  }
}

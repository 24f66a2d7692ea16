package dev.topo.architecture;

import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.topo.search.rules.NcclProfile;
import java.util.List;
import org.jspecify.annotations.NullMarked;

/**
 * Which module, package and library may know which. Change a rule in the same commit as the design.
 */
@AnalyzeClasses(packages = "dev.topo", importOptions = ArchitectureTest.MainClassesOnly.class)
class ArchitectureTest {
  private static final String[] MODULES = {
    "model",
    "search",
    "tuning",
    "inspect",
    "measured",
    "simulator",
    "compare",
    "advice",
    "diagnose",
    "workload",
    "sweep",
    "probe",
    "run",
    "verify",
    "visualizer",
    "output",
    "cli"
  };

  /** Leaves out tests, also those that lie in the test-jar of a module. */
  static final class MainClassesOnly implements ImportOption {
    @Override
    public boolean includes(Location location) {
      return !location.contains("/test-classes/") && !location.contains("-tests.jar");
    }
  }

  @ArchTest
  static final ArchRule modelKnowsNoOtherModule = onlyKnown("dev.topo.model..", "dev.topo.model..");

  @ArchTest
  static final ArchRule searchKnowsTheModelOnly =
      onlyKnown("dev.topo.search..", "dev.topo.search..", "dev.topo.model..");

  @ArchTest
  static final ArchRule tuningKnowsModelAndSearchOnly =
      onlyKnown("dev.topo.tuning..", "dev.topo.tuning..", "dev.topo.search..", "dev.topo.model..");

  @ArchTest
  static final ArchRule inspectKnowsModelSearchAndTuningOnly =
      onlyKnown(
          "dev.topo.inspect..",
          "dev.topo.inspect..",
          "dev.topo.tuning..",
          "dev.topo.search..",
          "dev.topo.model..");

  @ArchTest
  static final ArchRule measurementsKnowModelSearchTuningAndInspectOnly =
      onlyKnown(
          "dev.topo.measured..",
          "dev.topo.measured..",
          "dev.topo.inspect..",
          "dev.topo.tuning..",
          "dev.topo.search..",
          "dev.topo.model..");

  @ArchTest
  static final ArchRule theSimulatorKnowsMeasurementsAndWhatIsBelowThem =
      onlyKnown(
          "dev.topo.simulator..",
          "dev.topo.simulator..",
          "dev.topo.measured..",
          "dev.topo.inspect..",
          "dev.topo.tuning..",
          "dev.topo.search..",
          "dev.topo.model..");

  @ArchTest
  static final ArchRule comparisonsKnowTheSimulatorAndWhatIsBelowIt =
      onlyKnown(
          "dev.topo.compare..",
          "dev.topo.compare..",
          "dev.topo.simulator..",
          "dev.topo.measured..",
          "dev.topo.inspect..",
          "dev.topo.tuning..",
          "dev.topo.search..",
          "dev.topo.model..");

  @ArchTest
  static final ArchRule adviceKnowsTheSimulatorAndWhatIsBelowIt =
      onlyKnown(
          "dev.topo.advice..",
          "dev.topo.advice..",
          "dev.topo.simulator..",
          "dev.topo.measured..",
          "dev.topo.inspect..",
          "dev.topo.tuning..",
          "dev.topo.search..",
          "dev.topo.model..");

  @ArchTest
  static final ArchRule diagnosisKnowsAdviceTheSimulatorAndWhatIsBelowIt =
      onlyKnown(
          "dev.topo.diagnose..",
          "dev.topo.diagnose..",
          "dev.topo.advice..",
          "dev.topo.simulator..",
          "dev.topo.measured..",
          "dev.topo.inspect..",
          "dev.topo.tuning..",
          "dev.topo.search..",
          "dev.topo.model..");

  @ArchTest
  static final ArchRule aWorkloadKnowsAdviceTheSimulatorAndWhatIsBelowIt =
      onlyKnown(
          "dev.topo.workload..",
          "dev.topo.workload..",
          "dev.topo.advice..",
          "dev.topo.simulator..",
          "dev.topo.measured..",
          "dev.topo.inspect..",
          "dev.topo.tuning..",
          "dev.topo.search..",
          "dev.topo.model..");

  @ArchTest
  static final ArchRule aSweepKnowsTheWorkloadAndWhatIsBelowIt =
      onlyKnown(
          "dev.topo.sweep..",
          "dev.topo.sweep..",
          "dev.topo.workload..",
          "dev.topo.simulator..",
          "dev.topo.inspect..",
          "dev.topo.tuning..",
          "dev.topo.search..",
          "dev.topo.model..");

  @ArchTest
  static final ArchRule verifyKnowsEverythingButTheProbePicturesAndTheCommand =
      onlyKnown(
          "dev.topo.verify..",
          "dev.topo.verify..",
          "dev.topo.run..",
          "dev.topo.workload..",
          "dev.topo.advice..",
          "dev.topo.simulator..",
          "dev.topo.measured..",
          "dev.topo.inspect..",
          "dev.topo.tuning..",
          "dev.topo.search..",
          "dev.topo.model..");

  @ArchTest
  static final ArchRule theVisualizerKnowsResultsOnly =
      onlyKnown(
          "dev.topo.visualizer..",
          "dev.topo.visualizer..",
          "dev.topo.sweep..",
          "dev.topo.workload..",
          "dev.topo.diagnose..",
          "dev.topo.advice..",
          "dev.topo.compare..",
          "dev.topo.simulator..",
          "dev.topo.measured..",
          "dev.topo.inspect..",
          "dev.topo.tuning..",
          "dev.topo.search..",
          "dev.topo.model..");

  @ArchTest
  static final ArchRule theOutputKnowsEverythingButPicturesAndTheCommand =
      noClasses()
          .that()
          .resideInAPackage("dev.topo.output..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.topo.visualizer..", "dev.topo.cli..");

  /** A host without fonts can draw SVG, and drawing SVG does not wait for AWT to load. */
  @ArchTest
  static final ArchRule awtIsForPngAndChartsOnly =
      onlyUsedIn(
          new String[] {"java.awt..", "javax.imageio..", "javax.swing.."},
          "dev.topo.visualizer.png..",
          "dev.topo.visualizer.jfree..");

  /** What writes a page knows of tables, not of machines. */
  @ArchTest
  static final ArchRule htmlKnowsPlainTextOnly =
      onlyKnown(
          "dev.topo.visualizer.html..",
          "dev.topo.visualizer.html..",
          "dev.topo.model.diagnostic..");

  @ArchTest
  static final ArchRule chartLibrariesStayInOnePackage =
      onlyUsedIn(
          new String[] {"org.jfree..", "org.apache.batik..", "org.apache.xmlgraphics.."},
          "dev.topo.visualizer.jfree..");

  @ArchTest
  static final ArchRule theProbeKnowsTheModelOnly =
      onlyKnown("dev.topo.probe..", "dev.topo.probe..", "dev.topo.model..");

  @ArchTest
  static final ArchRule runningKnowsTheModelOnly =
      onlyKnown("dev.topo.run..", "dev.topo.run..", "dev.topo.model..");

  /** The worker is started as a process, so that nothing native is loaded into the command. */
  @ArchTest
  static final ArchRule nativeRunsStayInTheWorker =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.topo.run.javacpp..")
          .should()
          .dependOnClassesThat(
              resideInAPackage("dev.topo.run.javacpp..")
                  .and(DescribedPredicate.not(simpleName("WorkerMain"))));

  @ArchTest
  static final ArchRule nothingKnowsTheCommand =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.topo.cli..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("dev.topo.cli..");

  @ArchTest
  static final ArchRule theEngineIsUsedThroughTheSearchOnly =
      noClasses()
          .that()
          .resideOutsideOfPackages("dev.topo.search.graph..", "dev.topo.search.engine..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("dev.topo.search.engine..");

  @ArchTest
  static final ArchRule theTunerKnowsNeitherEngineNorConnection =
      noClasses()
          .that()
          .resideInAPackage("dev.topo.tuning")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.topo.search.engine..", "dev.topo.search.connect..")
          .allowEmptyShould(true);

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
          "dev.topo.model.xml..",
          "dev.topo.probe.foreign..",
          "dev.topo.visualizer.jfree..",
          "dev.topo.run.worker..",
          "dev.topo.measured..",
          "dev.topo.workload.trace..",
          "dev.topo.sweep.yaml..",
          "dev.topo.sweep.result..",
          "dev.topo.output..");

  @ArchTest
  static final ArchRule csvIsForOutputsAndMeasurements =
      onlyUsedIn(
          new String[] {"org.apache.commons.csv.."},
          "dev.topo.output..",
          "dev.topo.simulator.calibration..",
          "dev.topo.workload.trace..",
          "dev.topo.sweep.result..",
          "dev.topo.measured..");

  /** The search works on arrays; where a user waits for a comparison or a reason, libraries do. */
  @ArchTest
  static final ArchRule jgraphtIsForViewsBoundsAndMatching =
      onlyUsedIn(
          new String[] {"org.jgrapht.."},
          "dev.topo.tuning.bound..",
          "dev.topo.inspect.matching..",
          "dev.topo.diagnose.pair..");

  /**
   * {@code topo search} does not load JGraphT, and no choice of NCCL follows from a bound: only
   * explanations and advice ask for bounds, what shows them, and predictions, which are not to be
   * below them.
   */
  @ArchTest
  static final ArchRule boundsAreForExplanationsAdviceAndPredictionsOnly =
      noClasses()
          .that()
          .resideOutsideOfPackages(
              "dev.topo.tuning.bound..",
              "dev.topo.tuning.explain..",
              "dev.topo.simulator",
              "dev.topo.simulator.bound..",
              "dev.topo.advice..",
              "dev.topo.diagnose..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.topo.tuning.bound", "dev.topo.tuning.bound.job..");

  @ArchTest
  static final ArchRule nativeBindingsStayBehindTheirInterface =
      onlyUsedIn(
          new String[] {"org.bytedeco.."}, "dev.topo.probe.javacpp..", "dev.topo.run.javacpp..");

  /** What finds out what would be loaded must not load it. */
  @ArchTest
  static final ArchRule whatReadsLibrariesLoadsNone =
      noClasses()
          .that()
          .resideInAnyPackage(
              "dev.topo.probe.files..",
              "dev.topo.probe.elf..",
              "dev.topo.probe.loader..",
              "dev.topo.probe.library..",
              "dev.topo.probe.settings..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.topo.probe.javacpp..", "dev.topo.probe", "dev.topo.cli..")
          .orShould()
          .callMethod(System.class, "load", String.class)
          .orShould()
          .callMethod(System.class, "loadLibrary", String.class);

  @ArchTest
  static final ArchRule archivesAreForCaptures =
      onlyUsedIn(new String[] {"org.apache.commons.compress.."}, "dev.topo.probe.capture..");

  @ArchTest
  static final ArchRule protocolBuffersAreForTheirPackage =
      onlyUsedIn(new String[] {"com.google.protobuf.."}, "dev.topo.workload.protobuf..");

  @ArchTest
  static final ArchRule picocliIsForTheCommand =
      onlyUsedIn(new String[] {"picocli.."}, "dev.topo.cli..");

  @ArchTest
  static final ArchRule onlyTheStreamsOfTheCommandWriteToTheStreamsOfTheProcess =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.topo.cli.stream..")
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

  /** Where no release is named, the command or a library user decides; nothing else picks one. */
  @ArchTest
  static final ArchRule theDefaultRulesArePickedAtTheEdges =
      noClasses()
          .that()
          .resideOutsideOfPackages("dev.topo.cli..", "dev.topo.search..")
          .and()
          .doNotHaveFullyQualifiedName("dev.topo.tuning.communicator.Communicator")
          .and()
          .doNotHaveFullyQualifiedName("dev.topo.simulator.evaluate.JobEvaluator")
          .and()
          .doNotHaveFullyQualifiedName("dev.topo.inspect.lint.Linter")
          .and()
          .doNotHaveFullyQualifiedName("dev.topo.inspect.lint.finding.RuleCatalogue")
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

  @ArchTest
  static void packagesOfAModuleHaveNoCycles(JavaClasses classes) {
    for (String module : MODULES) {
      slices()
          .matching("dev.topo.(" + module + "..)")
          .should()
          .beFreeOfCycles()
          .allowEmptyShould(true)
          .check(classes);
    }
  }

  @ArchTest
  static final ArchRule modulesHaveNoCycles =
      slices().matching("dev.topo.(*)..").should().beFreeOfCycles();

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
            "dev.topo.visualizer.layout.MachineLayout",
            "dev.topo.cli.stream.Streams")) {
      assertEquals(1, classes.stream().filter(c -> c.getName().equals(seen)).count(), seen);
    }
    assertEquals(
        List.of(),
        classes.stream()
            .map(JavaClass::getSimpleName)
            .filter(simpleName -> simpleName.endsWith("Test"))
            .toList());
  }

  /** Classes of a module depend on given packages of ours and on anything that is not ours. */
  private static ArchRule onlyKnown(String module, String... known) {
    DescribedPredicate<JavaClass> foreign = DescribedPredicate.not(resideInAPackage("dev.topo.."));
    return classes()
        .that()
        .resideInAPackage(module)
        .should()
        .onlyDependOnClassesThat(resideInAnyPackage(known).or(foreign));
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

package dev.topo.visualizer.study;

import dev.topo.model.operation.Operation;
import dev.topo.search.kernel.Buffers;
import dev.topo.simulator.advice.CallChange;
import dev.topo.simulator.advice.Gain;
import dev.topo.simulator.advice.HowTo;
import dev.topo.simulator.advice.Permission;
import dev.topo.simulator.advice.Setup;
import dev.topo.simulator.workload.JobAdvice;
import dev.topo.simulator.workload.JobOption;
import dev.topo.simulator.workload.SiteChange;
import dev.topo.visualizer.study.WorkloadData.StepChange;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What is best for a job as a whole, as data: {@code options[]}, those that are advised first. */
record JobAdviceData(List<String> may, List<Option> options, List<String> caveats) {
  private record Option(
      boolean advised,
      String title,
      List<String> settings,
      double gainPercent,
      double gainLowPercent,
      double gainHighPercent,
      StepChange after,
      int moreCtas,
      boolean takesFromComputation,
      long unknownKinds,
      List<Call> calls) {}

  private record Call(
      String group,
      int groups,
      Optional<Operation> collective,
      long bytes,
      long count,
      String by,
      int ctas,
      String byAfter,
      int ctasAfter,
      boolean tuner,
      String buffers,
      double gainPercent,
      double gainLowPercent,
      double gainHighPercent) {}

  static JobAdviceData of(JobAdvice ofGroups) {
    JobAdvice advice = ofGroups.ofGroupKinds();
    return new JobAdviceData(
        Stream.of(Permission.values())
            .filter(advice.may()::contains)
            .map(Permission::label)
            .toList(),
        advice.options().stream().map(JobAdviceData::option).toList(),
        advice.notes());
  }

  private static Option option(JobOption option) {
    Gain gain = option.gain();
    return new Option(
        option.isAdvised(),
        JobAdviceText.title(option),
        HowTo.settings(new Setup(option.settings(), Buffers.PLAIN)).stream()
            .map(one -> one.text())
            .toList(),
        gain.percent(),
        gain.leastPercent(),
        gain.mostPercent(),
        StepChange.of(option.step()),
        Math.max(0, option.moreCtas()),
        option.takesFromComputation(),
        option.unknown(),
        option.changed().stream().map(JobAdviceData::call).toList());
  }

  private static Call call(SiteChange site) {
    CallChange change = site.change().orElseThrow();
    Gain gain = site.gain();
    return new Call(
        site.site().kind().group().title(),
        site.site().groups(),
        site.site().kind().operation(),
        site.site().kind().bytes(),
        site.site().count(),
        change.now().by(),
        change.now().ctas(),
        change.then().by(),
        change.then().ctas(),
        change.then().forced().isPresent(),
        change.then().setup().buffers().label(),
        gain.percent(),
        gain.leastPercent(),
        gain.mostPercent());
  }
}

package dev.topo.visualizer.study;

import dev.topo.search.kernel.CallPaths.Buffers;
import dev.topo.simulator.advice.CallChange;
import dev.topo.simulator.advice.Gain;
import dev.topo.simulator.advice.HowTo;
import dev.topo.simulator.advice.Setup;
import dev.topo.simulator.workload.JobAdvice;
import dev.topo.simulator.workload.JobOption;
import dev.topo.simulator.workload.SiteChange;
import dev.topo.visualizer.view.Fields;

/** Advice for a job as a whole, as data: {@code options[]}, those that are advised first. */
final class JobAdviceData {
  private static final Fields<Gain> GAIN =
      Fields.of(Gain.class)
          .field("gainPercent", Gain::percent)
          .field("gainLowPercent", Gain::leastPercent)
          .field("gainHighPercent", Gain::mostPercent);

  private static final Fields<SiteChange> CALL =
      Fields.of(SiteChange.class)
          .field("group", site -> site.site().kind().group().title())
          .field("groups", site -> site.site().groups())
          .field("collective", site -> site.site().kind().operation())
          .field("bytes", site -> site.site().kind().bytes())
          .field("count", site -> site.site().count())
          .field("by", site -> change(site).now().launchName())
          .field("ctas", site -> change(site).now().ctas())
          .field("byAfter", site -> change(site).then().launchName())
          .field("ctasAfter", site -> change(site).then().ctas())
          .field("tuner", site -> change(site).then().forced().isPresent())
          .field("buffers", site -> change(site).then().setup().buffers().label())
          .including(SiteChange::gain, GAIN);

  private static final Fields<JobOption> OPTION =
      Fields.of(JobOption.class)
          .field("advised", JobOption::isAdvised)
          .field("title", JobAdviceText::title)
          .field(
              "settings",
              option ->
                  HowTo.settings(new Setup(option.settings(), Buffers.PLAIN)).stream()
                      .map(instruction -> instruction.text())
                      .toList())
          .including(JobOption::gain, GAIN)
          .field("after", JobOption::step)
          .field("moreCtas", option -> Math.max(0, option.moreCtas()))
          .field("takesFromComputation", JobOption::takesFromComputation)
          .field("unknownKinds", JobOption::unknown)
          .list("calls", JobOption::changed, CALL);

  static final Fields<JobAdvice> FIELDS =
      Fields.of(JobAdvice.class)
          .field("may", advice -> AdviceData.labels(advice.may()))
          .list("options", JobAdvice::options, OPTION)
          .field("caveats", JobAdvice::notes)
          .formerly("notes");

  private JobAdviceData() {}

  private static CallChange change(SiteChange site) {
    return site.change().orElseThrow();
  }
}

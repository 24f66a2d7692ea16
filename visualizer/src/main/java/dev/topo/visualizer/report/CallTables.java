package dev.topo.visualizer.report;

import dev.topo.inspect.trace.CallKind;
import dev.topo.inspect.trace.CallKind.LaunchSize;
import dev.topo.inspect.trace.ProcessGroup;
import dev.topo.model.QuantityFormat;
import dev.topo.simulator.workload.CallSite;
import dev.topo.simulator.workload.Expected;
import dev.topo.simulator.workload.GroupSpread;
import dev.topo.simulator.workload.SiteComparison;
import dev.topo.simulator.workload.SiteTitles;
import dev.topo.simulator.workload.WorkloadChange;
import dev.topo.simulator.workload.WorkloadChange.ChangedCall;
import dev.topo.simulator.workload.WorkloadChange.StepTime;
import dev.topo.simulator.workload.WorkloadComparison;
import dev.topo.visualizer.view.DataTable;
import dev.topo.visualizer.view.Element;
import dev.topo.visualizer.view.OptionWords.Hint;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** Tables of the calls of a job: by call site, the slowest ones, and after a change. */
final class CallTables {
  private static final int MAX_SITES = 200;
  private static final int MAX_SLOWEST = 15;
  private static final String NONE = "–";

  private CallTables() {}

  private static DataTable ofCalls(String caption) {
    return new DataTable(caption).texts("call").numbers("size").texts("group").numbers("count");
  }

  private static Element size(CallKind kind) {
    return DataTable.size(kind.bytes());
  }

  static String group(CallKind kind) {
    return group(kind.group()) + (kind.group().size() == 0 ? "" : " (" + kind.group().size() + ")");
  }

  /** The group of a call, with the number of such groups that make the call. */
  private static String groups(CallSite site) {
    return WorkloadWords.groups(group(site.kind()), site);
  }

  /**
   * The section on differences between groups of one kind; empty if each kind has a single group.
   */
  static Optional<Element> groups(WorkloadComparison ofGroups) {
    List<CallSite> calls = ofGroups.ofGroupKinds().calls();
    DataTable table =
        new DataTable("Groups of one kind, by the median of each")
            .texts("call")
            .numbers("size")
            .texts("groups", "first ranks")
            .numbers("median")
            .hinted("90 %", "of the groups")
            .numbers("slowest")
            .texts("its ranks", "remarks");
    SiteTitles titles = SiteTitles.of(calls);
    for (CallSite site : calls.subList(0, Math.min(MAX_SITES, calls.size()))) {
      GroupSpread.of(site)
          .ifPresent(
              spread ->
                  table.row(
                      titles.of(site) + " " + site.kind().dataType().label(),
                      size(site.kind()),
                      groups(site),
                      site.kind().group().rankText(),
                      DataTable.time(spread.medianUs()),
                      DataTable.time(spread.p90Us()),
                      DataTable.time(spread.slowestUs()),
                      spread.slowest().rankText(),
                      WorkloadWords.remark(spread)));
    }
    return calls.stream().anyMatch(site -> GroupSpread.of(site).isPresent())
        ? Optional.of(Element.section("groups", "Groups", table.element()))
        : Optional.empty();
  }

  /** The name of a group; kernels that were traced without one belong to an unknown group. */
  static String group(ProcessGroup group) {
    return group.title().isEmpty() ? "unknown group" : group.title();
  }

  /** The section with all call sites. */
  static Element sites(WorkloadComparison ofGroups) {
    WorkloadComparison comparison = ofGroups.ofGroupKinds();
    DataTable table =
        ofCalls("Calls by kind, the largest total first")
            .hinted("measured", "the median, without the first call of its kind")
            .hinted("spread", "from the fastest tenth to the slowest tenth of the calls")
            .hinted("expected", "where the call runs alone")
            .numbers("range")
            .hinted("ratio", "measured to expected")
            .texts("by")
            .hinted(
                "channels x threads", "of the kernel; what the model expects, where that differs")
            .hinted("exposed", "in all calls, while nothing else runs")
            .hinted("hidden", "in all calls, while computation runs")
            .texts("remarks");
    SiteTitles titles = SiteTitles.of(comparison.calls());
    comparison.sites().stream()
        .limit(MAX_SITES)
        .forEach(
            siteComparison ->
                row(table, titles, siteComparison, comparison.workload().hasExposure()));
    Element section =
        Element.section(
            "calls",
            "Calls",
            Element.paragraph(
                "Calls of one operation, size and group; those beside computation have a line of their own, as they are"
                    + " slower than expected of a call alone."),
            table.element());
    int more = comparison.sites().size() - MAX_SITES;
    return more > 0
        ? section.add(
            Element.paragraph(QuantityFormat.count(more, "kind") + " more: " + Hint.AS_TABLE + "."))
        : section;
  }

  private static void row(
      DataTable table, SiteTitles titles, SiteComparison comparison, boolean hasExposure) {
    CallSite site = comparison.site();
    CallKind kind = site.kind();
    Optional<Expected> expected = comparison.expected();
    OptionalDouble ratio = comparison.ratio();
    boolean isTimed = site.medianUs().isPresent();
    table.row(
        titles.of(site) + " " + kind.dataType().label(),
        size(kind),
        groups(site),
        site.count(),
        DataTable.time(site.medianUs()),
        isTimed
            ? DataTable.number(
                QuantityFormat.times(
                    site.quantileUs(0.1).orElse(0), site.quantileUs(0.9).orElse(0)),
                site.quantileUs(0.9).orElse(0) - site.quantileUs(0.1).orElse(0))
            : DataTable.none(),
        expected.map(time -> DataTable.time(time.timeUs())).orElse(DataTable.none()),
        expected.flatMap(WorkloadWords::range).orElse(NONE),
        ratio.isPresent() ? DataTable.decimal(ratio.getAsDouble(), 2) : DataTable.none(),
        expected.map(Expected::launchName).orElse(NONE),
        launch(comparison),
        hasExposure ? DataTable.time(site.exposedUs()) : DataTable.none(),
        hasExposure ? DataTable.time(site.totalUs() - site.exposedUs()) : DataTable.none(),
        String.join(", ", comparison.remarks()));
  }

  /**
   * The launched channels and threads; if they differ from the expected ones, both are shown and
   * marked.
   */
  private static Element launch(SiteComparison comparison) {
    Optional<LaunchSize> measured = comparison.site().shape();
    Optional<LaunchSize> expected = comparison.expected().map(Expected::shape);
    String text =
        measured
            .map(LaunchSize::label)
            .orElse(expected.map(size -> size.label() + " expected").orElse(NONE));
    int order = measured.or(() -> expected).map(LaunchSize::channels).orElse(0);
    if (comparison.isChoiceExpected().orElse(true)) {
      return DataTable.number(text, order);
    }
    Element cell = DataTable.number("", order);
    return cell.add(
        Element.of("mark", text + ", expected " + expected.map(LaunchSize::label).orElse(NONE)));
  }

  /** The section with the slowest calls; empty if no call has a time. */
  static Optional<Element> slowest(WorkloadSubject subject) {
    List<SiteComparison> slow =
        subject.comparison().ofGroupKinds().sites().stream()
            .filter(
                comparison ->
                    comparison.site().medianUs().isPresent() && comparison.site().count() > 1)
            .sorted(
                Comparator.comparingDouble((SiteComparison comparison) -> excess(comparison.site()))
                    .reversed())
            .limit(MAX_SLOWEST)
            .toList();
    DataTable table =
        ofCalls("The slowest call of a kind beside the others, the largest loss first")
            .numbers("slowest", "median", "longer by", "of expected")
            .texts("remarks");
    SiteTitles titles = SiteTitles.of(slow.stream().map(SiteComparison::site).toList());
    for (SiteComparison comparison : slow) {
      CallSite site = comparison.site();
      double slowest = site.quantileUs(1).orElse(0);
      table.row(
          titles.of(site) + " " + site.kind().dataType().label(),
          size(site.kind()),
          groups(site),
          site.count(),
          DataTable.time(slowest),
          DataTable.time(site.medianUs()),
          DataTable.time(excess(site)),
          comparison
              .expected()
              .map(expected -> DataTable.decimal(slowest / expected.timeUs(), 2))
              .orElse(DataTable.none()),
          String.join(", ", comparison.remarks()));
    }
    return slow.isEmpty()
        ? Optional.empty()
        : Optional.of(Element.section("slowest", "Slowest calls", table.element()));
  }

  private static double excess(CallSite site) {
    return site.quantileUs(1).orElse(0) - site.medianUs().orElse(0);
  }

  /** The section on a change with which NCCL refuses calls, so that the job has no time. */
  private static Element refused(WorkloadChange change) {
    Element section = Element.section("change", "With " + change.title());
    for (Map.Entry<String, Long> entry : change.refusals().entrySet()) {
      String kinds = QuantityFormat.count(entry.getValue(), "kind");
      section =
          section.add(Element.paragraph("%s (%s of calls).".formatted(entry.getKey(), kinds)));
    }
    return section.add(Element.paragraph("The job fails with it."));
  }

  /** The section on the effect of a change. */
  static Element change(WorkloadChange ofGroups) {
    WorkloadChange change = ofGroups.ofGroupKinds();
    if (!change.refusals().isEmpty()) {
      return refused(change);
    }
    StepTime before = change.stepBefore();
    StepTime after = change.stepAfter();
    String exposed =
        after.exposedUs().isPresent()
            ? "; exposed %s before, %s after"
                .formatted(
                    QuantityFormat.time(before.exposedUs().orElse(0)),
                    QuantityFormat.time(after.exposedUs().getAsDouble()))
            : "";
    Element section =
        Element.section(
            "change",
            "With " + change.title(),
            Element.paragraph(
                "Communication of %s: %s before, %s after (%s)%s."
                    .formatted(
                        WorkloadWords.whole(change.before().workload()),
                        QuantityFormat.time(before.communicationUs()),
                        QuantityFormat.time(after.communicationUs()),
                        QuantityFormat.times(after.lowUs(), after.highUs()),
                        exposed)));
    if (change.unknown() > 0) {
      section =
          section.add(
              Element.paragraph(
                  QuantityFormat.count(change.unknown(), "kind")
                      + " of calls kept as measured: the model does not know them."));
    }
    if (change.changed().isEmpty()) {
      return section.add(Element.paragraph("No expected time changes."));
    }
    DataTable table =
        ofCalls("Expected times").numbers("before", "after").texts("by before", "after");
    for (ChangedCall call : change.changedKinds()) {
      table.row(
          call.site().title(),
          size(call.site().kind()),
          groups(call.site()),
          call.count(),
          DataTable.time(call.before().timeUs()),
          DataTable.time(call.after().timeUs()),
          call.before().launchName() + " " + call.before().shape().label(),
          call.after().launchName() + " " + call.after().shape().label());
    }
    return section.add(table.element());
  }
}

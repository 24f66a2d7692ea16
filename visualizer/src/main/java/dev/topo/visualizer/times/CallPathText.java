package dev.topo.visualizer.times;

import dev.topo.model.Alike;
import dev.topo.model.Last;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextTable;
import dev.topo.model.io.TextWriter;
import dev.topo.model.operation.Collective;
import dev.topo.search.kernel.CallPaths.CallPath;
import dev.topo.search.kernel.CopyEstimate;
import dev.topo.search.kernel.Execution;
import dev.topo.search.kernel.Execution.Kernel;
import dev.topo.search.kernel.RegisteredPart;
import dev.topo.search.tuning.ChannelShare;
import dev.topo.search.tuning.Communicator;
import dev.topo.search.tuning.Tuner.Decision.Choice;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.JobSummary;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/**
 * Writes which algorithm, kernel or copy NCCL uses for calls, with one line for consecutive sizes
 * that take the same path.
 */
public final class CallPathText {
  private final Communicator communicator;

  private CallPathText(Communicator communicator) {
    this.communicator = communicator;
  }

  /**
   * Returns the paths for a job: all of the first kind of buffers, then for each other kind only
   * what differs.
   *
   * @param kinds the paths for each kind of buffers, for the same calls, by collective and in
   *     ascending size
   */
  public static Answer of(String title, Communicator communicator, List<List<CallPath>> kinds) {
    CallPathText text = new CallPathText(communicator);
    TextWriter out = new TextWriter();
    List<CallPath> first = kinds.get(0);
    out.paragraph(
        "%s: %s, out of place, at %s; times of NCCL's own models, which differ by path"
            .formatted(
                title,
                JobSummary.ranks(communicator.connection()),
                QuantityFormat.count(
                    (int) first.stream().map(path -> path.call().sizeBytes()).distinct().count(),
                    "listed size")),
        "  ");
    for (List<CallPath> kind : kinds) {
      String buffers = kind.get(0).buffers().label() + " buffers";
      List<List<CallPath>> groups = text.groups(kind, kind == first ? List.of() : first);
      String base = first.get(0).buffers().label();
      out.line("")
          .line(
              "%s",
              kind == first
                  ? buffers
                  : groups.isEmpty()
                      ? buffers + ": as " + base
                      : buffers + ", where they differ from " + base);
      out.table(text.table(groups));
    }
    return Answer.of(out);
  }

  /**
   * A table with a row for each group; the first row of a collective names it. Collectives with
   * equal rows share them.
   */
  private TextTable table(List<List<CallPath>> groups) {
    Map<Collective, List<List<String>>> rows = new LinkedHashMap<>();
    Map<Collective, String> discarded = new LinkedHashMap<>();
    for (List<CallPath> group : groups) {
      Collective collective = group.get(0).call().collective();
      if (group.get(0).kind() == CallPath.Kind.EMPTY) {
        discarded.put(collective, sizes(group));
      } else {
        rows.computeIfAbsent(collective, key -> new ArrayList<>()).add(row(group));
      }
    }
    Map<List<List<String>>, List<Map.Entry<Collective, List<List<String>>>>> alike =
        Alike.by(rows.entrySet(), entry -> ends(entry.getValue()));
    TextTable table = TextTable.indented();
    for (List<Map.Entry<Collective, List<List<String>>>> equal : alike.values()) {
      String names = QuantityFormat.joined(", ", equal, entry -> entry.getKey().label());
      for (List<String> row : equal.get(0).getValue()) {
        List<Object> cells = new ArrayList<>(row);
        cells.add(0, names);
        table.row(cells.toArray());
        names = "";
      }
    }
    discarded.forEach(
        (collective, sizes) ->
            table.row(collective.label(), sizes + ":", "NCCL discards the call: no element"));
    return table;
  }

  /**
   * Rows without the lower end of the first size range: calls below it may have no whole element.
   */
  private static List<List<String>> ends(List<List<String>> rows) {
    List<List<String>> ends = new ArrayList<>(rows);
    List<String> first = new ArrayList<>(rows.get(0));
    first.set(0, first.get(0).replaceFirst(".* to ", ""));
    ends.set(0, first);
    return ends;
  }

  /**
   * Groups consecutive sizes with the same path, and leaves out those that are equal to the base
   * for the same calls.
   */
  private List<List<CallPath>> groups(List<CallPath> paths, List<CallPath> base) {
    List<List<CallPath>> groups = new ArrayList<>();
    boolean isContinued = false;
    for (int i = 0; i < paths.size(); i++) {
      CallPath path = paths.get(i);
      if (!base.isEmpty() && row(List.of(path)).equals(row(List.of(base.get(i))))) {
        isContinued = false;
        continue;
      }
      if (!isContinued || !isAlike(Last.of(groups).get(0), path)) {
        groups.add(new ArrayList<>());
      }
      Last.of(groups).add(path);
      isContinued = true;
    }
    return groups;
  }

  private static boolean isAlike(CallPath path, CallPath other) {
    return path.call().collective() == other.call().collective()
        && path.label().equals(other.label())
        && path.copies().map(CallPathText::labels).equals(other.copies().map(CallPathText::labels))
        && path.refusal().equals(other.refusal())
        && path.parts().equals(other.parts());
  }

  private static String sizes(List<CallPath> alike) {
    long first = alike.get(0).call().sizeBytes();
    long last = Last.of(alike).call().sizeBytes();
    return QuantityFormat.sizes(first, last);
  }

  private List<String> row(List<CallPath> alike) {
    CallPath first = alike.get(0);
    String sizes = sizes(alike) + ":";
    return switch (first.kind()) {
      case ALGORITHM -> algorithm(sizes, alike);
      case SYMMETRIC_KERNEL -> kernel(sizes, alike);
      case COPY_ENGINE ->
          List.of(
              sizes,
              first.label() + ",",
              "no channels,",
              "driver of CUDA " + cuda(first) + " or newer" + (first.copies().isEmpty() ? "" : ","),
              copies(alike));
      case EMPTY, REFUSED ->
          first.refusal().stream()
              .flatMap(refusal -> Stream.of(sizes, refusal.verb(), refusal.reason()))
              .toList();
      case NOT_KNOWN -> List.of(sizes, first.label(), first.unknown().orElse(""));
    };
  }

  private static String cuda(CallPath path) {
    return path.symmetric().execution() instanceof Execution.CopyEngine engine ? engine.cuda() : "";
  }

  private static String copies(List<CallPath> alike) {
    return alike.get(0).copies().isEmpty()
        ? ""
        : "%s, in a CUDA graph %s"
            .formatted(
                copies(alike, CopyEstimate::outOfPlace), copies(alike, CopyEstimate::inGraph));
  }

  private static String copies(
      List<CallPath> alike, Function<CopyEstimate, CopyEstimate.Copies> variant) {
    return variant.apply(alike.get(0).copies().orElseThrow()).label()
        + ", "
        + times(alike, path -> variant.apply(path.copies().orElseThrow()).timeUs());
  }

  private static List<String> labels(CopyEstimate copies) {
    return List.of(copies.outOfPlace().label(), copies.inGraph().label());
  }

  private List<String> algorithm(String sizes, List<CallPath> alike) {
    List<RegisteredPart> parts = alike.get(0).parts();
    return List.of(
        sizes,
        alike.get(0).label() + ",",
        channels(
            alike,
            path -> ChannelShare.launched(communicator.facts(), path.call(), choice(path)),
            path -> choice(path).channels()),
        range(alike, path -> choice(path).threads()) + " threads,",
        times(alike, path -> choice(path).timeUs())
            + (parts.isEmpty()
                ? ""
                : ", registered: " + QuantityFormat.joined(" and ", parts, RegisteredPart::label)));
  }

  private static Choice choice(CallPath path) {
    return path.choice().orElseThrow();
  }

  private static List<String> kernel(String sizes, List<CallPath> alike) {
    return List.of(
        sizes,
        alike.get(0).label() + ",",
        channels(alike, path -> kernel(path).channels(), path -> kernel(path).channels()),
        range(alike, path -> kernel(path).threads()) + " threads,",
        times(alike, path -> kernel(path).timeUs()));
  }

  private static Kernel kernel(CallPath path) {
    return path.kernel().orElseThrow();
  }

  private static String channels(
      List<CallPath> alike, ToIntFunction<CallPath> launched, ToIntFunction<CallPath> allowed) {
    int min = alike.stream().mapToInt(launched).min().orElseThrow();
    int max = alike.stream().mapToInt(launched).max().orElseThrow();
    int maxAllowed = alike.stream().mapToInt(allowed).max().orElseThrow();
    return TuningText.channels(max == 0 ? "0" : QuantityFormat.ofMost(min, max, 0, maxAllowed));
  }

  private static String range(List<CallPath> alike, ToIntFunction<CallPath> value) {
    return TuningText.range(alike, value, false);
  }

  private static String times(List<CallPath> alike, ToDoubleFunction<CallPath> value) {
    double[] times = alike.stream().mapToDouble(value).sorted().toArray();
    return QuantityFormat.times(times[0], times[times.length - 1]);
  }
}

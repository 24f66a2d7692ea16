package dev.topo.visualizer.times;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextTable;
import dev.topo.model.io.TextWriter;
import dev.topo.search.kernel.CallPath;
import dev.topo.search.kernel.CopyEstimate;
import dev.topo.search.kernel.Execution;
import dev.topo.search.kernel.RegisteredPart;
import dev.topo.search.tuning.ChannelShare;
import dev.topo.search.tuning.Communicator;
import dev.topo.search.tuning.Decision;
import dev.topo.visualizer.view.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/** By what NCCL runs calls, for people: a line for each run of listed sizes with the same path. */
public final class CallPathText {
  private final Communicator communicator;

  private CallPathText(Communicator communicator) {
    this.communicator = communicator;
  }

  /**
   * The paths for a job.
   *
   * @param paths those of a kind of buffers, collective by collective in ascending sizes
   */
  public static Answer of(String title, Communicator communicator, List<CallPath> paths) {
    CallPathText text = new CallPathText(communicator);
    TextWriter out = new TextWriter();
    out.line(
        "%s: %s on %s, %s buffers out of place, at %s; times of NCCL's own models, which differ by path",
        title,
        QuantityFormat.count(communicator.connection().nRanks(), "rank"),
        communicator.connection().nodeWords(),
        paths.get(0).buffers().label(),
        QuantityFormat.count(
            (int) paths.stream().map(path -> path.call().sizeBytes()).distinct().count(),
            "listed size"));
    List<List<CallPath>> groups = groups(paths);
    for (int i = 0; i < groups.size(); ) {
      TextTable table = TextTable.indented();
      CallPath first = groups.get(i).get(0);
      while (i < groups.size()
          && groups.get(i).get(0).call().collective() == first.call().collective()) {
        text.row(table, groups.get(i++));
      }
      out.line("\n%s", first.call().collective().label()).table(table);
    }
    return Answer.of(out.toString());
  }

  /** Neighbours with the same path. */
  private static List<List<CallPath>> groups(List<CallPath> paths) {
    List<List<CallPath>> groups = new ArrayList<>();
    for (CallPath path : paths) {
      List<CallPath> last = groups.isEmpty() ? List.of() : groups.get(groups.size() - 1);
      if (last.isEmpty() || !isAlike(last.get(0), path)) {
        last = new ArrayList<>();
        groups.add(last);
      }
      last.add(path);
    }
    return groups;
  }

  private static boolean isAlike(CallPath one, CallPath other) {
    return one.call().collective() == other.call().collective()
        && one.label().equals(other.label())
        && one.copies().map(CallPathText::labels).equals(other.copies().map(CallPathText::labels))
        && one.refusal().equals(other.refusal())
        && one.parts().equals(other.parts());
  }

  private void row(TextTable table, List<CallPath> alike) {
    CallPath first = alike.get(0);
    CallPath last = alike.get(alike.size() - 1);
    String sizes =
        QuantityFormat.size(first.call().sizeBytes())
            + (alike.size() == 1 ? "" : " to " + QuantityFormat.size(last.call().sizeBytes()))
            + ":";
    switch (first.kind()) {
      case ALGORITHM -> algorithm(table, sizes, alike);
      case SYMMETRIC_KERNEL -> kernel(table, sizes, alike);
      case COPY_ENGINE ->
          table.row(
              sizes,
              first.label() + ",",
              "no channels,",
              "driver of CUDA " + cuda(first) + " or newer" + (first.copies().isEmpty() ? "" : ","),
              copies(alike));
      case EMPTY -> table.row(sizes, "nothing (no whole element)");
      case REFUSED -> table.row(sizes, "NCCL refuses", first.refusal().orElse(""));
      case NOT_KNOWN -> table.row(sizes, first.label(), first.unknown().orElse(""));
    }
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
      List<CallPath> alike, Function<CopyEstimate, CopyEstimate.Copies> which) {
    return which.apply(alike.get(0).copies().orElseThrow()).label()
        + ", "
        + times(alike, path -> which.apply(path.copies().orElseThrow()).timeUs());
  }

  private static List<String> labels(CopyEstimate copies) {
    return List.of(copies.outOfPlace().label(), copies.inGraph().label());
  }

  private void algorithm(TextTable table, String sizes, List<CallPath> alike) {
    List<RegisteredPart> parts = alike.get(0).parts();
    table.row(
        sizes,
        alike.get(0).label() + ",",
        channels(alike, this::share, path -> choice(path).channels()),
        range(alike, path -> choice(path).threads()) + " threads,",
        times(alike, path -> choice(path).timeUs())
            + (parts.isEmpty()
                ? ""
                : ", registered: "
                    + parts.stream()
                        .map(RegisteredPart::label)
                        .collect(Collectors.joining(" and "))));
  }

  private static Decision.Choice choice(CallPath path) {
    return path.choice().orElseThrow();
  }

  private int share(CallPath path) {
    return ChannelShare.launched(communicator.facts(), path.call(), choice(path));
  }

  private static void kernel(TextTable table, String sizes, List<CallPath> alike) {
    table.row(
        sizes,
        alike.get(0).label() + ",",
        channels(alike, path -> kernel(path).channels(), path -> kernel(path).channels()),
        range(alike, path -> kernel(path).threads()) + " threads,",
        times(alike, path -> kernel(path).timeUs()));
  }

  private static Execution.Kernel kernel(CallPath path) {
    return path.kernel().orElseThrow();
  }

  private static String channels(
      List<CallPath> alike, ToIntFunction<CallPath> launched, ToIntFunction<CallPath> allowed) {
    int least = alike.stream().mapToInt(launched).min().orElseThrow();
    int most = alike.stream().mapToInt(launched).max().orElseThrow();
    int mostAllowed = alike.stream().mapToInt(allowed).max().orElseThrow();
    return TuningText.channels(
        most == 0 ? "0" : QuantityFormat.ofMost(least, most, 0, mostAllowed));
  }

  private static String range(List<CallPath> alike, ToIntFunction<CallPath> value) {
    int least = alike.stream().mapToInt(value).min().orElseThrow();
    int most = alike.stream().mapToInt(value).max().orElseThrow();
    return QuantityFormat.span(least, most);
  }

  private static String times(List<CallPath> alike, ToDoubleFunction<CallPath> value) {
    double[] times = alike.stream().mapToDouble(value).sorted().toArray();
    return QuantityFormat.times(times[0], times[times.length - 1]);
  }
}

package dev.topo.cli.terminal;

import dev.topo.cli.terminal.Streams.Terminal;
import dev.topo.model.graph.GraphKind;
import dev.topo.search.connect.GraphSource;
import dev.topo.search.engine.Constraints;
import dev.topo.search.engine.GraphSearch;
import dev.topo.search.engine.SearchMonitor;
import dev.topo.search.engine.SearchMonitor.SearchOutcome;
import dev.topo.simulator.variant.DiffJob.DiffMonitor;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The progress of the work: nested tasks, each with a name, a count and a text on its current step.
 * A thread of its own polls them ten times a second and shows on one line those that have taken
 * longer than a second; the work itself only counts, so that progress does not slow it down.
 */
public final class Progress {
  /** For pipes: counts without output. */
  public static final Progress NONE = new Progress(Optional.empty(), System::nanoTime, () -> false);

  /** Age from which on a task is shown. */
  private static final long PATIENCE_NS = 1_000_000_000;

  private static final long EVERY_MS = 100;
  private static final int MINUTE_S = 60;

  private final Optional<StatusLine> line;
  private final LongSupplier clockNs;
  private final BooleanSupplier isForeground;
  private final List<Task> tasks = new ArrayList<>();

  Progress(Optional<StatusLine> line, LongSupplier clockNs, BooleanSupplier isForeground) {
    this.line = line;
    this.clockNs = clockNs;
    this.isForeground = isForeground;
  }

  /** Progress on a line. Starts a thread that ends with the process. */
  public static Progress on(StatusLine line, Terminal terminal) {
    Progress progress = new Progress(Optional.of(line), System::nanoTime, terminal::isForeground);
    Thread thread = new Thread(progress::watch, "progress");
    thread.setDaemon(true);
    thread.start();
    return progress;
  }

  /** True if it is shown; otherwise, callers need not observe what only progress needs. */
  public boolean isShown() {
    return line.isPresent();
  }

  /** Stops the output, for example if several processes share a terminal. */
  public void mute() {
    line.ifPresent(StatusLine::close);
  }

  /**
   * Begins a task. The first task is the whole: its name is shown before all others, its age after
   * them.
   *
   * @param what its name; may be empty if its text suffices
   */
  public Task begin(String what) {
    return begin(what, 0);
  }

  /**
   * Begins a task of equal steps.
   *
   * @param what one of them, as in "placement"
   * @param total number of steps; 0 if unknown
   */
  public Task begin(String what, long total) {
    Task task = new Task(what, total, clockNs.getAsLong());
    if (isShown()) {
      synchronized (this) {
        tasks.add(task);
      }
    }
    return task;
  }

  /** Shows how far all is. */
  synchronized void tick() {
    long now = clockNs.getAsLong();
    if (tasks.isEmpty() || isYoung(tasks.get(0), now) || !isForeground.getAsBoolean()) {
      return;
    }
    Task whole = tasks.get(0);
    List<String> parts = new ArrayList<>();
    for (Task task : tasks.subList(1, tasks.size())) {
      String text = task.toString();
      if (!text.isEmpty() && !isYoung(task, now)) {
        parts.add(text);
      }
    }
    String text = whole.what + ": " + String.join(", ", parts);
    String age =
        TimeUnit.NANOSECONDS.toSeconds(now - whole.sinceNs)
            + " s"
            + tasks.stream().flatMap(task -> task.left(now).stream()).findFirst().orElse("");
    line.ifPresent(shown -> shown.show(text, parts.isEmpty() ? age : ", " + age));
  }

  private static boolean isYoung(Task task, long nowNs) {
    return nowNs - task.sinceNs < PATIENCE_NS;
  }

  private void watch() {
    try {
      while (true) {
        Thread.sleep(EVERY_MS);
        tick();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void end(Task task) {
    tasks.remove(task);
    if (tasks.isEmpty()) {
      line.ifPresent(StatusLine::erase);
    }
  }

  /** Something that takes its time. Any thread may count. */
  public final class Task implements DiffMonitor.Task {
    private final String what;
    private final long total;
    private final long sinceNs;
    private final AtomicLong count = new AtomicLong();
    private volatile Supplier<String> words = () -> "";
    private volatile boolean isForeseen;

    private Task(String what, long total, long sinceNs) {
      this.what = what;
      this.total = total;
      this.sinceNs = sinceNs;
    }

    /** Begins the next step, or counts a completed one if several run at once. */
    @Override
    public void next() {
      count.incrementAndGet();
    }

    /** Sets the text on the current step; evaluated on another thread when it is shown. */
    public void detail(Supplier<String> now) {
      words = now;
    }

    /** Shows the time left, too: steps are counted when completed, and each takes about as long. */
    public void foresee() {
      isForeseen = true;
    }

    private Optional<String> left(long nowNs) {
      long n = count.get();
      if (!isForeseen || n == 0 || n >= total) {
        return Optional.empty();
      }
      double seconds = (nowNs - sinceNs) * 1e-9 / n * (total - n);
      return Optional.of(
          seconds < MINUTE_S
              ? ", about %s s left".formatted(Math.max(1, Math.round(seconds)))
              : ", about %s min left".formatted(Math.round(seconds / MINUTE_S)));
    }

    /** Ends the task. */
    @Override
    public void close() {
      if (isShown()) {
        end(this);
      }
    }

    /** As in {@code placement 12 of 340}, text after a comma; a count of one is omitted. */
    @Override
    public String toString() {
      String now = words.get();
      String far = total == 1 ? "" : far(count.get());
      return far.isEmpty() || now.isEmpty() ? far + now : far + ", " + now;
    }

    private String far(long n) {
      if (n == 0) {
        return what;
      }
      return total == 0 ? what + " " + n : what + " " + n + " of " + total;
    }
  }

  /**
   * Says of a search which graph it looks for, at which bandwidth, and how many channels it has.
   */
  public static final class SearchProgress implements SearchMonitor {
    private final Progress.Task task;
    private int attempts;
    private int channels;
    private float bwGBps;

    /** Reports the progress of a search to a task. */
    public SearchProgress(Progress.Task task) {
      this.task = task;
    }

    /** Searches for graphs and shows the progress of each search. */
    public static GraphSource search(Progress progress) {
      if (!progress.isShown()) {
        return GraphSearch::findAll;
      }
      return (domain, settings, inputs) -> {
        try (Progress.Task task = progress.begin("")) {
          return GraphSearch.findAll(domain, settings, inputs, new SearchProgress(task));
        }
      };
    }

    @Override
    public boolean observesObstacles() {
      return false;
    }

    @Override
    public void attemptStarted(GraphKind kind, Constraints constraints) {
      attempts++;
      bwGBps = constraints.bwIntra();
      say(kind);
    }

    @Override
    public void improved(GraphKind kind, int nChannels, int hops) {
      channels = nChannels;
      say(kind);
    }

    @Override
    public void finished(GraphKind kind, SearchOutcome outcome) {
      attempts = 0;
      channels = 0;
    }

    /** The text is made on another thread, from copies that do not change. */
    private void say(GraphKind kind) {
      int attempt = attempts;
      int found = channels;
      float bw = bwGBps;
      task.detail(
          () ->
              String.format(
                  Locale.ROOT,
                  "%s attempt %d at %.1f GB/s, channels: %d",
                  kind.label(),
                  attempt,
                  bw,
                  found));
    }
  }
}

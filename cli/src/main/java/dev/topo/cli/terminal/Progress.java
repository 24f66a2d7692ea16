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
 * The progress of the work: nested tasks, each with a name, a count and a text about its current
 * step. A separate thread polls the tasks ten times a second and shows on one line those that have
 * run for longer than a second. The work itself only counts, so that showing progress does not slow
 * it down.
 */
public final class Progress {
  /** Progress that is counted but not shown, for pipes. */
  public static final Progress NONE = new Progress(Optional.empty(), System::nanoTime, () -> false);

  /** Age at which a task is first shown. */
  private static final long MIN_AGE_NS = 1_000_000_000;

  private static final long PERIOD_MS = 100;
  private static final int SECONDS_PER_MINUTE = 60;

  private final Optional<StatusLine> line;
  private final LongSupplier clockNs;
  private final BooleanSupplier isForeground;
  private final List<Task> tasks = new ArrayList<>();

  Progress(Optional<StatusLine> line, LongSupplier clockNs, BooleanSupplier isForeground) {
    this.line = line;
    this.clockNs = clockNs;
    this.isForeground = isForeground;
  }

  /** Creates progress that is shown on a line. Starts a daemon thread. */
  public static Progress on(StatusLine line, Terminal terminal) {
    Progress progress = new Progress(Optional.of(line), System::nanoTime, terminal::isForeground);
    Thread thread = new Thread(progress::watch, "progress");
    thread.setDaemon(true);
    thread.start();
    return progress;
  }

  /** True if progress is shown. If not, callers need not collect details for it. */
  public boolean isShown() {
    return line.isPresent();
  }

  /** Stops the output, for example if several processes share a terminal. */
  public void mute() {
    line.ifPresent(StatusLine::close);
  }

  /**
   * Begins a task. The first task represents all work: its name is shown before the other tasks,
   * its age after them.
   *
   * @param name name of the task; may be empty if the text about its step suffices
   */
  public Task begin(String name) {
    return begin(name, 0);
  }

  /**
   * Begins a task of equal steps.
   *
   * @param name name of one step, as in "placement"
   * @param total number of steps; 0 if unknown
   */
  public Task begin(String name, long total) {
    Task task = new Task(name, total, clockNs.getAsLong());
    if (isShown()) {
      synchronized (this) {
        tasks.add(task);
      }
    }
    return task;
  }

  /** Shows the current progress. */
  synchronized void tick() {
    long now = clockNs.getAsLong();
    if (tasks.isEmpty() || isYoung(tasks.get(0), now) || !isForeground.getAsBoolean()) {
      return;
    }
    Task mainTask = tasks.get(0);
    List<String> parts = new ArrayList<>();
    for (Task task : tasks.subList(1, tasks.size())) {
      String text = task.toString();
      if (!text.isEmpty() && !isYoung(task, now)) {
        parts.add(text);
      }
    }
    String text = mainTask.name + ": " + String.join(", ", parts);
    String age =
        TimeUnit.NANOSECONDS.toSeconds(now - mainTask.sinceNs)
            + " s"
            + tasks.stream()
                .flatMap(task -> task.remainingTime(now).stream())
                .findFirst()
                .orElse("");
    line.ifPresent(shown -> shown.show(text, parts.isEmpty() ? age : ", " + age));
  }

  private static boolean isYoung(Task task, long nowNs) {
    return nowNs - task.sinceNs < MIN_AGE_NS;
  }

  private void watch() {
    try {
      while (true) {
        Thread.sleep(PERIOD_MS);
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

  /** A task whose progress is shown. Any thread may count its steps. */
  public final class Task implements DiffMonitor.Task {
    private final String name;
    private final long total;
    private final long sinceNs;
    private final AtomicLong count = new AtomicLong();
    private volatile Supplier<String> stepText = () -> "";
    private volatile boolean showsRemainingTime;

    private Task(String name, long total, long sinceNs) {
      this.name = name;
      this.total = total;
      this.sinceNs = sinceNs;
    }

    /** Begins the next step; if several steps run at once, counts a completed one. */
    @Override
    public void next() {
      count.incrementAndGet();
    }

    /** Sets the text about the current step. It is evaluated on another thread when it is shown. */
    public void detail(Supplier<String> now) {
      stepText = now;
    }

    /**
     * Also shows the remaining time, provided that steps are counted when completed and take about
     * equally long.
     */
    public void foresee() {
      showsRemainingTime = true;
    }

    private Optional<String> remainingTime(long nowNs) {
      long n = count.get();
      if (!showsRemainingTime || n == 0 || n >= total) {
        return Optional.empty();
      }
      double seconds = (nowNs - sinceNs) * 1e-9 / n * (total - n);
      return Optional.of(
          seconds < SECONDS_PER_MINUTE
              ? ", about %s s left".formatted(Math.max(1, Math.round(seconds)))
              : ", about %s min left".formatted(Math.round(seconds / SECONDS_PER_MINUTE)));
    }

    /** Ends the task. */
    @Override
    public void close() {
      if (isShown()) {
        end(this);
      }
    }

    /**
     * The task as in {@code placement 12 of 340}, followed by a comma and the text about the step.
     * The name is omitted if the task has one step only.
     */
    @Override
    public String toString() {
      String now = stepText.get();
      String counted = total == 1 ? "" : countText(count.get());
      return counted.isEmpty() || now.isEmpty() ? counted + now : counted + ", " + now;
    }

    private String countText(long n) {
      if (n == 0) {
        return name;
      }
      return total == 0 ? name + " " + n : name + " " + n + " of " + total;
    }
  }

  /**
   * Reports which graph a search looks for, at which bandwidth, and how many channels it has found.
   */
  public static final class SearchProgress implements SearchMonitor {
    private final Task task;
    private int attempts;
    private int channels;
    private float bwGBps;

    /** Creates a monitor that reports to a task. */
    public SearchProgress(Task task) {
      this.task = task;
    }

    /** A source of graphs that searches and shows the progress of each search. */
    public static GraphSource search(Progress progress) {
      if (!progress.isShown()) {
        return GraphSearch::findAll;
      }
      return (domain, settings, inputs) -> {
        try (Task task = progress.begin("")) {
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
      report(kind);
    }

    @Override
    public void improved(GraphKind kind, int nChannels, int hops) {
      channels = nChannels;
      report(kind);
    }

    @Override
    public void finished(GraphKind kind, SearchOutcome outcome) {
      attempts = 0;
      channels = 0;
    }

    /**
     * Sets the text of the task. It is formatted on another thread, so it uses copies that do not
     * change.
     */
    private void report(GraphKind kind) {
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

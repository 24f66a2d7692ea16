package dev.topo.cli.terminal;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * How far the work is, for a person who waits: tasks in tasks, each with a name, a count and words
 * on what it does now. A thread of its own looks at them ten times a second and shows on one line
 * those that have taken longer than a second; the work itself only counts, so that it is as fast as
 * without.
 */
public final class Progress {
  /** For pipes: counts, shows nothing. */
  public static final Progress NONE = new Progress(Optional.empty(), System::nanoTime, () -> false);

  /** Age from which on a task is shown. */
  private static final long PATIENCE_NS = 1_000_000_000;

  private static final long EVERY_MS = 100;

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

  /** Whether anybody sees it: else there is no need to watch what only progress wants to know. */
  public boolean isShown() {
    return line.isPresent();
  }

  /** Shows nothing any more, as where several processes share a terminal. */
  public void mute() {
    line.ifPresent(StatusLine::close);
  }

  /**
   * Something begins. The first task is the whole: its name stands before all others, its age after
   * them.
   *
   * @param what its name; may be empty where its words say all
   */
  public Task begin(String what) {
    return begin(what, 0);
  }

  /**
   * A number of equal things begins.
   *
   * @param what one of them, as in "placement"
   * @param total how many; 0 if nobody knows
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
    String age = TimeUnit.NANOSECONDS.toSeconds(now - whole.sinceNs) + " s";
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
  public final class Task implements AutoCloseable {
    private final String what;
    private final long total;
    private final long sinceNs;
    private final AtomicLong count = new AtomicLong();
    private volatile Supplier<String> words = () -> "";

    private Task(String what, long total, long sinceNs) {
      this.what = what;
      this.total = total;
      this.sinceNs = sinceNs;
    }

    /** The next one begins, or one more is done where several are under way at once. */
    public void next() {
      count.incrementAndGet();
    }

    /** Says what it does now; asked for when it is shown, on another thread. */
    public void says(Supplier<String> now) {
      words = now;
    }

    /** It is over. */
    @Override
    public void close() {
      if (isShown()) {
        end(this);
      }
    }

    /** As in {@code placement 12 of 340}, words after a comma; a count of one says nothing. */
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
}

package dev.topo.fault;

import dev.topo.cli.TopoCommand;
import dev.topo.cli.terminal.Streams;
import dev.topo.fault.Fault.Hit;
import dev.topo.fault.Fault.Kind;
import dev.topo.fault.Fault.Step;
import dev.topo.model.fixture.Thorough;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Calls the command with each operation on files failing in turn, in a process with the {@link
 * FaultProvider}. Prints a line for each kind of failure of a call, and one line with numbers.
 */
public final class FaultRun {
  private static final boolean THOROUGH = Thorough.isOn();

  /** At most so many steps of a call fail, the last ones among them. */
  private static final int MOST_STEPS = Integer.getInteger("test.iters", THOROUGH ? 200 : 4);

  private static final String ONLY = System.getProperty("test.command", "");
  private static final Pattern UNCLEAR =
      Pattern.compile("Exception|\\bnull\\b|\\bat dev\\.|this is a bug");
  private static final Pattern VARIABLE = Pattern.compile("\\d+|[0-9a-f]{12,}");

  private final Path folder;
  private final Map<String, String> inputs;
  private final Map<String, String> failures = new LinkedHashMap<>();
  private int calls;

  /** What a call did. */
  private record Outcome(int status, String out, String err, Map<String, String> files) {
    boolean isAnswer() {
      // topo doctor answers with 4 where NCCL would not run; a command that fails so says why.
      return status == 0 || status == 1 || (status == 4 && err.isBlank());
    }

    String written() {
      return files.entrySet().stream()
          .filter(file -> file.getKey().startsWith("out/"))
          .map(Map.Entry::getValue)
          .collect(Collectors.joining());
    }
  }

  private FaultRun(Path folder) throws IOException {
    this.folder = folder;
    this.inputs = files("in");
  }

  /** Arguments: the folder with {@code in}, {@code out} and {@code tmp}. */
  public static void main(String[] args) throws IOException {
    FaultRun run = new FaultRun(Path.of(args[0]));
    for (Scenario scenario : Scenario.all()) {
      if ((THOROUGH || scenario.usual()) && scenario.command().contains(ONLY)) {
        run.tryEachStep(scenario);
      }
    }
    run.failures.values().forEach(failure -> System.out.println("FAILED " + failure));
    System.out.println("CALLS " + run.calls);
  }

  private void tryEachStep(Scenario scenario) throws IOException {
    Outcome healthy = call(scenario, new Fault(folder, Kind.ONCE, Integer.MAX_VALUE));
    if (healthy.isAnswer() == scenario.isRefused()) {
      failures.put(scenario.command(), scenario + ": fails without a fault: " + healthy.err());
      return;
    }
    for (Kind kind : Kind.values()) {
      Fault count = new Fault(folder, kind, Integer.MAX_VALUE);
      call(scenario, count);
      for (int step : steps(count.steps())) {
        Fault fault = new Fault(folder, kind, step);
        Outcome outcome = call(scenario, fault);
        calls++;
        fault
            .hit()
            .flatMap(hit -> broken(scenario, kind, hit, healthy, outcome))
            .ifPresent(
                how ->
                    failures.putIfAbsent(
                        VARIABLE.matcher(scenario + " " + kind + " " + how).replaceAll("_"),
                        "%s, %s at step %d of %d: %s"
                            .formatted(scenario, kind, step, count.steps(), how)));
      }
    }
  }

  /** The steps that fail; the last ones write the answer. */
  private static int[] steps(int count) {
    IntStream all = IntStream.rangeClosed(1, count);
    if (count <= MOST_STEPS) {
      return all.toArray();
    }
    int half = MOST_STEPS / 2;
    return all.filter(step -> step > count - half || (step - 1) % ((count - half) / half + 1) == 0)
        .toArray();
  }

  private Outcome call(Scenario scenario, Fault fault) throws IOException {
    clear("out");
    clear("tmp");
    for (Map.Entry<String, String> file : scenario.before().entrySet()) {
      Files.copy(
          folder.resolve("in").resolve(file.getValue()),
          folder.resolve("out").resolve(file.getKey()));
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Streams streams = new Streams(text(out), text(err));
    String[] words =
        scenario.words().stream()
            .map(
                word ->
                    word.replaceAll(
                        "(^|=|@)(in|out)/", "$1" + folder.toString().replace("$", "\\$") + "/$2/"))
            .toArray(String[]::new);
    int status;
    fault.arm();
    try {
      status = TopoCommand.execute(streams, Map.of(), words);
    } catch (RuntimeException | Error e) {
      status = -1;
      streams.err().println("not caught: " + e + " " + List.of(e.getStackTrace()));
    } finally {
      Fault.disarm();
    }
    streams.flush();
    // A call that was interrupted leaves that to its caller.
    Thread.interrupted();
    return new Outcome(
        status,
        out.toString(StandardCharsets.UTF_8),
        err.toString(StandardCharsets.UTF_8),
        files(""));
  }

  private static PrintStream text(ByteArrayOutputStream bytes) {
    return new PrintStream(bytes, false, StandardCharsets.UTF_8);
  }

  /** What is wrong with a call in which something failed. */
  private Optional<String> broken(
      Scenario scenario, Kind kind, Hit hit, Outcome healthy, Outcome outcome) {
    if (outcome.status() < 0 || outcome.status() > 4) {
      return Optional.of("status " + outcome.status() + ": " + outcome.err().strip());
    }
    if (kind == Kind.FULL && !outcome.isAnswer() && outcome.status() != 4) {
      return Optional.of(
          "status " + outcome.status() + ", 4 is a full disk: " + outcome.err().strip());
    }
    if (kind == Kind.DENIED && scenario.command().startsWith("doctor")) {
      // What the user may not read of an image counts as absent, as documented.
      return Optional.empty();
    }
    if (scenario.isRefused()) {
      return outcome.isAnswer() ? Optional.of("is not refused") : lost(healthy, outcome);
    }
    return lost(healthy, outcome)
        .or(() -> left(kind, hit, healthy, outcome))
        .or(() -> outcome.isAnswer() ? wrong(healthy, outcome) : unclear(kind, healthy, outcome));
  }

  /** An input that was changed, or an output that is neither what it was nor whole. */
  private Optional<String> lost(Outcome healthy, Outcome outcome) {
    for (Map.Entry<String, String> input : inputs.entrySet()) {
      if (!input.getValue().equals(outcome.files().get(input.getKey()))) {
        return Optional.of(input.getKey() + " was changed");
      }
    }
    return outcome.files().entrySet().stream()
        .filter(file -> file.getKey().startsWith("out/") && !isTemporary(file.getKey()))
        .filter(file -> !file.getValue().equals(healthy.files().get(file.getKey())))
        .filter(file -> !inputs.containsValue(file.getValue()) && !namesFault(file.getValue()))
        .findFirst()
        .map(file -> file.getKey() + " is not whole: " + file.getValue().length() + " bytes");
  }

  private static boolean isTemporary(String file) {
    return file.endsWith(".tmp");
  }

  /** A temporary file that is still there, although nothing prevented to delete it. */
  private Optional<String> left(Kind kind, Hit hit, Outcome healthy, Outcome outcome) {
    boolean isDeleting =
        hit.step() == Step.DELETE
            || (hit.file().startsWith(FaultPath.real(folder.resolve("tmp")))
                && outcome.out().equals(healthy.out())
                && outcome.files().entrySet().containsAll(healthy.files().entrySet()));
    if (isDeleting || kind == Kind.FROM) {
      return Optional.empty();
    }
    return outcome.files().keySet().stream()
        .filter(file -> isTemporary(file) || file.startsWith("tmp/"))
        .findFirst()
        .map(file -> "a temporary file is left, status " + outcome.status());
  }

  private static boolean namesFault(String text) {
    return Stream.of("Input/output error", "permission denied", "No space left", "interrupted")
        .anyMatch(text::contains);
  }

  private static Optional<String> wrong(Outcome healthy, Outcome outcome) {
    if (namesFault(outcome.out() + outcome.err() + outcome.written())) {
      return Optional.empty();
    }
    if (healthy.status() != outcome.status()) {
      return Optional.of("status " + outcome.status() + " without a message");
    }
    return healthy.out().equals(outcome.out()) && healthy.files().equals(outcome.files())
        ? Optional.empty()
        : Optional.of("another answer without a message");
  }

  private Optional<String> unclear(Kind kind, Outcome healthy, Outcome outcome) {
    List<String> lines = new ArrayList<>(outcome.err().lines().toList());
    healthy.err().lines().forEach(lines::remove);
    String all = String.join(" | ", lines);
    if (lines.isEmpty() || (kind != Kind.FROM && lines.size() > 1)) {
      return Optional.of("not one message: " + all);
    }
    if (lines.stream().anyMatch(line -> !line.startsWith("topo: ") || UNCLEAR.matcher(line).find())
        || !(kind == Kind.MEMORY ? all.contains("TOPO_JAVA_OPTS") : namesFile(all))) {
      return Optional.of("not a clear message: " + all);
    }
    // The answers about other files are there, and a finding may be that a file cannot be read.
    if (!namesFault(outcome.out())
        && !healthy.out().lines().toList().containsAll(outcome.out().lines().toList())) {
      return Optional.of("stdout has what is not the answer: " + outcome.out());
    }
    return Optional.empty();
  }

  /** Whether a file is named, by its path or, in an image, by that inside; or one of this build. */
  private boolean namesFile(String message) {
    return message.contains(folder.toString())
        || message.contains("/target/classes: ")
        || message.contains("/target/test-classes: ")
        || message.contains(" /bin/")
        || message.contains(" /opt/lib/");
  }

  private Map<String, String> files(String below) throws IOException {
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> tree = Files.walk(folder.resolve(below))) {
      for (Path file : tree.toList()) {
        String name = folder.relativize(file).toString();
        if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
          files.put(name, new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
        } else if (name.startsWith("tmp/")) {
          files.put(name, "");
        }
      }
    }
    return files;
  }

  private void clear(String name) throws IOException {
    try (Stream<Path> tree = Files.walk(folder.resolve(name))) {
      for (Path file : tree.sorted(Comparator.reverseOrder()).toList()) {
        if (!file.equals(folder.resolve(name))) {
          Files.delete(file);
        }
      }
    }
  }
}

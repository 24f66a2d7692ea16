package dev.topo.property;

import dev.topo.model.QuantityFormat;
import dev.topo.model.fixture.Thorough;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * All commands have the same choice of a call: algorithm, protocol, channels, threads; and the same
 * time where they state one. {@code predict} is what the others are compared with.
 */
class CommandsTest {
  /** The time between two kernels, which {@code workload} leaves out (docs/workload.md). */
  private static final double BETWEEN_KERNELS_US = 1.4;

  /** Launches run beside kernels, and make a call longer by this factor at most (Overlap). */
  private static final double BESIDE_LAUNCHES = Math.pow(2, 1.0 / 16);

  private static final double DIGITS = 1e-5;

  private static final Pattern TAKES =
      Pattern.compile(
          "NCCL runs (\\w+) with (\\w+) on (\\d+(?: of at most \\d+)?) channels? of (\\d+) threads, because its own model has the shortest time for it, "
              + "([0-9.]+ [mu]?s)");

  private static final Pattern PREDICTED =
      Pattern.compile("Predicted are (\\S+ \\w+) by (\\w+)/(\\w+)");

  private static final Pattern ROW = Pattern.compile("<tr>(<td.*?)</tr>");
  private static final Pattern CELL = Pattern.compile("<td[^>]*>(.*?)</td>");

  private final Counts counts =
      new Counts("tune = predict = explain = whatif = sweep = workload = report");

  @TempDir private Path folder;

  @Test
  void allCommandsGiveTheSameAnswer() throws IOException {
    for (DrawnJob job : Cases.every(Thorough.isOn() ? 1 : 25).toList()) {
      compare(job);
    }
    counts.report();
  }

  private void compare(DrawnJob job) throws IOException {
    counts.begin(job);
    Command predict =
        Command.run(job.withCalls(job.command("predict", folder)), "--format", "json");
    Command tune = Command.run(job.withCalls(job.command("tune", folder)), "--format", "json");
    if (predict.out().isEmpty() || tune.out().isEmpty()) {
      counts.other("without an answer");
      return;
    }
    List<Call> calls = calls(job, predict.json(), tune.json());
    whatif(job, calls);
    workload(job, calls);
    report(job, calls);
    explain(job, calls);
    if (job.first().isEmpty()) {
      sweep(job, calls);
    } else {
      counts.other("unequal nodes, which sweep does not have");
    }
  }

  /**
   * A call by {@code predict} and {@code tune}.
   *
   * @param predicted what {@code predict} has; absent where NCCL refuses the call
   * @param choice what {@code tune} has
   */
  private record Call(Collective collective, long bytes, JsonNode predicted, JsonNode choice) {
    boolean isRefused() {
      return predicted.isMissingNode();
    }

    String text(String name) {
      return predicted.get(name).asString();
    }

    /** The size as nccl-tests rounds it; traces have exact sizes. */
    long wholeBytes(int ranks) {
      CollectiveCall call = CollectiveCall.of(collective, bytes);
      return call.emptiness(ranks).isPresent() ? 0 : call.whole(ranks).sizeBytes();
    }
  }

  private List<Call> calls(DrawnJob job, JsonNode predict, JsonNode tune) {
    List<Call> calls = new ArrayList<>();
    for (JsonNode tuned : tune.get("choices")) {
      String collective = tuned.get("collective").asString();
      long bytes = tuned.get("bytes").asLong();
      Call call =
          new Call(
              job.collectives().stream()
                  .filter(one -> one.ncclTestsName().equals(collective))
                  .findFirst()
                  .orElseThrow(),
              bytes,
              find(predict.get("predictions"), collective, bytes),
              tuned);
      calls.add(call);
      counts.same("refused by tune and predict", tuned.get("algorithm").isNull(), call.isRefused());
      if (!call.isRefused()) {
        choice("tune", call, tuned);
        channels("tune", call, tuned);
      }
    }
    return calls;
  }

  /** Those that the tuner allows, and those that a single call is launched on. */
  private void channels(String command, Call call, JsonNode entry) {
    for (String field : List.of("channels", "launchedChannels")) {
      counts.same(
          "%s, %s of %s".formatted(command, field, call),
          call.text(field),
          entry.get(field).asString());
    }
  }

  private static JsonNode find(JsonNode entries, String collective, long bytes) {
    for (JsonNode entry : entries) {
      if (entry.get("collective").asString().equals(collective)
          && entry.get("bytes").asLong() == bytes) {
        return entry;
      }
    }
    return entries.path("none");
  }

  private void choice(String command, Call call, JsonNode entry) {
    String at = command + " of " + call.collective() + " " + call.bytes();
    counts.same(at, call.text("algorithm"), entry.get("algorithm").asString());
    counts.same(at, call.text("protocol"), entry.get("protocol").asString());
  }

  private void whatif(DrawnJob job, List<Call> calls) {
    List<String> words = new ArrayList<>(job.withCalls(job.command("whatif", folder)));
    if (job.first().isPresent()) {
      words.add(1, folder.resolve(job.machine().name()).toString());
    }
    // Nothing changes.
    words.add(2, "env NCCL_DEBUG=VERSION");
    JsonNode answer = Command.run(words, "--format", "json").json();
    memory(job, calls, answer.at("/before/memory/gpuBytes"));
    for (Call call : calls) {
      for (JsonNode outcome : List.of(answer.get("before"), answer.get("variants").get(0))) {
        JsonNode entry =
            find(outcome.get("calls"), call.collective().ncclTestsName(), call.bytes());
        if (call.isRefused()) {
          counts.check("whatif: " + entry, entry.get("algorithm").isNull());
          continue;
        }
        choice("whatif", call, entry);
        channels("whatif", call, entry);
        counts.same("whatif", call.predicted().get("timeUs"), entry.get("timeUs"));
        counts.same("whatif", call.predicted().get("source"), entry.get("source"));
      }
    }
  }

  /** The same calls take the same memory. */
  private void memory(DrawnJob job, List<Call> calls, JsonNode expected) {
    String steps =
        calls.stream()
            .map(call -> ",%s %d B".formatted(call.collective().ncclTestsName(), call.bytes()))
            .collect(Collectors.joining("", "init", ""));
    Command memory =
        Command.run(job.command("memory", folder), "--steps", steps, "--format", "json");
    counts.same("memory", expected, memory.json().at("/total/gpuBytes"));
  }

  private void workload(DrawnJob job, List<Call> all) throws IOException {
    StringBuilder table = new StringBuilder("group,operation,bytes,datatype,count\n");
    int ranks = job.job().nRanks();
    // Of what nccl-tests rounds to no element a trace has none.
    List<Call> calls = all.stream().filter(call -> call.wholeBytes(ranks) > 0).toList();
    if (calls.isEmpty()) {
      return;
    }
    for (Call call : calls) {
      table.append(
          "0-%d,%s,%d,float32,1%n"
              .formatted(ranks - 1, call.collective().ncclTestsName(), call.wholeBytes(ranks)));
    }
    Path file = Files.writeString(folder.resolve("calls.csv"), table);
    List<String> words = new ArrayList<>(job.command("workload", folder));
    if (job.first().isEmpty()) {
      words.add(1, "--machine");
    }
    words.add(1, file.toString());
    Command command = Command.run(words, "--format", "csv");
    counts.same("workload: " + command.err(), 0, command.status());
    List<Map<String, String>> rows = command.status() == 0 ? command.csv() : List.of();
    for (Map<String, String> row : rows) {
      calls.stream()
          .filter(
              call ->
                  call.collective().ncclTestsName().equals(row.get("collective"))
                      && row.get("bytes").equals(String.valueOf(call.wholeBytes(ranks))))
          .forEach(call -> workload(call, row));
    }
    counts.same("rows of workload", command.status() == 0 ? calls.size() : 0, rows.size());
  }

  private void workload(Call call, Map<String, String> row) {
    if (call.isRefused()) {
      counts.check("workload " + row, row.getOrDefault("predicted_us", "").isEmpty());
      return;
    }
    counts.same("workload", call.text("algorithm"), row.get("algorithm"));
    counts.same("workload", call.text("protocol"), row.get("protocol"));
    counts.same("workload", call.text("launchedChannels"), row.get("predicted_channels"));
    counts.same(
        "workload threads of " + call,
        String.valueOf(Math.max(128, call.choice().get("threads").asInt())),
        row.get("predicted_threads"));
    double kernel = Double.parseDouble(row.getOrDefault("predicted_us", ""));
    double whole = call.predicted().get("timeUs").asDouble();
    boolean isLaunch = call.text("bottleneck").equals("launch");
    counts.check(
        "workload: kernel of %s us of a call of %s us, %s".formatted(kernel, whole, call),
        kernel <= whole * (1 + DIGITS)
            && (isLaunch
                || (kernel + BETWEEN_KERNELS_US) * BESIDE_LAUNCHES >= whole * (1 - DIGITS)));
  }

  private void report(DrawnJob job, List<Call> calls) throws IOException {
    Path page = Files.createTempDirectory(folder, "page").resolve("page.html");
    List<String> words = new ArrayList<>(job.withCalls(job.command("report", folder)));
    Command command = Command.run(words, "-o", page.toString());
    counts.same("report: " + command.err(), 0, command.status());
    List<List<String>> rows =
        ROW.matcher(Files.readString(page))
            .results()
            .map(row -> CELL.matcher(row.group(1)).results().map(cell -> cell.group(1)).toList())
            .toList();
    for (Call call : calls) {
      if (!call.isRefused()) {
        report(call, calls, rows);
      }
    }
  }

  /**
   * Its row of predictions: collective, size, by, channels, time, …; and of choices. Sizes that are
   * shown alike have rows in their order.
   */
  private void report(Call call, List<Call> calls, List<List<String>> rows) {
    String name = call.collective().label();
    String size = QuantityFormat.size(call.bytes());
    List<Call> shownAlike =
        calls.stream()
            .filter(other -> !other.isRefused() && other.collective() == call.collective())
            .filter(other -> QuantityFormat.size(other.bytes()).equals(size))
            .toList();
    List<List<String>> found =
        rows.stream()
            .filter(row -> row.size() > 9 && row.get(0).equals(name) && row.get(1).equals(size))
            .toList();
    counts.same("rows of report for " + call, shownAlike.size(), found.size());
    if (found.size() == shownAlike.size()) {
      List<String> row = found.get(shownAlike.indexOf(call));
      String by = call.text("algorithm") + "/" + call.text("protocol");
      counts.same("report", by, row.get(2).replace("*", ""));
      counts.same("report channels of " + call, Shown.channels(call.predicted()), row.get(3));
      counts.rounded("report time", call.predicted().get("timeUs"), row.get(4));
      counts.same("report algbw", call.predicted().get("algbwGBps"), row.get(6));
      counts.rounded("report busbw", call.predicted().get("busbwGBps"), row.get(7));
    }
  }

  private void explain(DrawnJob job, List<Call> calls) {
    Call call = calls.get((int) (job.seed() % calls.size()));
    List<String> words =
        DrawnJob.withCalls(
            job.command("explain", folder), List.of(call.collective()), List.of(call.bytes()));
    String text = Command.run(words, "--about", "choice,bound").out();
    Matcher takes = TAKES.matcher(text.replaceAll("\\s+", " "));
    boolean isFound = takes.find();
    counts.same("explain: a choice of " + call, !call.isRefused(), isFound);
    if (!isFound) {
      return;
    }
    counts.same("explain", call.text("algorithm"), takes.group(1));
    counts.same("explain", call.text("protocol"), takes.group(2));
    counts.same("explain channels of " + call, Shown.channels(call.predicted()), takes.group(3));
    counts.same(
        "explain threads of " + call, call.choice().get("threads").asString(), takes.group(4));
    counts.same("explain time of the model", call.choice().get("timeUs"), takes.group(5));
    Matcher predicted = PREDICTED.matcher(text);
    if (predicted.find()) {
      counts.same("explain time", call.predicted().get("timeUs"), predicted.group(1));
      counts.same("explain", call.text("algorithm"), predicted.group(2));
      counts.same("explain", call.text("protocol"), predicted.group(3));
    }
  }

  private void sweep(DrawnJob job, List<Call> calls) throws IOException {
    Path spec = folder.resolve("spec.yaml");
    Files.writeString(
        spec,
        """
        name: property
        machines: [%s]
        nodes: [%d]
        nccl: [%s]
        collectives: [%s]
        sizes: [%s]
        axes: {settings: {set: %s}}
        """
            .formatted(
                DrawnJob.write(job.machine(), folder),
                job.nodes(),
                job.nccl(),
                String.join(
                    ", ", job.collectives().stream().map(Collective::ncclTestsName).toList()),
                String.join(", ", job.sizes().stream().map(String::valueOf).toList()),
                job.settings().isEmpty() ? "" : "env " + job.settings().get(0)));
    Path results = Files.createTempDirectory(folder, "sweep");
    Command done = Command.run(List.of("sweep", spec.toString(), "-o", results.toString()));
    counts.same("sweep: " + done.err(), 0, done.status());
    if (done.status() != 0) {
      return;
    }
    List<Map<String, String>> rows;
    try (Stream<Path> parts = Files.list(results)) {
      Path part =
          parts.filter(file -> file.toString().endsWith(".csv.gz")).findFirst().orElseThrow();
      try (GZIPInputStream in = new GZIPInputStream(Files.newInputStream(part))) {
        rows = new Command(0, new String(in.readAllBytes()), "").csv();
      }
    }
    counts.same("rows of sweep", calls.size(), rows.size());
    IntStream.range(0, Math.min(calls.size(), rows.size()))
        .forEach(i -> sweep(calls.get(i), rows.get(i)));
  }

  private void sweep(Call call, Map<String, String> row) {
    if (call.isRefused()) {
      counts.check("sweep: " + row, row.getOrDefault("time_us", "").isEmpty());
      return;
    }
    counts.same("sweep", call.text("collective"), row.get("collective"));
    counts.same("sweep", call.text("bytes"), row.get("bytes"));
    counts.same("sweep", call.text("algorithm"), row.get("algorithm"));
    counts.same("sweep", call.text("protocol"), row.get("protocol"));
    counts.same("sweep", call.text("launchedChannels"), row.get("channels"));
    counts.same("sweep", call.text("source"), row.get("source"));
    counts.same("sweep", call.predicted().get("timeUs"), String.valueOf(row.get("time_us")));
  }
}

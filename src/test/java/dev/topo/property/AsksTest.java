package dev.topo.property;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.Topo;
import dev.topo.cli.fixture.CliRun;
import dev.topo.inspect.caveat.Caveat;
import dev.topo.inspect.caveat.ModelLimit;
import dev.topo.model.fixture.NotRun;
import dev.topo.model.fixture.Thorough;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.SettingException;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.model.operation.Call;
import dev.topo.search.fixture.SharedGraphs;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.visualizer.serve.MachineShelf;
import dev.topo.visualizer.serve.PageEvaluator;
import dev.topo.visualizer.serve.PageServer;
import dev.topo.visualizer.view.OptionWords;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * One question has one answer, whoever is asked: {@code predict}, {@code tune}, {@code explain},
 * {@code whatif} (before), {@code sweep}, the page and {@link Topo} have the same choice, time,
 * refusal, caveats and exit status.
 */
@Tag("slow")
class AsksTest {
  private static final int ALL = 2_000;
  private static final int SAMPLE = 40;
  private static final long SEED = Long.getLong("test.seed", 1);

  /** Those of calls: figures of memory are of {@code whatif} and the page alone. */
  private static final Set<String> LIMITS =
      Arrays.stream(ModelLimit.values())
          .filter(limit -> limit != ModelLimit.MEMORY_PARTS)
          .map(ModelLimit::id)
          .collect(Collectors.toSet());

  private static final JsonMapper JSON = JsonMapper.shared();
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final MachineShelf SHELF = new MachineShelf();
  private static final List<Throwable> FAULTS = new ArrayList<>();
  private static PageServer server;
  private static int files;

  private final Counts counts =
      new Counts("predict = tune = explain = whatif = sweep = page = Topo");

  @TempDir private Path folder;

  @BeforeAll
  static void start() throws IOException {
    Inputs inputs = new Inputs();
    server =
        PageServer.start(
            0,
            new PageEvaluator(SHELF, new JobEvaluator(SharedGraphs.GRAPHS, inputs), inputs),
            FAULTS::add);
  }

  @AfterAll
  static void stop() {
    server.close();
    assertEquals(List.of(), FAULTS);
  }

  @Test
  void allFrontDoorsAgree() throws IOException, InterruptedException {
    int count = Integer.getInteger("test.iters", Thorough.isOn() ? ALL : SAMPLE);
    if (count < ALL) {
      NotRun.print(
          "%d of %d questions to all front doors%s".formatted(ALL - count, ALL, Thorough.HOW));
    }
    for (long seed : LongStream.range(SEED, SEED + count).toArray()) {
      ask(DrawnAsk.of(seed));
    }
    counts.report();
  }

  private void ask(DrawnAsk asked) throws IOException, InterruptedException {
    counts.begin(asked.toString());
    Path file = DrawnJob.write(asked.machine(), folder);
    CliRun predict = run(asked.command("predict", file));
    if (predict.err().contains("is one rank")) {
      counts.other("of one rank");
      return;
    }
    if (predict.err().contains("no calibration fits this machine")) {
      counts.other("of sends and receives without a calibration");
      return;
    }
    if (predict.out().contains("and there is no port")) {
      counts.other("of sends and receives without a port");
      return;
    }
    CliRun tune = run(asked.command("tune", file));
    List<String> words = new ArrayList<>(asked.command("whatif", file));
    words.add(2, "env NCCL_DEBUG=VERSION");
    CliRun whatif = run(words);
    CliRun explain = run(asked.command("explain", file));
    counts.same("status of tune " + tune.err(), predict.status(), tune.status());
    counts.same("status of explain " + explain.err(), predict.status(), explain.status());
    counts.same("status of whatif " + whatif.err(), predict.status(), whatif.status());
    if (Stream.of(tune, explain, whatif).anyMatch(other -> other.status() != predict.status())) {
      return;
    }
    if (predict.status() > 1) {
      counts.other("failing");
      String why = why(predict.err());
      for (CliRun other : List.of(tune, whatif, explain)) {
        counts.same("message", why, why(other.err()));
      }
      sweep(asked, file, Optional.empty(), why);
      counts.check("page has an error", page(asked, file).has("error"));
      counts.check("Topo throws " + why, topo(asked, file, Optional.empty()));
      return;
    }
    JsonNode document = JSON.readTree(predict.out());
    Answer answer = Answer.of(document);
    if (answer.time().isMissingNode() && answer.refusal().isEmpty()) {
      counts.check("predict has neither a time nor a refusal: " + predict.out(), false);
      return;
    }
    counts.same("status", answer.refusal().isEmpty() ? 0 : 1, predict.status());
    if (!answer.refusal().isEmpty()) {
      counts.other("refused");
    }
    tune(asked, answer, JSON.readTree(tune.out()));
    whatif(answer, JSON.readTree(whatif.out()).get("before").get("calls").get(0));
    caveats("whatif", answer, JSON.readTree(whatif.out()));
    explain(asked, answer, explain.out());
    caveats("explain", answer, JSON.readTree(explain.out()));
    sweep(asked, file, Optional.of(answer), "");
    JsonNode page = page(asked, file);
    counts.same("sentence of the page", document.get("answer"), page.get("answer"));
    caveats("page", answer, page);
    counts.check("Topo", topo(asked, file, Optional.of(answer)));
  }

  private static CliRun run(List<String> words) {
    return CliRun.of(words.toArray(String[]::new));
  }

  /** The message, without what says where. */
  private static String why(String err) {
    return err.lines()
        .filter(line -> !line.contains(": note: ") && !line.contains(": warning: "))
        .findFirst()
        .orElse("")
        .replaceFirst("^topo: (.*: NCCL fails on this topology: )?", "");
  }

  /**
   * What {@code predict} says.
   *
   * @param time its row; absent where there is no time
   * @param refusal why there is none
   * @param caveats what is not modelled
   */
  private record Answer(JsonNode time, String refusal, TreeSet<String> caveats) {
    static Answer of(JsonNode document) {
      return new Answer(
          document.get("predictions").path(0),
          document.get("refused").path(0).path("reason").asString(""),
          limits(document));
    }

    String text(String name) {
      return time.path(name).asString("");
    }
  }

  /** The limits of the model, which have a name. */
  private static TreeSet<String> limits(JsonNode document) {
    TreeSet<String> limits = new TreeSet<>();
    for (JsonNode caveat : document.path("caveats")) {
      String text = caveat.asString();
      if (LIMITS.contains(text.split(": ", 2)[0])) {
        limits.add(text);
      }
    }
    return limits;
  }

  private void caveats(String who, Answer answer, JsonNode document) {
    counts.same("caveats of " + who, answer.caveats(), limits(document));
  }

  private void choice(String who, Answer answer, JsonNode entry) {
    counts.same(who + " algorithm", answer.text("algorithm"), entry.path("algorithm").asString(""));
    counts.same(who + " protocol", answer.text("protocol"), entry.path("protocol").asString(""));
  }

  private void tune(DrawnAsk asked, Answer answer, JsonNode document) {
    caveats("tune", answer, document);
    if (!asked.isCollective()) {
      counts.same(
          "transfers of tune", answer.refusal().isEmpty(), !document.path("transfers").isEmpty());
      return;
    }
    JsonNode entry = document.get("choices").get(0);
    refusal("tune", answer, entry.path("refusal").asString(""));
    choice("tune", answer, entry);
    for (String field : List.of("channels", "launchedChannels")) {
      counts.same("tune " + field, answer.text(field), entry.path(field).asString(""));
    }
  }

  /** A refusal has the reason of predict, in a sentence. */
  private void refusal(String who, Answer answer, String found) {
    counts.check(
        who + " refuses: " + found + ", predict: " + answer.refusal(),
        answer.refusal().isEmpty() == found.isEmpty() && found.endsWith(answer.refusal()));
  }

  private void whatif(Answer answer, JsonNode entry) {
    refusal("whatif", answer, entry.path("refusal").asString(""));
    choice("whatif", answer, entry);
    for (String field : List.of("timeUs", "timeLowUs", "timeHighUs", "busbwGBps", "source")) {
      counts.same("whatif " + field, answer.text(field), entry.path(field).asString(""));
    }
  }

  private void explain(DrawnAsk asked, Answer answer, String out) {
    if (!answer.refusal().isEmpty()) {
      counts.check("explain has " + answer.refusal(), out.contains(answer.refusal()));
    } else if (asked.isCollective()) {
      String runs =
          "NCCL runs %s with %s on".formatted(answer.text("algorithm"), answer.text("protocol"));
      counts.check("explain has " + runs, out.contains(runs));
    }
  }

  private void sweep(DrawnAsk asked, Path file, Optional<Answer> answer, String why)
      throws IOException {
    Path results = Files.createTempDirectory(folder, "sweep");
    Path spec = Files.writeString(folder.resolve("spec.yaml"), asked.specification(file));
    CliRun done = run(List.of("sweep", spec.toString(), "-o", results.toString()));
    boolean isAnswered = answer.filter(known -> known.refusal().isEmpty()).isPresent();
    counts.same("answered by sweep: " + done.err(), isAnswered, done.status() == 0);
    List<Map<String, String>> rows = rows(results);
    if (rows.isEmpty()) {
      counts.check("sweep fails as " + why + ": " + done.err(), answer.isEmpty());
      return;
    }
    Map<String, String> row = rows.get(0);
    String error = row.getOrDefault("error", "");
    if (answer.isEmpty()) {
      counts.check("sweep: " + error + " as " + why, error.isEmpty() == why.isEmpty());
      return;
    }
    refusal("sweep", answer.get(), error);
    if (isAnswered) {
      counts.same(
          "sweep algorithm",
          answer.get().text("algorithm").replace("null", ""),
          row.get("algorithm"));
      counts.same("sweep protocol", answer.get().text("protocol"), row.get("protocol"));
      counts.same("sweep time", answer.get().time().get("timeUs"), row.getOrDefault("time_us", ""));
      TreeSet<String> caveats =
          new TreeSet<>(List.of(row.getOrDefault("caveats", "").split(" \\| ")));
      caveats.remove("");
      counts.check(
          "sweep: " + caveats + " for " + answer.get().caveats(),
          caveats.containsAll(answer.get().caveats()));
    }
  }

  private static List<Map<String, String>> rows(Path results) throws IOException {
    try (Stream<Path> parts = Files.list(results)) {
      Optional<Path> part = parts.filter(one -> one.toString().endsWith(".csv.gz")).findFirst();
      if (part.isEmpty()) {
        return List.of();
      }
      try (GZIPInputStream in =
          new GZIPInputStream(new ByteArrayInputStream(Files.readAllBytes(part.get())))) {
        return new Command(0, new String(in.readAllBytes(), StandardCharsets.UTF_8), "").csv();
      }
    }
  }

  private JsonNode page(DrawnAsk asked, Path file) throws IOException, InterruptedException {
    SHELF.add(file, Files.readAllBytes(file));
    StringBuilder form = new StringBuilder();
    asked
        .form("file-" + files++)
        .forEach(
            field ->
                form.append(form.isEmpty() ? "" : "&")
                    .append(field.getKey())
                    .append('=')
                    .append(URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8)));
    HttpRequest request =
        HttpRequest.newBuilder(server.address().resolve("/api/answer"))
            .header("X-Topo-Token", server.address().getFragment().replace("token=", ""))
            .POST(BodyPublishers.ofString(form.toString()))
            .build();
    HttpResponse<String> reply = CLIENT.send(request, BodyHandlers.ofString());
    return JSON.readTree(reply.body());
  }

  private boolean topo(DrawnAsk asked, Path file, Optional<Answer> answer) {
    try {
      Topo topo = Topo.open(file).nodes(asked.nodes()).release(asked.nccl());
      for (String setting : asked.settings()) {
        topo = topo.set(setting.split("=", 2)[0], setting.split("=", 2)[1]);
      }
      Call call = asked.call();
      Prediction prediction = topo.predict(call);
      TreeSet<String> caveats = new TreeSet<>();
      for (Caveat caveat : topo.caveats(call)) {
        caveats.add(OptionWords.of(caveat.text()));
      }
      answer.ifPresent(
          known -> {
            counts.same(
                "Topo time", known.time().path("timeUs"), String.valueOf(prediction.timeUs()));
            counts.same("Topo by", known.text("protocol"), prediction.protocol().label());
            counts.same("caveats of Topo", known.caveats(), caveats);
          });
      return answer.filter(known -> known.refusal().isEmpty()).isPresent();
    } catch (SettingException | UnusableTopologyException | TopologyFormatException e) {
      answer.ifPresent(known -> refusal("Topo", known, String.valueOf(e.getMessage())));
      return answer.filter(known -> known.refusal().isEmpty()).isEmpty();
    }
  }
}

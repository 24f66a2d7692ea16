package dev.topo.cli;

import dev.topo.cli.fixture.CliRun;
import dev.topo.model.io.Inputs;
import dev.topo.search.fixture.SharedGraphs;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.visualizer.serve.MachineShelf;
import dev.topo.visualizer.serve.PageEvaluator;
import dev.topo.visualizer.serve.PageServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A server of pages for a test, with the machines that topo ships. */
final class ServedPage implements AutoCloseable {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));

  private final List<Throwable> faults = new ArrayList<>();
  private final PageServer server;

  ServedPage() throws IOException {
    Inputs inputs = new Inputs();
    server =
        PageServer.start(
            0,
            new PageEvaluator(
                new MachineShelf(), new JobEvaluator(SharedGraphs.GRAPHS, inputs), inputs),
            faults::add);
  }

  /** The address with the token. */
  URI address() {
    return server.address();
  }

  /** What went wrong in the server. */
  List<Throwable> faults() {
    return faults;
  }

  /** The answer to the form of a question. */
  JsonNode answer(String form) throws IOException, InterruptedException {
    return JsonMapper.shared().readTree(text("/api/answer", form));
  }

  /** What a request with the form of a question gets. */
  String text(String path, String form) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(address().resolve(path))
            .header("X-Topo-Token", address().getFragment().replace("token=", ""))
            .POST(BodyPublishers.ofString(form))
            .build();
    return CLIENT.send(request, BodyHandlers.ofString()).body();
  }

  /** What the command line answers, as JSON; files are those of the project. */
  static JsonNode ofCommandLine(String commandLine) {
    return JsonMapper.shared().readTree(printed(commandLine, "--format", "json"));
  }

  /** What the command line prints, with further words. */
  static String printed(String commandLine, String... further) {
    String folder = ROOT + "/";
    List<String> words =
        new ArrayList<>(
            CliRun.words(commandLine).stream()
                .skip(1)
                .map(
                    word ->
                        word.replaceFirst(
                            "(^|^machine )topologies/", "$1" + folder + "topologies/"))
                .toList());
    words.addAll(List.of(further));
    return CliRun.of(words.toArray(String[]::new)).out().replace(folder, "");
  }

  /** A document without its command line and the list of files that were read. */
  static JsonNode compared(JsonNode document) {
    ObjectNode copy = (ObjectNode) document.deepCopy();
    copy.remove(List.of("command", "inputs"));
    return copy;
  }

  @Override
  public void close() {
    server.close();
  }
}

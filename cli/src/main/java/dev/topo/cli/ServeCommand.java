package dev.topo.cli;

import static dev.topo.cli.option.OptionValue.refuseIf;

import dev.topo.cli.terminal.Streams;
import dev.topo.model.io.OutputException;
import dev.topo.model.xml.XmlReader;
import dev.topo.visualizer.serve.MachineShelf;
import dev.topo.visualizer.serve.PageEvaluator;
import dev.topo.visualizer.serve.PageServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code topo serve}: shows the machine in the browser, where it can be edited. */
@Command(
    name = "serve",
    description =
        "The machine in the browser: see it, change it, see what changes. Serves a page on 127.0.0.1 until Ctrl-C.")
final class ServeCommand extends Subcommand {
  private static final int MAX_PORT = 65_535;

  @Parameters(
      paramLabel = "FILE",
      arity = "0..*",
      description = "Topology files that the page offers first.")
  private List<Path> files = List.of();

  @Option(
      names = "--port",
      paramLabel = "N",
      description = "The port to listen on (default: a free one).")
  private int port;

  @Option(names = "--open", description = "Open the page in the browser.")
  private boolean open;

  @Option(
      names = "--stdio",
      description =
          "Serve programs instead: a command line in each line of standard input, as in"
              + " {\"id\": 1, \"args\": [\"predict\", \"dgx-h100\"]}, a line with the reply for each, until the"
              + " input ends.")
  private boolean stdio;

  @Override
  public Integer call() throws InterruptedException, IOException {
    if (stdio) {
      refuseIf(port > 0 || open || !files.isEmpty(), "--stdio: expected no other argument");
      new CommandServer(streams(), environment()).serve(System.in);
      return ExitStatus.DONE;
    }
    refuseIf(port < 0 || port > MAX_PORT, "--port %s: expected 0 to %s".formatted(port, MAX_PORT));
    MachineShelf shelf = new MachineShelf();
    for (Path file : files) {
      Path read = Streams.file(file.toString());
      shelf.add(read, new XmlReader().bytes(read, inputs()));
    }
    PageEvaluator evaluator = new PageEvaluator(shelf, evaluator(), inputs());
    try (PageServer server = start(evaluator)) {
      streams().print(server.address() + "\n");
      message("Ctrl-C ends the server");
      if (open) {
        open(server.address());
      }
      // Waits until the process ends or the thread is interrupted: nothing counts the latch down.
      new CountDownLatch(1).await();
    }
    return ExitStatus.DONE;
  }

  private PageServer start(PageEvaluator evaluator) {
    try {
      return PageServer.start(port, evaluator, fault -> message("a question failed: " + fault));
    } catch (IOException e) {
      throw new OutputException(
          "--port %s: cannot listen there: %s; expected a free port, or none for any"
              .formatted(port, e.getMessage()),
          e);
    }
  }

  /** Opens the page in a browser. If that fails, the user still has the printed address. */
  private void open(URI address) {
    try {
      new ProcessBuilder("xdg-open", address.toString())
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start();
    } catch (IOException e) {
      message("note: no browser was opened: " + e.getMessage());
    }
  }
}

package dev.topo.cli;

import dev.topo.cli.option.job.FabricOptions;
import dev.topo.cli.option.job.JobOptions.JobPart;
import dev.topo.model.settings.NcclSettings;
import dev.topo.model.settings.SettingException;
import dev.topo.output.Answer;
import dev.topo.output.graph.ConnectionJson;
import dev.topo.output.graph.ConnectionText;
import dev.topo.output.graph.ConnectionTsv;
import dev.topo.output.graph.Excerpt;
import dev.topo.output.graph.FabricText;
import dev.topo.search.connect.Connection;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code topo connect}: rings and trees over all ranks. */
@Command(
    name = "connect",
    description =
        "The rings and trees of a job over all its ranks, and its NVLS, CollNet and peer-to-peer channels.",
    footer = {
      "",
      "Example: topo connect topologies/dgx-h100.xml --nodes 4",
      "Example: topo connect topologies/dgx-h100.xml --nodes 12500 --rank 0 --channel 0 --format tsv",
      "Example: topo connect topologies/dgx-h100.xml --nodes 2 --fabric switches.csv"
    })
final class ConnectCommand extends JobCommand {
  @Option(
      names = "--format",
      description =
          "${COMPLETION-CANDIDATES} (default: by the ending of -o, else ${DEFAULT-VALUE}).")
  private TableFormat format = TableFormat.text;

  @Option(names = "--rank", paramLabel = "R", split = ",", description = "Only these ranks.")
  private TreeSet<Integer> ranks = new TreeSet<>();

  @Option(names = "--channel", paramLabel = "C", split = ",", description = "Only these channels.")
  private TreeSet<Integer> channels = new TreeSet<>();

  @Mixin private FabricOptions fabric = new FabricOptions();

  @Override
  boolean hasTimes() {
    return false;
  }

  @Override
  Answer answer(List<Path> topologyFiles, NcclSettings settings) {
    if (fabric.isGiven() && format != TableFormat.text) {
      throw new SettingException("--fabric: expected --format text");
    }
    List<Answer> answers = new ArrayList<>();
    List<ConnectionJson.Communicator> communicators = new ArrayList<>();
    for (JobPart part : parts(topologyFiles, settings)) {
      Connection connection = evaluator().connect(part.job());
      Excerpt excerpt = excerpt(connection);
      switch (format) {
        case text -> answers.add(text(part, connection, excerpt));
        case tsv ->
            answers.add(
                ConnectionTsv.of(
                    connection, excerpt, job().hasSplit(), part.label(), answers.isEmpty()));
        case json ->
            communicators.add(ConnectionJson.communicator(part.title(), connection, excerpt));
      }
    }
    return format == TableFormat.json
        ? ConnectionJson.of(communicators)
        : Answer.join(answers, format == TableFormat.text ? "\n" : "");
  }

  private Answer text(JobPart part, Connection connection, Excerpt excerpt) {
    Answer text = ConnectionText.of(part.title(), connection, excerpt);
    if (!fabric.isGiven()) {
      return text;
    }
    Answer hops =
        FabricText.of(
            evaluator(),
            connection,
            fabric.switches(),
            fabric.hosts(connection, part.job()),
            part.job());
    return Answer.join(List.of(text, hops), "");
  }

  private Excerpt excerpt(Connection connection) {
    reject("--rank", ranks, connection.nRanks());
    reject("--channel", channels, connection.nChannels());
    return Excerpt.of(connection, List.copyOf(channels), List.copyOf(ranks));
  }

  private static void reject(String option, SortedSet<Integer> numbers, int count) {
    if (!numbers.isEmpty() && (numbers.first() < 0 || numbers.last() >= count)) {
      int wrong = numbers.first() < 0 ? numbers.first() : numbers.last();
      throw new SettingException(
          option + " " + wrong + ": expected a number from 0 to " + (count - 1));
    }
  }
}

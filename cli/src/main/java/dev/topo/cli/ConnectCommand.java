package dev.topo.cli;

import dev.topo.cli.option.BriefOption;
import dev.topo.cli.option.FabricOptions;
import dev.topo.cli.option.OptionValue;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingException;
import dev.topo.search.connect.Connection;
import dev.topo.simulator.evaluate.FabricResolver;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.visualizer.structure.Absence;
import dev.topo.visualizer.structure.ConnectHeadline;
import dev.topo.visualizer.structure.ConnectPart;
import dev.topo.visualizer.structure.ConnectionJson;
import dev.topo.visualizer.structure.ConnectionText;
import dev.topo.visualizer.structure.ConnectionTsv;
import dev.topo.visualizer.structure.Excerpt;
import dev.topo.visualizer.structure.FabricText;
import dev.topo.visualizer.view.Answer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code topo connect}: the place of every rank in the channels of a job. */
@Command(
    name = "connect",
    description =
        "The rings and trees of a job over all its ranks, and its NVLS, CollNet and peer-to-peer channels.",
    footer = {
      "",
      "Parts: rings-trees (neighbours in rings and trees), nvls (heads and trees of NVLS), collnet (chains, heads and",
      "dense ranks of in-network reduction), p2p (schedule of sends and receives), nics (NIC and PXN relay of transfers",
      "to other nodes).",
      "",
      "Example: topo connect topologies/dgx-h100.xml --nodes 4",
      "Example: topo connect topologies/dgx-h100.xml --nodes 4 --what nvls,p2p,nics",
      "Example: topo connect topologies/dgx-h100.xml --nodes 12500 --rank 0 --channel 0 --format tsv",
      "Example: topo connect topologies/dgx-h100.xml --nodes 2 --fabric switches.csv"
    })
final class ConnectCommand extends JobCommand {
  @Option(
      names = "--format",
      description =
          "${COMPLETION-CANDIDATES} (default: by the ending of -o, else ${DEFAULT-VALUE}).")
  private TableFormat format = TableFormat.text;

  @Option(
      names = "--what",
      split = ",",
      paramLabel = "PART",
      description =
          "rings-trees, nvls, collnet, p2p or nics; several with --format text and json (default: rings-trees).")
  private List<String> what = new ArrayList<>();

  @Option(names = "--rank", paramLabel = "R", split = ",", description = "Only these ranks.")
  private TreeSet<Integer> ranks = new TreeSet<>();

  @Option(names = "--channel", paramLabel = "C", split = ",", description = "Only these channels.")
  private TreeSet<Integer> channels = new TreeSet<>();

  @Mixin private FabricOptions fabric = new FabricOptions();

  @Mixin private BriefOption brief = new BriefOption();

  @Override
  boolean hasTimes() {
    return false;
  }

  @Override
  Answer answer(List<Path> topologyFiles, NcclSettings settings) {
    if (fabric.isGiven() && format != TableFormat.text) {
      throw new SettingException("--fabric: expected --format text");
    }
    Set<ConnectPart> parts = parts();
    List<Answer> answers = new ArrayList<>();
    List<Object> communicators = new ArrayList<>();
    List<Absence> absences = new ArrayList<>();
    String first = "";
    for (JobPart part : parts(topologyFiles, settings)) {
      Connection connection = evaluator().connect(part.job(), version().profile());
      Excerpt excerpt = excerpt(connection, parts);
      Absence absence = new Absence(connection, settings);
      absences.add(absence);
      first = first.isEmpty() ? ConnectHeadline.of(part.title(), connection) : first;
      switch (format) {
        case text -> answers.add(text(part, excerpt, parts, absence));
        case tsv ->
            answers.add(
                ConnectionTsv.of(
                    parts.iterator().next(),
                    excerpt,
                    job().hasSplit(),
                    part.label(),
                    answers.isEmpty()));
        case json ->
            communicators.add(ConnectionJson.communicator(part.title(), excerpt, parts, absence));
      }
    }
    requireAny(parts, absences);
    return switch (format) {
      case json -> ConnectionJson.of(communicators).saying(first);
      case text -> Answer.join(answers, "\n").saying(first);
      case tsv -> Answer.join(answers, "");
    };
  }

  /** The parts in their order, without those named twice. */
  private Set<ConnectPart> parts() {
    Set<ConnectPart> parts = EnumSet.noneOf(ConnectPart.class);
    for (String one : what) {
      parts.add(OptionValue.ofLabel("--what", one, ConnectPart.values(), ConnectPart::label, ""));
    }
    if (parts.size() > 1 && format == TableFormat.tsv) {
      throw new SettingException(
          "--what %s: expected one part with --format tsv, which is one table"
              .formatted(String.join(",", what)));
    }
    return parts.isEmpty() ? EnumSet.of(ConnectPart.RINGS_TREES) : parts;
  }

  /** Of no part in no communicator there is nothing to print. */
  private static void requireAny(Set<ConnectPart> parts, List<Absence> absences) {
    List<String> reasons = new ArrayList<>();
    for (Absence absence : absences) {
      for (ConnectPart part : parts) {
        Optional<String> reason = absence.of(part);
        if (reason.isEmpty()) {
          return;
        }
        reasons.add(reason.get());
      }
    }
    throw new NothingFoundException(reasons.stream().distinct().collect(Collectors.joining("; ")));
  }

  private Answer text(JobPart part, Excerpt excerpt, Set<ConnectPart> parts, Absence absence) {
    Answer text = ConnectionText.of(part.title(), excerpt, parts, absence, input().isVerbose());
    if (!fabric.isGiven()) {
      return text;
    }
    FabricResolver between = fabric.resolver(inputs());
    Answer hops =
        FabricText.of(
            evaluator(),
            excerpt.connection(),
            between.switches(),
            between.hosts(excerpt.connection(), part.job()),
            part.job());
    return Answer.join(List.of(text, hops), "");
  }

  private Excerpt excerpt(Connection connection, Set<ConnectPart> parts) {
    reject("--rank", ranks, connection.nRanks());
    if (!channels.isEmpty()) {
      reject(
          "--channel",
          channels,
          parts.stream().mapToInt(part -> part.channels(connection)).max().orElseThrow());
    }
    return Excerpt.of(connection, channels, ranks);
  }

  private static void reject(String option, SortedSet<Integer> numbers, int count) {
    if (!numbers.isEmpty() && (numbers.first() < 0 || numbers.last() >= count)) {
      int wrong = numbers.first() < 0 ? numbers.first() : numbers.last();
      throw new SettingException(
          option + " " + wrong + ": expected a number from 0 to " + (count - 1));
    }
  }
}

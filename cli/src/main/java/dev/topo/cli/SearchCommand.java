package dev.topo.cli;

import dev.topo.cli.option.OutputOptions.BriefOption;
import dev.topo.cli.option.OutputOptions.Format;
import dev.topo.model.Alike;
import dev.topo.model.QuantityFormat;
import dev.topo.model.job.Machine;
import dev.topo.model.xml.GraphWriter;
import dev.topo.search.connect.JobGraphs.DomainGraphs;
import dev.topo.search.path.Domain;
import dev.topo.search.rules.NcclProfile;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.visualizer.structure.FoundGraphs;
import dev.topo.visualizer.structure.GraphsText;
import dev.topo.visualizer.structure.SearchSentence;
import dev.topo.visualizer.view.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code topo search}: shows the graphs that NCCL finds. */
@Command(
    name = "search",
    description = "The channels NCCL finds on a machine: rings, trees, NVLS and CollNet.")
final class SearchCommand extends Subcommand {
  @Mixin private FileAnswers files = new FileAnswers();
  @Mixin private JobQuestion question = JobQuestion.withoutTimes(this);

  @Option(
      names = "--format",
      description =
          "${COMPLETION-CANDIDATES} (default: by the ending of -o, else ${DEFAULT-VALUE}).")
  private SearchFormat format = SearchFormat.text;

  private enum SearchFormat implements Format {
    text,
    xml,
    json
  }

  @Mixin private BriefOption brief = new BriefOption();

  @Override
  public Integer call() {
    return files.write(question, format, this::answer);
  }

  private Answer answer(AskedJob asked) {
    List<FoundGraphs> found = new ArrayList<>();
    for (JobPart part : asked.parts()) {
      found.addAll(search(part, asked.profile()));
    }
    Answer answer =
        switch (format) {
          case text ->
              Answer.of(GraphsText.of(found, question.isVerbose()))
                  .saying(SearchSentence.of(found));
          case json -> FoundGraphs.json(found).saying(SearchSentence.of(found));
          case xml -> Answer.of(xml(found));
        };
    return asked.answered(answer, format);
  }

  /** The graphs of each kind of machine in a communicator, separately for each group of GPUs. */
  private List<FoundGraphs> search(JobPart part, NcclProfile profile) {
    List<Machine> machines = part.job().machines();
    Map<Machine, List<Integer>> nodesByMachine = Alike.by(machines.size(), machines::get);
    List<FoundGraphs> found = new ArrayList<>();
    nodesByMachine.forEach(
        (machine, nodes) -> {
          List<DomainGraphs> domains = evaluator().graphs(machine, machines.size() > 1, profile);
          String nodeRanges = nodesByMachine.size() == 1 ? "" : QuantityFormat.ranges(nodes);
          for (int i = 0; i < domains.size(); i++) {
            found.add(
                new FoundGraphs(
                    new FoundGraphs.Place(
                        part.name(),
                        part.label(),
                        machines.size(),
                        part.job().nRanks(),
                        nodeRanges,
                        i + 1,
                        domains.size()),
                    domains.get(i).domain(),
                    domains.get(i).graphs()));
          }
        });
    return found;
  }

  /** The graphs of rank 0, which are the ones that NCCL dumps. */
  private String xml(List<FoundGraphs> found) {
    FoundGraphs first = found.get(0);
    if (found.size() > 1) {
      message(
          "note: the job has %s different sets of graphs; this is that of rank 0"
              .formatted(found.size()));
    }
    Domain domain = first.domain();
    return GraphWriter.write(
        first.graphs(), domain.topology(), domain.profile().search().graphFormat);
  }
}

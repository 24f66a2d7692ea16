package dev.topo.cli.lint;

import dev.topo.cli.output.Streams;
import dev.topo.model.diagnostic.TopologyFormatException;
import dev.topo.model.lint.FileKind;
import dev.topo.model.lint.Linter;
import dev.topo.model.lint.finding.LintFinding;
import dev.topo.model.lint.finding.LintRule;
import dev.topo.model.lint.text.SourceText;
import dev.topo.model.xml.XmlDocument;
import dev.topo.model.xml.XmlReader;
import dev.topo.model.xml.XmlWriter;
import dev.topo.probe.assume.Completion;
import dev.topo.probe.assume.MachineCompleter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What is found in a topology file only when NCCL has completed it with the devices of the machine:
 * rules about GPUs and network cards have nothing to say about a file that names none.
 */
public final class CompletedLint {
  /** Elements that NCCL has room for ({@code NCCL_TOPO_XML_MAX_NODES}, NCCL 2.28.9). */
  private static final int ROOM = 256;

  /**
   * Rules about attributes that NCCL fills in from the machine, which an assumption does not know.
   * Where they matter they are found in the file itself: with devices that NCCL adds, every rank
   * fills in the same.
   */
  private static final Set<LintRule> FILLED_IN =
      Set.of(LintRule.UNEQUAL_WHEN_FUSED, LintRule.MISSING_BESIDE_NIC, LintRule.FILLED_AT_RUN_TIME);

  private final MachineCompleter completer;
  private final Linter linter;
  private final LintCost cost;
  private final Streams streams;

  /** A linter of files of machines that are alike. */
  public CompletedLint(MachineCompleter completer, Linter linter, LintCost cost, Streams streams) {
    this.completer = completer;
    this.linter = linter;
    this.cost = cost;
    this.streams = streams;
  }

  /**
   * What more is found in the completed file, whose lines are those that NCCL would dump.
   *
   * @param asItIs what was found in the file itself
   * @return nothing where the file is no topology
   * @throws TopologyFormatException if it does not tell where GPUs are
   */
  public Optional<LintedFile> lint(SourceText source, LintedFile asItIs) {
    if (FileKind.of(source.file(), source.bytes()) != FileKind.TOPOLOGY) {
      return Optional.empty();
    }
    XmlDocument document = new XmlReader().read(source.bytes(), source.file());
    Completion completion = completer.complete(document);
    streams.message(
        source.file()
            + (completion.assumed().isEmpty()
                ? ": lacks nothing, nothing was assumed"
                : ": assumed " + completion.assumed()));
    streams.message(
        source.file()
            + ": the tree of a rank takes "
            + completion.elementsOfRank()
            + " elements, those of all ranks joined "
            + completion.elementsFused()
            + " if they agree; NCCL has room for "
            + ROOM);
    String name = source.file() + " (completed)";
    SourceText text =
        new SourceText(
            name, XmlWriter.write(completion.document()).getBytes(StandardCharsets.UTF_8));
    Set<LintRule> known =
        asItIs.findings().stream().map(LintFinding::rule).collect(Collectors.toSet());
    List<LintFinding> more =
        linter.lint(text, FileKind.TOPOLOGY).stream()
            .filter(finding -> !known.contains(finding.rule()))
            .filter(finding -> !FILLED_IN.contains(finding.rule()))
            .toList();
    return Optional.of(new LintedFile(name, cost.add(text, more), ""));
  }
}

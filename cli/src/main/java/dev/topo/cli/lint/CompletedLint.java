package dev.topo.cli.lint;

import dev.topo.cli.output.Streams;
import dev.topo.inspect.lint.FileKind;
import dev.topo.inspect.lint.Linter;
import dev.topo.inspect.lint.finding.LintFinding;
import dev.topo.inspect.lint.finding.LintRule;
import dev.topo.inspect.lint.text.SourceText;
import dev.topo.model.diagnostic.TopologyFormatException;
import dev.topo.model.xml.XmlDocument;
import dev.topo.model.xml.XmlReader;
import dev.topo.model.xml.XmlWriter;
import dev.topo.probe.assume.CompletedMachine;
import dev.topo.probe.assume.MachineCompleter;
import dev.topo.simulator.cost.FindingCost;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
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
  private final FindingCost cost;
  private final Streams streams;

  /** A linter of files of machines that are alike. */
  public CompletedLint(
      MachineCompleter completer, Linter linter, FindingCost cost, Streams streams) {
    this.completer = completer;
    this.linter = linter;
    this.cost = cost;
    this.streams = streams;
  }

  /**
   * What was found in a file, and what more is found in it when it is completed.
   *
   * @param asItIs what was found in the file itself
   * @throws TopologyFormatException if it does not tell where GPUs are
   */
  public LintedFile lint(SourceText source, LintedFile asItIs) {
    if (FileKind.of(source.file(), source.bytes()) != FileKind.TOPOLOGY) {
      return asItIs;
    }
    XmlDocument document = new XmlReader().read(source.bytes(), source.file());
    CompletedMachine completion = completer.complete(document);
    streams.message(
        source.file()
            + (completion.assumed().isEmpty()
                ? ": is complete, nothing was assumed"
                : ": assumed " + completion.assumed()));
    streams.message(
        source.file()
            + ": the tree of a rank takes "
            + completion.elementsOfRank()
            + " elements, those of all ranks joined "
            + completion.elementsFused()
            + "; NCCL has room for "
            + ROOM);
    SourceText text =
        new SourceText(
            source.file(), XmlWriter.write(completion.document()).getBytes(StandardCharsets.UTF_8));
    Set<LintRule> known =
        asItIs.findings().stream().map(LintFinding::rule).collect(Collectors.toSet());
    List<LintFinding> more =
        linter.lint(text, FileKind.TOPOLOGY).stream()
            .filter(finding -> !known.contains(finding.rule()))
            .filter(finding -> !FILLED_IN.contains(finding.rule()))
            .toList();
    List<LintFinding> all = new ArrayList<>(asItIs.findings());
    all.addAll(tooLarge(source.file(), completion));
    cost.add(text, more).forEach(finding -> all.add(ofWholeFile(source.file(), finding)));
    return new LintedFile(asItIs.file(), all, asItIs.changes());
  }

  /** The lines of the completed file are not those of the file. */
  private static LintFinding ofWholeFile(String file, LintFinding finding) {
    return new LintFinding(
        finding.rule(),
        finding.severity(),
        LintFinding.Place.of(file),
        "completed as assumed, " + finding.message(),
        finding.nccl(),
        finding.fix(),
        List.of());
  }

  /** What a job of all GPUs would end with, though each rank can read the file. */
  private static List<LintFinding> tooLarge(String file, CompletedMachine completion) {
    String what;
    if (completion.elementsOfRank() > ROOM) {
      what = "the tree of a rank takes " + completion.elementsOfRank();
    } else if (completion.elementsFused() > ROOM) {
      what = "the trees of all ranks joined take " + completion.elementsFused();
    } else {
      return List.of();
    }
    LintRule rule = LintRule.TOO_MANY_ELEMENTS;
    return List.of(
        new LintFinding(
            rule,
            rule.severity(),
            LintFinding.Place.of(file),
            what + " elements, NCCL has room for " + ROOM,
            "fails with an internal error (too many XML nodes) when a job starts",
            "add the attributes that are missing, so that the trees agree; leave out what the job"
                + " does not use",
            List.of()));
  }
}

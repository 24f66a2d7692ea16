package dev.topo.simulator.sweep;

import dev.topo.inspect.edit.Edit;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.ContentHash;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.simulator.calibration.CalibrationFile;
import dev.topo.simulator.evaluate.JobSpec.TimeSpec;
import dev.topo.simulator.network.NetworkFile;
import dev.topo.simulator.sweep.SweepSpec.Constants;
import dev.topo.simulator.sweep.SweepSpec.MachineFile;
import dev.topo.simulator.variant.UpgradeNotes;
import dev.topo.simulator.workload.ScaleRule;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * The variants of a specification, numbered and divided into chunks. The number of nodes varies
 * fastest, then the fabric, then the last axis: the variants of a design follow each other and are
 * in the same chunk. Thread-safe.
 */
public final class SweepPlan {
  /** Number of parts to aim at: enough for many processes with several threads each. */
  private static final int TARGET_PARTS = 512;

  /**
   * Most variants of a part, unless a design has more. If a process is killed, the work on its
   * current parts is lost.
   */
  private static final int MAX_VARIANTS_IN_PART = 1024;

  /** Most parts: all are files of one folder. */
  private static final int MAX_PARTS = 1_000_000;

  /** Most rows of a part: all are held in memory, at a few hundred bytes each. */
  private static final int MAX_ROWS_IN_PART = 1 << 22;

  private final SweepSpec spec;
  private final SpecFiles files;
  private final ReleaseRules rules;
  private final DesignSpace designs;
  private final long variantsPerDesign;
  private final long size;
  private final long rows;
  private final long chunkVariants;
  private final String hash;

  /**
   * Counts the variants.
   *
   * @param rules the rules of NCCL to use unless an edit names a release
   * @param topo version of topo, as part of the hash
   * @throws TopologyFormatException if a file cannot be used, or there are too many variants to
   *     count
   */
  public SweepPlan(SweepSpec spec, SpecFiles files, ReleaseRules rules, String topo) {
    this.spec = spec;
    this.files = files;
    this.rules = rules;
    requireFiles();
    spec.questions().forEach(question -> files.traces().read(question));
    this.designs = new DesignSpace(spec, files);
    this.variantsPerDesign = (long) spec.fabrics().size() * spec.nodes().size();
    this.size = Counted.product(spec, LongStream.of(designs.size(), variantsPerDesign));
    this.rows = Counted.product(spec, LongStream.of(size, spec.questions().size()));
    long target = Math.min(MAX_VARIANTS_IN_PART, size / TARGET_PARTS);
    this.chunkVariants = variantsPerDesign * Math.max(1, target / variantsPerDesign);
    this.hash = hashOf(topo);
  }

  /** Checks that all files exist; errors are reported at their location in the specification. */
  private void requireFiles() {
    spec.machines()
        .forEach(machine -> files.require(machine.file(), machine.location(), "a topology file"));
    for (Axis axis : spec.axes()) {
      if (axis instanceof Axis.Listed listed) {
        listed.values().stream()
            .flatMap(value -> value.edits().stream())
            .filter(Edit.UseMachine.class::isInstance)
            .map(Edit.UseMachine.class::cast)
            .forEach(use -> files.require(Path.of(use.file()), use.location(), "a topology file"));
      }
    }
    spec.calibration()
        .filter(calibration -> !isShippedCalibration(calibration))
        .ifPresent(
            calibration ->
                files.require(
                    calibration.file(),
                    calibration.location(),
                    "a file or one of " + String.join(", ", CalibrationFile.SHIPPED) + ", none"));
    spec.network()
        .filter(calibration -> !NetworkFile.SHIPPED.contains(calibration.name()))
        .ifPresent(
            calibration ->
                files.require(
                    calibration.file(),
                    calibration.location(),
                    "a file or one of " + String.join(", ", NetworkFile.SHIPPED)));
    for (Switches fabric : spec.fabrics()) {
      if (fabric instanceof Switches.Listed listed) {
        files.require(listed.file(), listed.location(), "topology.conf or node,nic,switch");
      }
    }
  }

  private static boolean isShippedCalibration(Constants constants) {
    return CalibrationFile.SHIPPED.contains(constants.name()) || constants.isNone();
  }

  /** The calibrations, which are the same for all variants. */
  TimeSpec times() {
    return new TimeSpec(
        TimeSpec.Processes.USUAL,
        spec.calibration().map(this::choice).orElse(new TimeSpec.ByMachine()),
        spec.network().map(this::file),
        TimeSpec.FabricSpec.NONE);
  }

  private TimeSpec.Constants choice(Constants constants) {
    return constants.isNone() ? new TimeSpec.NcclModel() : new TimeSpec.Named(file(constants));
  }

  private TimeSpec.NamedFile file(Constants constants) {
    return new TimeSpec.NamedFile(constants.name(), files.resolve(constants.file()));
  }

  public SweepSpec spec() {
    return spec;
  }

  /** The files of the specification. */
  SpecFiles files() {
    return files;
  }

  /** The rules of NCCL to use unless an edit names a release. */
  ReleaseRules rules() {
    return rules;
  }

  /** Number of designs. */
  public long designs() {
    return designs.size();
  }

  /** Number of variants. */
  public long size() {
    return size;
  }

  /** Number of rows. */
  public long rows() {
    return rows;
  }

  /** Number of parts that a run would have. */
  public long parts() {
    return (size - 1) / chunkVariants + 1;
  }

  /** Why the sweep is too large for a run; empty if it is not. */
  public Optional<String> tooLarge() {
    if (parts() > MAX_PARTS) {
      return Optional.of(
          "%s variants, expected at most %s for a run: fewer axes or values"
              .formatted(size, MAX_PARTS * chunkVariants));
    }
    long rowsInPart = chunkVariants * spec.questions().size();
    return rowsInPart > MAX_ROWS_IN_PART
        ? Optional.of(
            "%s rows in a part, expected at most %s for a run: fewer fabrics, nodes or questions"
                .formatted(rowsInPart, MAX_ROWS_IN_PART))
        : Optional.empty();
  }

  private void requireRunnable() {
    tooLarge()
        .ifPresent(
            why -> {
              throw new TopologyFormatException(Counted.place(spec), why);
            });
  }

  /**
   * Number of variants of a chunk; the last chunk may have fewer.
   *
   * @throws TopologyFormatException if the sweep is too large for a run
   */
  int chunkSize() {
    requireRunnable();
    return (int) chunkVariants;
  }

  /**
   * Number of chunks.
   *
   * @throws TopologyFormatException if the sweep is too large for a run
   */
  public int chunks() {
    requireRunnable();
    return (int) parts();
  }

  /** Number of variants of a particular chunk. */
  int sizeOf(int chunk) {
    return (int) Math.min(chunkVariants, size - chunk * chunkVariants);
  }

  /**
   * Hash of everything that the results depend on: the specification without prices, objective and
   * limits, the contents of its files, and the version of topo.
   */
  public String hash() {
    return hash;
  }

  /** Notes on what the sweep omits. */
  public List<String> notes() {
    List<String> notes = new ArrayList<>(designs.notes());
    if (spec.axes().stream().anyMatch(axis -> axis.name().equals(SpecReader.RELEASES))) {
      notes.addAll(UpgradeNotes.ALL);
    }
    return notes;
  }

  /** The variant with a number. */
  SweepVariant variant(long number) {
    long rest = number % variantsPerDesign;
    int nNodes = spec.nodes().size();
    return new SweepVariant(
        number,
        designs.design(number / variantsPerDesign),
        spec.fabrics().get((int) (rest / nNodes)),
        spec.nodes().get((int) (rest % nNodes)));
  }

  /** Hash of the content of a variant; the names of its values do not count. */
  String key(SweepVariant variant) {
    return new ContentHash()
        .add(content(variant.design().machine()))
        .add(content(variant.design().edits()))
        .add(content(variant.fabric()))
        .add(variant.nodes())
        .add(constants())
        .key();
  }

  private String constants() {
    return rules.release()
        + " "
        + spec.calibration().map(this::calibration).orElse("")
        + " "
        + spec.network().map(this::network).orElse("");
  }

  private String calibration(Constants constants) {
    return isShippedCalibration(constants)
        ? constants.name()
        : files.hash(constants.file(), "a calibration");
  }

  private String network(Constants constants) {
    return NetworkFile.SHIPPED.contains(constants.name())
        ? constants.name()
        : files.hash(constants.file(), "a calibration of a network");
  }

  private String content(Switches fabric) {
    if (fabric instanceof Switches.Listed listed) {
      return "file "
          + files.hash(listed.file(), "topology.conf or node,nic,switch")
          + " "
          + listed.adaptive();
    }
    if (fabric instanceof Switches.Leaves leaves) {
      return "leaves %s %s %s %s"
          .formatted(leaves.rail(), leaves.ports(), leaves.oversubscription(), leaves.adaptive());
    }
    return "wide";
  }

  private String hashOf(String topo) {
    ContentHash hash = new ContentHash().add("sweep 1").add(topo).add(chunkVariants);
    spec.machines().forEach(machine -> hash.add(machine.name()).add(content(machine)));
    for (Axis axis : spec.axes()) {
      hash.add(axis.name());
      if (axis instanceof Axis.Listed listed) {
        listed.values().forEach(value -> hash.add(value.name()).add(content(value.edits())));
      } else if (axis instanceof Axis.Placements placements) {
        hash.add(placements.most()).add(placements.perSwitch());
      }
    }
    spec.fabrics().forEach(fabric -> hash.add(fabric.name()).add(content(fabric)));
    hash.add(spec.nodes()).add(constants());
    if (spec.memory()) {
      hash.add("memory");
    }
    for (Question question : spec.questions()) {
      hash.add(content(question));
    }
    return hash.key();
  }

  private String content(MachineFile machine) {
    return files.machineHash(machine.file())
        + (machine.nvlinkDomain().isPresent() ? " in domains of " + machine.hosts() : "");
  }

  /** A question as text for the hash; traces count by their contents. */
  private String content(Question question) {
    return question instanceof Question.Traces traces
        ? "traces %s %s %s"
            .formatted(
                traces.name(),
                traces.scale().map(ScaleRule::text).orElse(""),
                files.traces().hashes(traces))
        : question.toString();
  }

  /** Edits as text for the hash; topology files count by their contents. */
  private String content(List<Edit> edits) {
    return QuantityFormat.joined(
        "; ",
        edits,
        edit ->
            edit instanceof Edit.UseMachine use
                ? "machine " + files.machineHash(Path.of(use.file()))
                : edit.text());
  }
}

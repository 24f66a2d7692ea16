package dev.topo.simulator.sweep;

import dev.topo.inspect.edit.Edit;
import dev.topo.inspect.edit.EditApplier;
import dev.topo.inspect.edit.EditedMachine;
import dev.topo.inspect.edit.NicPlacement;
import dev.topo.inspect.edit.NicPlacements;
import dev.topo.inspect.edit.PlacementSelection;
import dev.topo.model.RecentMap;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.NcclSettings;
import dev.topo.simulator.sweep.SweepSpec.MachineFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * Maps numbers to the designs of a sweep; the last axis varies fastest. The number of values of an
 * axis of placements depends on the machine after the edits of the axes before it. Placements are
 * counted once and recomputed on demand, so that memory does not depend on the number of designs.
 * Thread-safe.
 */
final class DesignSpace {
  /** Number of cached lists of placements: threads work on neighbouring designs. */
  private static final int CACHED_MACHINES = 8;

  /** Most machines whose placements are counted; each takes a few milliseconds. */
  private static final int MAX_COUNTED = 65_536;

  private final List<MachineFile> machines;
  private final List<Axis.Listed> before = new ArrayList<>();
  private final Optional<Axis.Placements> placements;
  private final List<Axis.Listed> after = new ArrayList<>();
  private final SpecFiles files;

  /** Combinations of values of the axes before the placements; of all axes without placements. */
  private final long combinationsBefore;

  /** Combinations of values of the axes after the placements. */
  private final long combinationsAfter;

  /**
   * Number of the first placement of each machine with values of the axes before the placements,
   * then the number of all placements; empty without placements.
   */
  private final long[] offsets;

  private final long size;

  private final List<String> notes = new ArrayList<>();

  private final Map<Integer, List<NicPlacement>> cache = RecentMap.of(CACHED_MACHINES);

  DesignSpace(SweepSpec spec, SpecFiles files) {
    this.machines = spec.machines();
    this.files = files;
    Optional<Axis.Placements> found = Optional.empty();
    for (Axis axis : spec.axes()) {
      if (axis instanceof Axis.Placements positions) {
        found = Optional.of(positions);
      } else if (axis instanceof Axis.Listed listed) {
        (found.isPresent() ? after : before).add(listed);
      }
    }
    this.placements = found;
    this.combinationsBefore = Counted.product(spec, sizes(before));
    this.combinationsAfter = Counted.product(spec, sizes(after));
    long prefixes = Counted.product(spec, LongStream.of(machines.size(), combinationsBefore));
    this.offsets = placements.map(axis -> offsets(axis, prefixes)).orElse(new long[0]);
    long placementNumber = placements.isEmpty() ? prefixes : offsets[offsets.length - 1];
    this.size = Counted.product(spec, LongStream.of(placementNumber, combinationsAfter));
  }

  private static LongStream sizes(List<Axis.Listed> axes) {
    return axes.stream().mapToLong(axis -> axis.values().size());
  }

  private long[] offsets(Axis.Placements axis, long prefixes) {
    if (prefixes > MAX_COUNTED) {
      throw new TopologyFormatException(
          axis.location(),
          "axis %s: placements of %s machines, expected at most %s: fewer values of the axes before it"
              .formatted(axis.name(), prefixes, MAX_COUNTED));
    }
    long[] numbers = new long[(int) prefixes + 1];
    for (int prefixIndex = 0; prefixIndex < prefixes; prefixIndex++) {
      numbers[prefixIndex + 1] = numbers[prefixIndex] + count(axis, prefixIndex);
    }
    return numbers;
  }

  /** Number of designs. */
  long size() {
    return size;
  }

  /** Notes on omitted placements. */
  List<String> notes() {
    return List.copyOf(notes);
  }

  /** The design with a number. */
  Design design(long number) {
    long placementNumber = number / combinationsAfter;
    if (placements.isEmpty()) {
      return withValues(prefix(placementNumber), after, number % combinationsAfter);
    }
    int prefixIndex = prefixIndex(placementNumber);
    int placement = Math.toIntExact(placementNumber - offsets[prefixIndex]);
    List<Edit> moves = placements(placements.get(), prefixIndex).get(placement).moves();
    Design design =
        prefix(prefixIndex).with(moves.isEmpty() ? "as it is" : String.valueOf(placement), moves);
    return withValues(design, after, number % combinationsAfter);
  }

  /**
   * Index of the machine, with values of the axes before the placements, of a placement's number.
   */
  private int prefixIndex(long placementNumber) {
    int low = 0;
    int high = offsets.length - 2;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (offsets[middle] <= placementNumber) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  /** A machine with values of the axes before the placements. */
  private Design prefix(long prefixIndex) {
    Design machine =
        new Design(machines.get((int) (prefixIndex / combinationsBefore)), List.of(), List.of());
    return withValues(machine, before, prefixIndex % combinationsBefore);
  }

  /** A design with the values that a number selects on further axes; the last varies fastest. */
  private static Design withValues(Design design, List<Axis.Listed> axes, long number) {
    Design result = design;
    long rest = number;
    long stride = sizes(axes).reduce(1, Math::multiplyExact);
    for (Axis.Listed axis : axes) {
      stride /= axis.values().size();
      Axis.Value value = axis.values().get((int) (rest / stride));
      rest %= stride;
      result = result.with(value.name(), value.edits());
    }
    return result;
  }

  /** Counts the placements of a machine, and notes omitted ones. */
  private int count(Axis.Placements axis, int prefixIndex) {
    Design design = prefix(prefixIndex);
    PlacementSelection selection = selection(axis, design);
    if (!selection.isAll()) {
      notes.add(
          "%s%s: the %s placements that move the fewest cards, of %s%s"
              .formatted(
                  design.machine().name(),
                  design.values().isEmpty() ? "" : " " + String.join(" ", design.values()),
                  selection.placements().size(),
                  selection.isCounted() ? "" : "more than ",
                  selection.different()));
    }
    return selection.placements().size();
  }

  private synchronized List<NicPlacement> placements(Axis.Placements axis, int prefixIndex) {
    return cache.computeIfAbsent(prefixIndex, index -> selection(axis, prefix(index)).placements());
  }

  private PlacementSelection selection(Axis.Placements axis, Design design) {
    EditedMachine machine =
        new EditApplier(files::document, document -> {})
            .apply(
                EditedMachine.of(files.document(design.machine().file()), NcclSettings.DEFAULTS),
                design.edits());
    return new NicPlacements(machine.machine(), axis.perSwitch()).nearest(axis.most());
  }
}

package dev.topo.simulator.sweep;

import dev.topo.inspect.edit.Edit;
import dev.topo.inspect.edit.EditApplier;
import dev.topo.inspect.edit.EditedMachine;
import dev.topo.inspect.edit.NicPlacement;
import dev.topo.inspect.edit.NicPlacements;
import dev.topo.inspect.edit.PlacementSelection;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.NcclSettings;
import dev.topo.simulator.sweep.SweepSpec.MachineFile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * The designs of a sweep by number: of two designs whose numbers follow each other the last axis
 * differs, if it has several values. An axis of placements has as many values as the machine, after
 * the edits of the axes before it, has different placements; these are counted once and made again
 * when they are needed, so that the memory does not depend on the number of designs. For several
 * threads.
 */
final class DesignSpace {
  /** Cached lists of placements: threads work on neighbouring machines at the same time. */
  private static final int KEPT = 8;

  /** Most machines whose placements are counted; each takes some milliseconds. */
  private static final int MOST_COUNTED = 65_536;

  private final List<MachineFile> machines;
  private final List<Axis.Listed> before = new ArrayList<>();
  private final Optional<Axis.Placements> placements;
  private final List<Axis.Listed> after = new ArrayList<>();
  private final SpecFiles files;

  /** Combinations of the axes before the placements, or of all axes without placements. */
  private final long perMachine;

  private final long perPlacement;

  /** The number of the first placement of each combination; empty without placements. */
  private final long[] firsts;

  private final long size;

  private final List<String> notes = new ArrayList<>();

  private final Map<Integer, List<NicPlacement>> known =
      new LinkedHashMap<>(KEPT, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, List<NicPlacement>> eldest) {
          return size() > KEPT;
        }
      };

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
    this.perMachine = Counted.product(spec, sizes(before));
    this.perPlacement = Counted.product(spec, sizes(after));
    long starts = Counted.product(spec, LongStream.of(machines.size(), perMachine));
    this.firsts = placements.map(axis -> firsts(axis, starts)).orElse(new long[0]);
    long placed = placements.isEmpty() ? starts : firsts[firsts.length - 1];
    this.size = Counted.product(spec, LongStream.of(placed, perPlacement));
  }

  private static LongStream sizes(List<Axis.Listed> axes) {
    return axes.stream().mapToLong(axis -> axis.values().size());
  }

  private long[] firsts(Axis.Placements axis, long starts) {
    if (starts > MOST_COUNTED) {
      throw new TopologyFormatException(
          axis.location(),
          "axis %s: placements of %s machines, expected at most %s: fewer values of the axes before it"
              .formatted(axis.name(), starts, MOST_COUNTED));
    }
    long[] numbers = new long[(int) starts + 1];
    for (int start = 0; start < starts; start++) {
      numbers[start + 1] = numbers[start] + count(axis, start);
    }
    return numbers;
  }

  /** Number of designs. */
  long size() {
    return size;
  }

  /** Notes on designs that are left out. */
  List<String> notes() {
    return List.copyOf(notes);
  }

  /** A design. */
  Design design(long number) {
    long placed = number / perPlacement;
    if (placements.isEmpty()) {
      return withValues(beginning(placed), after, number % perPlacement);
    }
    int start = start(placed);
    int place = Math.toIntExact(placed - firsts[start]);
    List<Edit> moves = placements(placements.get(), start).get(place).moves();
    Design design =
        beginning(start).with(moves.isEmpty() ? "as it is" : String.valueOf(place), moves);
    return withValues(design, after, number % perPlacement);
  }

  /** The last combination whose first placement is at or before a number. */
  private int start(long placed) {
    int least = 0;
    int most = firsts.length - 2;
    while (least < most) {
      int middle = (least + most + 1) >>> 1;
      if (firsts[middle] <= placed) {
        least = middle;
      } else {
        most = middle - 1;
      }
    }
    return least;
  }

  private Design beginning(long start) {
    Design machine = new Design(machines.get((int) (start / perMachine)), List.of(), List.of());
    return withValues(machine, before, start % perMachine);
  }

  private static Design withValues(Design design, List<Axis.Listed> axes, long number) {
    Design with = design;
    long left = number;
    long below = sizes(axes).reduce(1, Math::multiplyExact);
    for (Axis.Listed axis : axes) {
      below /= axis.values().size();
      Axis.Value value = axis.values().get((int) (left / below));
      left %= below;
      with = with.with(value.name(), value.edits());
    }
    return with;
  }

  private int count(Axis.Placements axis, int start) {
    Design design = beginning(start);
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

  private synchronized List<NicPlacement> placements(Axis.Placements axis, int start) {
    return known.computeIfAbsent(start, begin -> selection(axis, beginning(begin)).placements());
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

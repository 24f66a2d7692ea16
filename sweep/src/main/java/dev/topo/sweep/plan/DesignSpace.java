package dev.topo.sweep.plan;

import dev.topo.inspect.edit.Edit;
import dev.topo.inspect.edit.EditApplier;
import dev.topo.inspect.edit.EditedMachine;
import dev.topo.inspect.placement.NicPlacement;
import dev.topo.inspect.placement.NicPlacements;
import dev.topo.inspect.placement.PlacementSelection;
import dev.topo.model.settings.NcclSettings;
import dev.topo.sweep.spec.Axis;
import dev.topo.sweep.spec.SweepSpec;
import dev.topo.sweep.spec.SweepSpec.MachineFile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The designs of a sweep by number: of two designs whose numbers follow each other the last axis
 * differs, if it has several values. An axis of placements has as many values as the machine, after
 * the edits of the axes before it, has different placements; these are counted once and made again
 * when they are needed, so that the memory does not depend on the number of designs. For several
 * threads.
 */
final class DesignSpace {
  /** Lists of placements that are kept: one for each thread that works at a border of two. */
  private static final int KEPT = 8;

  private final List<MachineFile> machines;
  private final List<Axis.Listed> before = new ArrayList<>();
  private final Optional<Axis.Placements> placements;
  private final List<Axis.Listed> after = new ArrayList<>();
  private final SpecFiles files;
  private final long perPlacement;

  /** The number of the first placement of each machine with values of the axes before. */
  private final long[] firsts;

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
      if (axis instanceof Axis.Placements one) {
        found = Optional.of(one);
      } else if (axis instanceof Axis.Listed listed) {
        (found.isPresent() ? after : before).add(listed);
      }
    }
    this.placements = found;
    this.perPlacement = product(after);
    int starts = Math.toIntExact(machines.size() * product(before));
    this.firsts = new long[starts + 1];
    for (int start = 0; start < starts; start++) {
      firsts[start + 1] = firsts[start] + (placements.isEmpty() ? 1 : count(start));
    }
  }

  private static long product(List<Axis.Listed> axes) {
    return axes.stream().mapToLong(axis -> axis.values().size()).reduce(1, Math::multiplyExact);
  }

  /** Number of designs. */
  long size() {
    return Math.multiplyExact(firsts[firsts.length - 1], perPlacement);
  }

  /** What is left out, for people. */
  List<String> notes() {
    return List.copyOf(notes);
  }

  /** A design. */
  Design design(long number) {
    long placed = number / perPlacement;
    int start = start(placed);
    Design design = beginning(start);
    if (placements.isPresent()) {
      int place = Math.toIntExact(placed - firsts[start]);
      List<Edit> moves = placements(start).get(place).moves();
      design = design.with(moves.isEmpty() ? "as it is" : String.valueOf(place), moves);
    }
    return withValues(design, after, number % perPlacement);
  }

  /** The last start whose first placement is not behind a number. */
  private int start(long placed) {
    int start = 0;
    while (firsts[start + 1] <= placed) {
      start++;
    }
    return start;
  }

  private Design beginning(int start) {
    long values = product(before);
    Design machine = new Design(machines.get((int) (start / values)), List.of(), List.of());
    return withValues(machine, before, start % values);
  }

  private static Design withValues(Design design, List<Axis.Listed> axes, long number) {
    Design with = design;
    long left = number;
    long below = product(axes);
    for (Axis.Listed axis : axes) {
      below /= axis.values().size();
      Axis.Value value = axis.values().get((int) (left / below));
      left %= below;
      with = with.with(value.name(), value.edits());
    }
    return with;
  }

  private int count(int start) {
    Design design = beginning(start);
    PlacementSelection selection = selection(design);
    if (!selection.isAll()) {
      notes.add(
          "%s%s: the %d placements that move the fewest cards, of %s%d"
              .formatted(
                  design.machine().name(),
                  design.values().isEmpty() ? "" : " " + String.join(" ", design.values()),
                  selection.placements().size(),
                  selection.isCounted() ? "" : "more than ",
                  selection.different()));
    }
    return selection.placements().size();
  }

  private synchronized List<NicPlacement> placements(int start) {
    return known.computeIfAbsent(start, one -> selection(beginning(one)).placements());
  }

  private PlacementSelection selection(Design design) {
    Axis.Placements axis = placements.orElseThrow();
    EditedMachine machine =
        new EditApplier(files::document, document -> {})
            .apply(
                EditedMachine.of(files.document(design.machine().file()), NcclSettings.DEFAULTS),
                design.edits());
    return new NicPlacements(machine.machine(), axis.perSwitch()).nearest(axis.most());
  }
}

package dev.topo.property;

import dev.topo.inspect.edit.EditApplier;
import dev.topo.inspect.edit.EditParser;
import dev.topo.inspect.edit.EditedMachine;
import dev.topo.model.Topology;
import dev.topo.model.fixture.ShippedMachines;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.xml.XmlDocument;
import dev.topo.model.xml.XmlReader;
import dev.topo.search.fixture.MachineXml;
import dev.topo.search.fixture.RandomMachine;
import dev.topo.search.topology.TopologyReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * A machine at random: a shipped one or one of {@link RandomMachine}, after some edits.
 *
 * @param name the name of its file
 * @param document the file
 * @param edits what was done to it
 */
record DrawnMachine(String name, XmlDocument document, List<String> edits) {
  /** Their searches take the least time; seven of eight shipped machines that are drawn. */
  private static final int MOST_GPUS_OF_SMALL = 4;

  private static final int MOST_EDITS = 2;

  /** Compute capability of Hopper. */
  private static final int FIRST_WITH_MULTICAST = 90;

  private static final List<DrawnMachine> SHIPPED = shipped();

  DrawnMachine {
    edits = List.copyOf(edits);
  }

  private static List<DrawnMachine> shipped() {
    try {
      List<DrawnMachine> machines = new ArrayList<>();
      for (Path file : ShippedMachines.files()) {
        String name = String.valueOf(file.getFileName());
        machines.add(new DrawnMachine(name, new XmlReader().read(file, new Inputs()), List.of()));
      }
      return List.copyOf(machines);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A shipped machine after edits, or a random one. */
  static DrawnMachine draw(Random random) {
    if (random.nextBoolean()) {
      long seed = random.nextInt(1 << 20);
      return new DrawnMachine(
          "random-" + seed + ".xml",
          new XmlDocument(List.of(), MachineXml.of(RandomMachine.of(seed)), List.of()),
          List.of());
    }
    boolean small = random.nextInt(8) > 0;
    List<DrawnMachine> pool =
        SHIPPED.stream()
            .filter(one -> !small || one.parts().gpus().size() <= MOST_GPUS_OF_SMALL)
            .toList();
    return edited(pool.get(random.nextInt(pool.size())), random);
  }

  /** A shipped machine whose GPUs have NVLink multicast, after edits. */
  static DrawnMachine drawWithMulticast(Random random) {
    List<DrawnMachine> pool = SHIPPED.stream().filter(DrawnMachine::hasMulticast).toList();
    return edited(pool.get(random.nextInt(pool.size())), random);
  }

  private static DrawnMachine edited(DrawnMachine shipped, Random random) {
    DrawnMachine machine = shipped;
    for (int edits = 1 + random.nextInt(MOST_EDITS); edits > 0; edits--) {
      machine = machine.with(MachineEdits.any(machine.parts(), random)).orElse(machine);
    }
    return machine;
  }

  private static boolean hasMulticast(DrawnMachine machine) {
    Topology topology =
        new TopologyReader().map(machine.document, GpuSelection.ALL, new Diagnostics());
    return topology.hasNvSwitch() && topology.minSm().orElse(0) >= FIRST_WITH_MULTICAST;
  }

  /** Its devices. */
  MachineParts parts() {
    return MachineParts.of(document.root());
  }

  /** The machine after an edit; empty where there is none, or where it cannot be applied. */
  Optional<DrawnMachine> with(Optional<String> edit) {
    return edit.flatMap(this::with);
  }

  private Optional<DrawnMachine> with(String edit) {
    try {
      EditedMachine after =
          new EditApplier(
                  file -> {
                    throw new IllegalStateException(file.toString());
                  },
                  DrawnMachine::check)
              .apply(
                  EditedMachine.of(document, NcclSettings.DEFAULTS),
                  EditParser.parse(edit, "edit"));
      List<String> all = new ArrayList<>(edits);
      all.add(edit);
      return Optional.of(new DrawnMachine(name, after.machine(), all));
    } catch (TopologyFormatException e) {
      return Optional.empty();
    }
  }

  private static void check(XmlDocument machine) {
    new TopologyReader().map(machine, GpuSelection.ALL, new Diagnostics());
  }

  /** The machine with another file. */
  DrawnMachine with(XmlDocument other) {
    return new DrawnMachine(name, other, edits);
  }

  /** Name and edits. */
  @Override
  public String toString() {
    return name + (edits.isEmpty() ? "" : " after " + String.join("; ", edits));
  }
}

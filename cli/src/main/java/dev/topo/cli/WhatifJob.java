package dev.topo.cli;

import dev.topo.inspect.caveat.CaveatCollector;
import dev.topo.inspect.edit.Edit;
import dev.topo.inspect.edit.EditApplier;
import dev.topo.inspect.edit.EditedMachine;
import dev.topo.model.Topology;
import dev.topo.model.xml.XmlDocument;
import dev.topo.search.rules.NcclProfile;
import dev.topo.simulator.variant.EditedJob;
import dev.topo.visualizer.view.OptionWords;
import java.nio.file.Path;
import java.util.List;

/**
 * The job whose machines are edited, as the options of a command state it.
 *
 * @param command reads the machines
 * @param variants the machine and its edits
 * @param placements whether cards are moved, which takes a network
 */
record WhatifJob(ComparingCommand command, VariantOptions variants, PlacementOptions placements) {
  /**
   * The job.
   *
   * @param caveats collects what is not modelled for it
   */
  EditedJob job(CaveatCollector caveats) {
    return new EditedJob(
        variants.machine(),
        files(),
        variants.editedNodes(),
        new EditedJob.Sources(
            this::topology,
            this::document,
            command.machines()::topology,
            command.machines()::topology,
            (request, whole, places) ->
                command.calibration().applyTo(request, whole, places, command.inputs()),
            command.evaluator()),
        command.version().rules(),
        caveats,
        note -> command.message(OptionWords.of(note)));
  }

  /** The machines in words. */
  String name() {
    return command.job().domains().nameOf(files());
  }

  private List<Path> files() {
    if (command.job().hasNodeList()) {
      return command.job().editable(List.of());
    }
    return placements.isWanted() && !command.job().isGiven()
        ? placements.usualJob(variants.machine())
        : command.job().editable(List.of(variants.machine()));
  }

  /** The machine to edit: a host, or a whole NVLink domain of hosts like it. */
  XmlDocument document(Path file) {
    return command.machines().document(file, command.job().domains().single());
  }

  private Topology topology(Path file, NcclProfile profile) {
    return command.job().domains().single() == 1
        ? command.machines().topology(file, profile)
        : command.machines().topology(document(file), profile);
  }

  EditApplier applier() {
    NcclProfile profile = command.version().profile();
    return new EditApplier(
        this::document, machine -> command.machines().edited(machine.root(), profile));
  }

  /** A machine after edits; a setting that NCCL cannot use is reported with its edit. */
  EditedMachine edited(EditedMachine before, List<Edit> edits) {
    return variants.apply(applier(), command.version().profile(), before, edits);
  }
}

package dev.topo.cli;

import dev.topo.cli.option.EvaluationOptions.CalibrationOptions;
import dev.topo.cli.option.InputMachines;
import dev.topo.inspect.caveat.CaveatCollector;
import dev.topo.inspect.edit.Edit;
import dev.topo.inspect.edit.EditApplier;
import dev.topo.inspect.edit.EditedMachine;
import dev.topo.model.Topology;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.xml.XmlDocument;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.JobMachines.HostFiles;
import dev.topo.simulator.evaluate.RankLayout;
import dev.topo.simulator.variant.EditedJob;
import dev.topo.simulator.variant.JobSources;
import dev.topo.visualizer.view.OptionWords;
import java.nio.file.Path;
import java.util.List;

/**
 * The job whose machines are edited, as the options describe it.
 *
 * @param question reads the machines
 * @param variants the machine and its edits
 * @param placements the options for moving network cards, which require several nodes
 */
record WhatifJob(
    JobQuestion question,
    CalibrationOptions calibration,
    VariantOptions variants,
    PlacementOptions placements) {
  /**
   * Creates the job.
   *
   * @param caveats receives what is not modelled for the job
   */
  EditedJob job(CaveatCollector caveats) {
    InputMachines machines = question.machines();
    return new EditedJob(
        question
            .input(NcclSettings.DEFAULTS, question.profile())
            .spec(layout())
            .withRules(question.rules()),
        variants.machine(),
        variants.editedNodes(),
        new JobSources(
            new WholeDomains(machines, question.job().domains().single()),
            question.command().inputs(),
            calibration.resolver(question.command().inputs()),
            question.command().evaluator()),
        caveats,
        note -> question.command().message(OptionWords.of(note)));
  }

  /** Reads each topology file as one host or as an NVLink domain of equal hosts. */
  private record WholeDomains(InputMachines machines, int hosts) implements HostFiles {
    @Override
    public XmlElement system(Path file) {
      return machines.document(file, hosts).root();
    }

    @Override
    public Topology topology(Path file, GpuSelection gpus, NcclProfile profile) {
      return hosts == 1
          ? machines.topology(file, gpus, profile)
          : machines.topology(system(file), gpus, profile);
    }

    @Override
    public Topology topology(XmlElement system, GpuSelection gpus, NcclProfile profile) {
      return machines.topology(system, gpus, profile);
    }
  }

  /** The name of the machines. */
  String name() {
    RankLayout layout = layout();
    return layout.domains().nameOf(layout.editable());
  }

  private RankLayout layout() {
    if (question.job().hasNodeList()) {
      return question.job().layout(List.of());
    }
    List<Path> machine = List.of(variants.machine());
    return placements.isWanted() && !question.job().isGiven()
        ? question.job().layout(machine, PlacementOptions.DEFAULT_NODES)
        : question.job().layout(machine);
  }

  /** The machine to edit: a host, or an NVLink domain of equal hosts. */
  XmlDocument document(Path file) {
    return question.machines().document(file, question.job().domains().single());
  }

  EditApplier applier() {
    NcclProfile profile = question.profile();
    return new EditApplier(
        this::document, machine -> question.machines().edited(machine.root(), profile));
  }

  /**
   * Applies edits to a machine. A setting that NCCL cannot use is reported with the location of its
   * edit.
   */
  EditedMachine edited(EditedMachine before, List<Edit> edits) {
    return variants.apply(applier(), question.profile(), before, edits);
  }
}

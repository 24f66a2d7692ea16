package dev.topo.cli;

import dev.topo.inspect.edit.Edit;
import dev.topo.inspect.edit.EditApplier;
import dev.topo.inspect.edit.EditSet;
import dev.topo.inspect.edit.EditedMachine;
import dev.topo.inspect.edit.VariantReader;
import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingException;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.tuning.EnablingRules;
import dev.topo.simulator.variant.UpgradeNotes;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The machine to edit and its edits, given on the command line or in a file, as named variants. */
final class VariantOptions {
  @Parameters(index = "0", paramLabel = "FILE", description = "The topology file to edit.")
  private Path machine = Path.of("");

  @Parameters(
      index = "1..*",
      paramLabel = "EDIT",
      description =
          "remove PART…; move PART… to PLACE; add PART to PLACE [like PART] [NAME=VALUE…]; PART.NAME=VALUE; cpu:ID as CPU;"
              + " env NAME=VALUE; machine FILE; nccl VERSION. Parts are cpu:0, switch:BUSID, pci:BUSID, gpu:0, nic:NAME, net:NAME,"
              + " nvlink:0-3; * matches any characters. In an NVLink domain gpu:3-1 is on host 3, gpu:1 on every host. All EDITs"
              + " together are one variant.")
  private List<String> edits = new ArrayList<>();

  @Option(
      names = "--variant",
      paramLabel = "NAME: EDIT; …",
      description = "A variant with a name; may be repeated.")
  private List<String> named = new ArrayList<>();

  @Option(
      names = "--given",
      paramLabel = "EDIT; …",
      description = "Edits applied both before and after; may be repeated.")
  private List<String> given = new ArrayList<>();

  @Option(
      names = "--edits",
      paramLabel = "FILE",
      description = "Edits, one per line; a line [name] starts a variant, # a comment.")
  private @Nullable Path file;

  @Option(
      names = "--edited-nodes",
      paramLabel = "N",
      description = "Edit only the first N machines of the job (default: all that are FILE).")
  private @Nullable Integer editedNodes;

  /** The topology file to edit. */
  Path machine() {
    return machine;
  }

  /** The edits that apply both before and after. */
  List<Edit> given() {
    return VariantReader.edits(given, "--given ");
  }

  /**
   * The variants in the order given.
   *
   * @param inputs reads the file of edits
   */
  List<EditSet> variants(Inputs inputs) {
    return VariantReader.read(edits, named, Optional.ofNullable(file), inputs);
  }

  /** The number of the job's machines to edit; empty if all with this file are edited. */
  Optional<Integer> editedNodes() {
    return Optional.ofNullable(editedNodes);
  }

  /** Notes what a comparison of these variants cannot show. */
  void note(List<EditSet> variants, Consumer<String> notes) {
    // All ranks must have the same settings, so settings cannot differ between nodes.
    if (editedNodes != null
        && hasEdit(
            variants,
            edit -> edit instanceof Edit.SetEnv env && !env.name().equals(EditApplier.TOPO_FILE))) {
      notes.accept("note: --edited-nodes is for the machine: settings apply to all nodes");
    }
    if (hasEdit(variants, Edit.UseNccl.class::isInstance)) {
      UpgradeNotes.ALL.forEach(note -> notes.accept("not modelled: " + note));
    }
  }

  private static boolean hasEdit(List<EditSet> variants, Predicate<Edit> wanted) {
    return variants.stream().flatMap(variant -> variant.edits().stream()).anyMatch(wanted);
  }

  /**
   * Applies edits to a machine. A setting that NCCL cannot use is reported with the location of its
   * edit.
   */
  EditedMachine apply(
      EditApplier applier, NcclProfile profile, EditedMachine before, List<Edit> changes) {
    for (Edit edit : changes) {
      if (edit instanceof Edit.SetEnv env) {
        try {
          EnablingRules.check(profile, NcclSettings.parse(List.of(env.name() + "=" + env.value())));
        } catch (SettingException e) {
          throw settingError(env.location(), e);
        }
      }
    }
    return applier.apply(before, changes);
  }

  /**
   * The error for a wrong setting in an edit: bad input if the edit is in a file, else a usage
   * error.
   */
  private RuntimeException settingError(SourceLocation location, SettingException e) {
    return file != null && location.file().equals(file.toString())
        ? new TopologyFormatException(location, String.valueOf(e.getMessage()), e)
        : new SettingException(location + ": " + e.getMessage(), e);
  }
}

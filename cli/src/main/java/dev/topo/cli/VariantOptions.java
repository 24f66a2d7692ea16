package dev.topo.cli;

import dev.topo.inspect.edit.Edit;
import dev.topo.inspect.edit.EditSet;
import dev.topo.inspect.edit.VariantReader;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.SourceLocation;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.SettingException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The machine of a question and its edits, on the command line or in a file, as variants with a
 * name each.
 */
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

  /** The file that the edits are about. */
  public Path machine() {
    return machine;
  }

  /** The edits that hold before and after. */
  public List<Edit> given() {
    return VariantReader.edits(given, "--given ");
  }

  /**
   * The variants in the order in which they were given.
   *
   * @param inputs reads the file with edits
   */
  public List<EditSet> variants(Inputs inputs) {
    return VariantReader.read(edits, named, Optional.ofNullable(file), inputs);
  }

  /** The error of a setting in an edit: in a file it is bad input, on the command line usage. */
  public RuntimeException wrong(SourceLocation at, SettingException e) {
    return file != null && at.file().equals(file.toString())
        ? new TopologyFormatException(at, String.valueOf(e.getMessage()), e)
        : new SettingException(at + ": " + e.getMessage(), e);
  }
}

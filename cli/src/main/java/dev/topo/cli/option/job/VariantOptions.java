package dev.topo.cli.option.job;

import dev.topo.inspect.edit.Edit;
import dev.topo.inspect.edit.EditParser;
import dev.topo.inspect.edit.Variant;
import dev.topo.model.diagnostic.InputFile;
import dev.topo.model.diagnostic.SourceLocation;
import dev.topo.model.diagnostic.TopologyFormatException;
import dev.topo.model.settings.SettingException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The machine of a question and its edits, on the command line or in a file, as variants with a
 * name each.
 */
public final class VariantOptions {
  @Parameters(index = "0", paramLabel = "FILE", description = "The topology file to edit.")
  private Path machine = Path.of("");

  @Parameters(
      index = "1..*",
      paramLabel = "EDIT",
      description =
          "remove PART…; move PART… to PLACE; add PART to PLACE [like PART] [NAME=VALUE…]; PART.NAME=VALUE; cpu:ID as CPU;"
              + " env NAME=VALUE; machine FILE; nccl VERSION. Parts are cpu:0, switch:BUSID, pci:BUSID, gpu:0, nic:NAME, net:NAME,"
              + " nvlink:0-3; * matches any characters. All EDITs together are one variant.")
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
    return parseEach(given, "--given ");
  }

  /** The variants in the order in which they were given. */
  public List<Variant> variants() {
    List<Variant> variants = new ArrayList<>();
    if (!edits.isEmpty()) {
      variants.add(unnamed(parseEach(edits, "edit ")));
    }
    for (String text : named) {
      int colon = text.indexOf(": ");
      if (colon < 1) {
        throw new SettingException(
            "--variant '%s': expected NAME: EDIT; …, as in --variant 'slow: net:*.speed=100000'"
                .formatted(text));
      }
      String name = text.substring(0, colon).strip();
      variants.add(new Variant(name, parse(text.substring(colon + 2), "variant " + name)));
    }
    if (file != null) {
      List<Variant> listed =
          EditParser.parseVariants(InputFile.text(file, "edits"), file.toString());
      if (listed.isEmpty()) {
        throw new TopologyFormatException(
            SourceLocation.of(file.toString()),
            "has no edit, expected one as in remove net:mlx5_3");
      }
      for (Variant variant : listed) {
        variants.add(variant.name().isEmpty() ? unnamed(variant.edits()) : variant);
      }
    }
    rejectEqualNames(variants);
    return variants;
  }

  /** The error of a setting in an edit: in a file it is bad input, on the command line usage. */
  public RuntimeException wrong(SourceLocation at, SettingException e) {
    return file != null && at.file().equals(file.toString())
        ? new TopologyFormatException(at, String.valueOf(e.getMessage()), e)
        : new SettingException(at + ": " + e.getMessage(), e);
  }

  private static List<Edit> parseEach(List<String> texts, String where) {
    List<Edit> all = new ArrayList<>();
    for (int i = 0; i < texts.size(); i++) {
      all.addAll(parse(texts.get(i), where + (i + 1)));
    }
    return all;
  }

  private static List<Edit> parse(String text, String where) {
    List<Edit> parsed = EditParser.parse(text, where);
    if (parsed.isEmpty()) {
      throw new SettingException(where + " is empty, expected one as in 'remove net:mlx5_3'");
    }
    return parsed;
  }

  private static Variant unnamed(List<Edit> edits) {
    return new Variant(new Variant("", edits).text(), edits);
  }

  private static void rejectEqualNames(List<Variant> variants) {
    Set<String> names = new HashSet<>();
    for (Variant variant : variants) {
      if (!names.add(variant.name())) {
        throw new SettingException(
            "two variants are called '" + variant.name() + "', expected a name for each");
      }
    }
  }
}

package dev.topo.inspect.edit;

import dev.topo.model.io.Inputs;
import dev.topo.model.io.SpecField;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.SettingException;
import dev.topo.model.job.SpecException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads the user's variants of a machine: edits, named variants, and a file. */
public final class VariantReader {
  private VariantReader() {}

  /**
   * Returns the variants in the given order.
   *
   * @param edits edits that together form one unnamed variant
   * @param named variants as {@code NAME: EDIT; …}
   * @param file file of edits, one per line, with names of variants in brackets
   * @param inputs reads the file
   * @throws SettingException if a text is not an edit, or two variants have the same name
   */
  public static List<EditSet> read(
      List<String> edits, List<String> named, Optional<Path> file, Inputs inputs) {
    List<EditSet> variants = new ArrayList<>();
    if (!edits.isEmpty()) {
      variants.add(unnamed(edits(edits, "edit ")));
    }
    for (String text : named) {
      int colon = text.indexOf(": ");
      if (colon < 1) {
        throw new SpecException(
            SpecField.VARIANT,
            " '%s': expected NAME: EDIT; …, as in %s 'slow: net:*.speed=100000'",
            text,
            SpecField.VARIANT);
      }
      String name = text.substring(0, colon).strip();
      variants.add(new EditSet(name, parse(text.substring(colon + 2), "variant " + name)));
    }
    for (EditSet variant : file.map(path -> listed(path, inputs)).orElse(List.of())) {
      variants.add(variant.name().isEmpty() ? unnamed(variant.edits()) : variant);
    }
    rejectEqualNames(variants);
    return variants;
  }

  private static List<EditSet> listed(Path file, Inputs inputs) {
    List<EditSet> listed = EditParser.parseVariants(inputs.text(file, "edits"), file.toString());
    if (listed.isEmpty()) {
      throw new TopologyFormatException(
          file.toString(), "has no edit, expected one as in remove net:mlx5_3");
    }
    return listed;
  }

  /**
   * Parses the edits of some texts.
   *
   * @param where prefix of messages, before the number of a text
   */
  public static List<Edit> edits(List<String> texts, String where) {
    List<Edit> edits = new ArrayList<>();
    for (int i = 0; i < texts.size(); i++) {
      edits.addAll(parse(texts.get(i), where + (i + 1)));
    }
    return edits;
  }

  private static List<Edit> parse(String text, String where) {
    List<Edit> parsed = EditParser.parse(text, where);
    if (parsed.isEmpty()) {
      throw new SettingException(where + " is empty, expected one as in 'remove net:mlx5_3'");
    }
    return parsed;
  }

  private static EditSet unnamed(List<Edit> edits) {
    return new EditSet(new EditSet("", edits).text(), edits);
  }

  private static void rejectEqualNames(List<EditSet> variants) {
    Set<String> names = new HashSet<>();
    for (EditSet variant : variants) {
      if (!names.add(variant.name())) {
        throw new SettingException(
            "two variants are called '" + variant.name() + "', expected a name for each");
      }
    }
  }
}

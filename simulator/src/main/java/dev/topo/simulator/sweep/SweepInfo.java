package dev.topo.simulator.sweep;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The description of a folder of results.
 *
 * @param schema the format of the folder
 * @param topo the version of topo that made it
 * @param build the hash of the classes and resources of topo that made it
 * @param spec the hash of the specification with its files
 * @param name what the sweep is called
 * @param axes the names of the axes, which are columns of the table
 * @param perPart variants of a part
 * @param rows the order of the rows
 * @param caveats what the sweep leaves out, for people
 * @param notes the same by its former name, which is all that folders of earlier releases have
 * @param yaml SHA-256 of the text of the specification; empty before the folder is made
 */
public record SweepInfo(
    String schema,
    String topo,
    String build,
    String spec,
    String name,
    List<String> axes,
    long variants,
    int perPart,
    int parts,
    RowOrder rows,
    List<String> caveats,
    List<String> notes,
    String yaml) {
  /** The format of a folder. */
  public static final String SCHEMA = "topo/sweep-folder/1";

  private static final Pattern HASH = Pattern.compile("[0-9a-f]{16}");
  private static final int HASH_IN_NAMES = 8;

  /** Parts that a file does not state are empty here; {@link #fault} names them. */
  public SweepInfo {
    schema = Objects.requireNonNullElse(schema, "");
    topo = Objects.requireNonNullElse(topo, "");
    build = Objects.requireNonNullElse(build, "");
    spec = Objects.requireNonNullElse(spec, "");
    name = Objects.requireNonNullElse(name, "");
    axes = List.copyOf(Objects.requireNonNullElse(axes, List.of()));
    rows = Objects.requireNonNullElseGet(rows, () -> new RowOrder(List.of(), List.of(), List.of()));
    notes = List.copyOf(Objects.requireNonNullElse(notes, List.of()));
    caveats = List.copyOf(Objects.requireNonNullElse(caveats, notes));
    yaml = Objects.requireNonNullElse(yaml, "");
  }

  /**
   * The description of the results of a plan, before their folder is made.
   *
   * @param topo the version of topo
   * @param build the hash of its classes and resources
   * @throws TopologyFormatException if the sweep is too large for a run
   */
  public static SweepInfo of(SweepPlan plan, String topo, String build) {
    return new SweepInfo(
        SCHEMA,
        topo,
        build,
        plan.hash(),
        plan.spec().name(),
        plan.spec().axes().stream().map(Axis::name).toList(),
        plan.size(),
        plan.chunkSize(),
        plan.chunks(),
        RowOrder.of(plan.spec()),
        plan.notes(),
        plan.notes(),
        "");
  }

  /** With the checksum of a specification. */
  SweepInfo withYaml(String text) {
    return new SweepInfo(
        schema,
        topo,
        build,
        spec,
        name,
        axes,
        variants,
        perPart,
        parts,
        rows,
        caveats,
        notes,
        Checksum.of(text));
  }

  /** The fault of the description; empty without one. */
  Optional<String> fault() {
    if (!SCHEMA.equals(schema)) {
      return Optional.of("schema '%s', expected %s".formatted(schema, SCHEMA));
    }
    if (!HASH.matcher(spec).matches()) {
      return Optional.of("spec '%s', expected 16 hexadecimal digits".formatted(spec));
    }
    if (rows.variants() == 0 || rows.questions().isEmpty()) {
      return Optional.of(
          "has no order of rows: made by another build of topo, run the sweep again");
    }
    if (variants < 1 || perPart < 1 || perPart % rows.variants() + variants % rows.variants() > 0) {
      return Optional.of(
          "%d variants, %d in a part: expected whole designs of %d variants"
              .formatted(variants, perPart, rows.variants()));
    }
    long expected = (variants - 1) / perPart + 1;
    return parts == expected
        ? Optional.empty()
        : Optional.of("%d parts, expected %d".formatted(parts, expected));
  }

  /** The name of a part. */
  String partName(int part) {
    return "part-%06d-%s.csv.gz".formatted(part, partHash());
  }

  /** The part of the hash that the names of all parts contain. */
  String partHash() {
    return spec.substring(0, HASH_IN_NAMES);
  }
}

package dev.topo.simulator.sweep;

import dev.topo.model.io.TextWriter;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The description of a folder of results.
 *
 * @param schema format of the folder
 * @param topo version of topo that created the folder
 * @param spec hash of the specification and its files
 * @param name name of the sweep
 * @param axes names of the axes, which are columns of the table
 * @param variants number of variants
 * @param perPart number of variants of a part; the last part may have fewer
 * @param parts number of parts
 * @param caveats omissions of the sweep, in words
 */
public record SweepInfo(
    String schema,
    String topo,
    String spec,
    String name,
    List<String> axes,
    long variants,
    int perPart,
    int parts,
    List<String> caveats) {
  /** The current format of a folder. */
  public static final String SCHEMA = "topo/sweep-folder/2";

  /** Formats that topo reads; version 1, of topo 0.2.0, had further fields. */
  private static final Set<String> KNOWN_SCHEMAS = Set.of("topo/sweep-folder/1", SCHEMA);

  private static final Pattern HASH = Pattern.compile("[0-9a-f]{16}");
  private static final int HASH_IN_NAMES = 8;

  public SweepInfo {
    axes = List.copyOf(axes);
    caveats = List.copyOf(caveats);
  }

  /**
   * Describes the results of a plan.
   *
   * @param topo version of topo
   * @throws TopologyFormatException if the sweep is too large for a run
   */
  public static SweepInfo of(SweepPlan plan, String topo) {
    return new SweepInfo(
        SCHEMA,
        topo,
        plan.hash(),
        plan.spec().name(),
        plan.spec().axes().stream().map(Axis::name).toList(),
        plan.size(),
        plan.chunkSize(),
        plan.chunks(),
        plan.notes());
  }

  /** Why the description is invalid; empty if it is valid. */
  Optional<String> fault() {
    if (!KNOWN_SCHEMAS.contains(schema)) {
      return Optional.of("schema '%s', expected %s".formatted(schema, SCHEMA));
    }
    return HASH.matcher(spec).matches()
        ? Optional.empty()
        : Optional.of("spec '%s', expected 16 hexadecimal digits".formatted(spec));
  }

  /** File name of a part. */
  String partName(int part) {
    return TextWriter.format("part-%06d-%s.csv.gz", part, spec.substring(0, HASH_IN_NAMES));
  }
}

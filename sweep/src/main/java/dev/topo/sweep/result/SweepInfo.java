package dev.topo.sweep.result;

import java.util.List;
import java.util.Objects;

/**
 * The description of a folder of results.
 *
 * @param schema the format of the folder
 * @param topo the version of topo that made it
 * @param build the hash of the classes and resources of topo that made it
 * @param spec the hash of the specification with its files
 * @param name what the sweep is called
 * @param axes the names of the axes, which are columns of the table
 * @param variants number of variants
 * @param perPart variants of a part
 * @param parts number of parts
 * @param notes what the sweep leaves out, for people
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
    List<String> notes) {
  /** The format of a folder. */
  public static final String SCHEMA = "topo/sweep-folder/1";

  public SweepInfo {
    build = Objects.requireNonNullElse(build, ""); // not in folders of older builds
    axes = List.copyOf(axes);
    notes = List.copyOf(notes);
  }

  /** The name of a part. */
  String partName(int part) {
    return "part-%06d-%s.csv.gz".formatted(part, spec.substring(0, 8));
  }
}

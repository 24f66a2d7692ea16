package dev.topo.visualizer.view;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.ser.BeanPropertyWriter;
import tools.jackson.databind.ser.ValueSerializerModifier;
import tools.jackson.databind.util.NameTransformer;

/**
 * Writes fields that have a new name under their former name, too: the same value, directly after
 * it. Schemas have the former names as deprecated; a release that drops them drops this class, and
 * the components {@code notes} and {@code remarks} of whole documents.
 */
final class FormerNames extends ValueSerializerModifier {
  private static final long serialVersionUID = 1;

  /**
   * A field with a new name.
   *
   * @param records the records that had it under the former one, as the source names them
   */
  private record Renamed(String name, String former, Set<String> records) {}

  private static final List<Renamed> TABLE =
      List.of(
          new Renamed(
              "bandwidthGBps",
              "bwGBps",
              Set.of(
                  "ExplainedBound.CutLink",
                  "GuestView.Found",
                  "MachineJson.LinkEntry",
                  "MachineJson.Net",
                  "PathComparison.PathChange.Way",
                  "PathsJson.PathEntry")),
          new Renamed("caveats", "notes", Set.of("JobAdviceData")),
          new Renamed("reason", "why", Set.of("DoctorJson.Process")));

  @Override
  public List<BeanPropertyWriter> changeProperties(
      SerializationConfig config,
      BeanDescription.Supplier type,
      List<BeanPropertyWriter> properties) {
    String className = type.getBeanClass().getName();
    String record = className.substring(className.lastIndexOf('.') + 1).replace('$', '.');
    List<BeanPropertyWriter> all = new ArrayList<>();
    for (BeanPropertyWriter property : properties) {
      all.add(property);
      for (Renamed renamed : TABLE) {
        if (renamed.records.contains(record) && renamed.name.equals(property.getName())) {
          all.add(property.rename(to(renamed.former)));
        }
      }
    }
    return all;
  }

  private static NameTransformer to(String former) {
    return new NameTransformer() {
      @Override
      public String transform(String name) {
        return former;
      }

      @Override
      public String reverse(String transformed) {
        throw new UnsupportedOperationException("former names are written only");
      }
    };
  }
}

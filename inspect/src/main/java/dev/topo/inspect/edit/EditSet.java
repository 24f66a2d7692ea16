package dev.topo.inspect.edit;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Edits that form one variant.
 *
 * @param name name of the variant
 * @param edits the edits, in order
 */
public record EditSet(String name, List<Edit> edits) {
  public EditSet {
    edits = List.copyOf(edits);
  }

  public String text() {
    return edits.stream().map(Edit::text).collect(Collectors.joining("; "));
  }
}

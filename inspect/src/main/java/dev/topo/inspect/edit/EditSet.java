package dev.topo.inspect.edit;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Edits that belong together, as one answer to "what if".
 *
 * @param name what to call it
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

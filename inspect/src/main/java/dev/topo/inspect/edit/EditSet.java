package dev.topo.inspect.edit;

import dev.topo.model.QuantityFormat;
import java.util.List;

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
    return QuantityFormat.joined("; ", edits, Edit::text);
  }
}

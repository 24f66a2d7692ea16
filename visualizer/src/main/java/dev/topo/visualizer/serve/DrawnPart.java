package dev.topo.visualizer.serve;

import java.util.List;

/**
 * A device or link of a drawn machine, and what can be done with it.
 *
 * @param id its name in the drawing
 * @param title what it is, in words
 * @param edits the edits that it offers
 */
record DrawnPart(String id, String title, List<PartEdit> edits) {
  /**
   * An edit that a part offers.
   *
   * @param label what it does, for a menu
   * @param text the edit in the words of {@code topo whatif}
   * @param place the part that it is moved to, where it can be dragged there; else empty
   */
  record PartEdit(String label, String text, String place) {
    PartEdit(String label, String text) {
      this(label, text, "");
    }
  }

  DrawnPart {
    edits = List.copyOf(edits);
  }
}

package dev.topo.visualizer.serve;

import java.util.List;

/**
 * A device or link of a drawn machine, with the edits that apply to it.
 *
 * @param id its name in the drawing
 * @param title a description of the part
 * @param edits the edits that the part offers
 */
record DrawnPart(String id, String title, List<PartEdit> edits) {
  /**
   * An edit that a part offers.
   *
   * @param label what the edit does, for a menu
   * @param text the edit in the words of {@code topo whatif}
   * @param place for a move, the part to drag this one to; otherwise empty
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

package dev.topo.visualizer.study;

import dev.topo.inspect.edit.Edit;
import dev.topo.inspect.edit.EditSet;
import dev.topo.model.QuantityFormat;
import dev.topo.simulator.variant.ChangedDevices;
import dev.topo.simulator.variant.EditedNodes;
import java.util.List;
import java.util.Optional;

/** Edits as a part of a sentence about a job: {@code without mlx5_3 on 8 of 16 nodes}. */
final class EditWords {
  /** More devices or edits are counted. */
  private static final int MOST = 4;

  private EditWords() {}

  /**
   * What is edited, and on which nodes.
   *
   * @param changed what that does to the machine; empty where it is not known
   */
  static String of(EditSet variant, EditedNodes nodes, Optional<ChangedDevices> changed) {
    List<Edit> edits = variant.edits();
    boolean isOfRemovals =
        !edits.isEmpty() && edits.stream().allMatch(Edit.Remove.class::isInstance);
    List<String> gone = changed.map(ChangedDevices::removed).orElse(List.of());
    String what =
        isOfRemovals
            ? "without "
                + list(
                    gone.isEmpty()
                        ? edits.stream().map(edit -> word(edit, "remove ")).toList()
                        : gone)
            : "with " + list(edits.stream().map(EditWords::word).toList());
    boolean isOfMachine = edits.stream().anyMatch(EditWords::isOfMachine);
    return what + (isOfMachine ? place(nodes) : "");
  }

  /** Settings and the release of NCCL are those of all nodes. */
  private static boolean isOfMachine(Edit edit) {
    return !(edit instanceof Edit.SetEnv) && !(edit instanceof Edit.UseNccl);
  }

  private static String place(EditedNodes nodes) {
    if (nodes.all() == 1) {
      return "";
    }
    return nodes.isAll()
        ? " on all nodes"
        : " on %d of %s".formatted(nodes.edited(), QuantityFormat.count(nodes.all(), "node"));
  }

  private static String list(List<String> words) {
    return QuantityFormat.firstOf(words, MOST);
  }

  private static String word(Edit edit) {
    if (edit instanceof Edit.SetEnv) {
      return word(edit, "env ");
    }
    if (edit instanceof Edit.UseNccl nccl) {
      return "NCCL " + nccl.rules().release();
    }
    return edit.text().contains(" ") ? "“" + edit.text() + "”" : edit.text();
  }

  private static String word(Edit edit, String keyword) {
    return edit.text().substring(keyword.length());
  }
}

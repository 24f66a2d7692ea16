package dev.topo.visualizer.study;

import dev.topo.inspect.edit.Edit;
import dev.topo.inspect.edit.EditSet;
import dev.topo.model.QuantityFormat;
import dev.topo.model.job.Machine.MachineName;
import dev.topo.simulator.variant.EditedNodes;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Words edits as part of a sentence about a job: {@code without mlx5_3 on 8 of 16 nodes}. */
final class EditWords {
  /** Up to this many devices or edits are named; the others are counted. */
  private static final int MAX_NAMED = 4;

  private EditWords() {}

  /** Returns the edits of a variant and the nodes they apply to. */
  static String of(EditSet variant, EditedNodes nodes) {
    List<Edit> edits = variant.edits();
    if (edits.size() == 1 && edits.get(0) instanceof Edit.UseMachine other) {
      return "replaced by " + MachineName.of(Path.of(other.file())) + place(nodes);
    }
    boolean isOfRemovals =
        !edits.isEmpty() && edits.stream().allMatch(Edit.Remove.class::isInstance);
    String what =
        isOfRemovals
            ? "without "
                + list(
                    edits.stream()
                        .flatMap(edit -> Arrays.stream(word(edit, "remove ").split(" ")))
                        .map(EditWords::device)
                        .toList())
            : "with " + list(edits.stream().map(EditWords::word).toList());
    boolean isOfMachine = edits.stream().anyMatch(EditWords::isOfMachine);
    return what + (isOfMachine ? place(nodes) : "");
  }

  /** True if an edit changes a machine; settings and the NCCL release apply to all nodes. */
  private static boolean isOfMachine(Edit edit) {
    return !(edit instanceof Edit.SetEnv) && !(edit instanceof Edit.UseNccl);
  }

  private static String place(EditedNodes nodes) {
    if (nodes.all() == 1) {
      return "";
    }
    return nodes.isAll()
        ? " on all nodes"
        : " on %s of %s".formatted(nodes.edited(), QuantityFormat.count(nodes.all(), "node"));
  }

  /** The name of a single GPU or port; other selectors as written. */
  private static String device(String selector) {
    if (selector.contains("*")) {
      return selector;
    }
    return selector.replaceFirst("^net:(?=\\D)", "").replaceFirst("^gpu:", "GPU ");
  }

  private static String list(List<String> words) {
    return QuantityFormat.firstOf(words, MAX_NAMED);
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

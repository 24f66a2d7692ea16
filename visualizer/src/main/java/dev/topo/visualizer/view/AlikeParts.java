package dev.topo.visualizer.view;

import dev.topo.model.Alike;
import dev.topo.model.QuantityFormat;
import dev.topo.visualizer.view.OptionWords.Hint;
import dev.topo.visualizer.view.SplitAnswer.Part;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Merges the texts about the communicators of a split. Texts that differ only in device names and
 * rank numbers are shown once, and a line names the other communicators they apply to.
 */
final class AlikeParts {
  private static final Pattern NUMBERED =
      Pattern.compile("\\b(GPU|GPUs|NIC|PCI|NVS|CPU|rank|ranks) [0-9][-0-9,:.]*");

  private AlikeParts() {}

  /** Returns one answer for each kind of text, in the order of their first communicators. */
  static List<Answer> of(List<Part> parts) {
    return Alike.by(parts, AlikeParts::kind).values().stream().map(AlikeParts::joined).toList();
  }

  private static Answer joined(List<Part> alike) {
    Part first = alike.get(0);
    if (alike.size() == 1) {
      return first.answer();
    }
    List<Integer> others =
        alike.stream().skip(1).flatMap(part -> colors(part).boxed()).sorted().toList();
    String line =
        "%s: as %s, with devices of their own (%s)\n"
            .formatted(
                QuantityFormat.ranges("communicator", others),
                QuantityFormat.ranges("communicator", colors(first).boxed().toList()),
                Hint.LISTS_ALL);
    return Answer.join(List.of(first.answer(), Answer.of(line)), "");
  }

  private static IntStream colors(Part part) {
    return Arrays.stream(part.label().split(","))
        .map(range -> range.split("-"))
        .flatMapToInt(
            ends ->
                IntStream.rangeClosed(
                    Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1])));
  }

  /** The text with everything specific to the communicator removed. */
  private static String kind(Part part) {
    StringBuilder out = new StringBuilder();
    try {
      part.answer().spoken("text").writeTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    String text = out.toString().replace("communicator " + part.label() + " ", "");
    if (!part.devices().isEmpty()) {
      String names =
          part.devices().stream()
              .map(Pattern::quote)
              .collect(Collectors.joining("|", "(?<![\\w-])(?:", ")(?![\\w-])"));
      text = text.replaceAll(names, "#");
    }
    return NUMBERED.matcher(text).replaceAll("$1 #").replaceAll("\\s+", " ");
  }
}

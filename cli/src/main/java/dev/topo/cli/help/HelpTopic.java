package dev.topo.cli.help;

import dev.topo.model.io.ResourceTable;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * A subject that several commands share, explained once: {@code topo help TOPIC}. The text of each
 * is a file beside this class, a paragraph a line.
 */
public enum HelpTopic {
  ASSUME,
  JOB,
  STATUS;

  /** The topic of a name, in small letters. */
  public static Optional<HelpTopic> find(String name) {
    return Arrays.stream(values()).filter(topic -> topic.label().equals(name)).findFirst();
  }

  /** Its name on the command line. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The explanation, in lines of a width. */
  public String text(int width) {
    StringBuilder text = new StringBuilder();
    ResourceTable.text(HelpTopic.class, label() + ".txt")
        .lines()
        .flatMap(paragraph -> LineWrap.paragraph(paragraph, width).stream())
        .forEach(line -> text.append(line).append('\n'));
    return text.toString();
  }
}

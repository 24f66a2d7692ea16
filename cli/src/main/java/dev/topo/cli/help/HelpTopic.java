package dev.topo.cli.help;

import dev.topo.model.Labels;
import dev.topo.model.io.ResourceTable;
import java.util.Optional;

/**
 * A subject that concerns several commands, explained by {@code topo help TOPIC}. The text of each
 * topic is a resource beside this class, with one paragraph per line.
 */
public enum HelpTopic {
  ASSUME,
  JOB,
  STATUS;

  /** The topic with a name in lower case. */
  public static Optional<HelpTopic> find(String name) {
    return Labels.exact(values(), HelpTopic::label, name);
  }

  /** The name of the topic on the command line. */
  public String label() {
    return Labels.of(this);
  }

  /** The explanation in lines of at most {@code width} characters. */
  public String text(int width) {
    StringBuilder text = new StringBuilder();
    ResourceTable.text(HelpTopic.class, label() + ".txt")
        .lines()
        .flatMap(paragraph -> LineWrap.paragraph(paragraph, width).stream())
        .forEach(line -> text.append(line).append('\n'));
    return text.toString();
  }
}

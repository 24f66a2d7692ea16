package dev.topo.cli;

import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.NetworkList;
import dev.topo.visualizer.view.VersionList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The questions {@code --nccl list} and {@code --network list}, which any command may ask. */
enum Listing {
  VERSIONS("--nccl", VersionList::text, VersionList::json),
  NETWORKS("--network", NetworkList::text, NetworkList::json);

  private final String option;
  private final Supplier<Answer> text;
  private final Supplier<Answer> json;

  Listing(String option, Supplier<Answer> text, Supplier<Answer> json) {
    this.option = option;
    this.text = text;
    this.json = json;
  }

  /** The list that a command line asks for, whatever else it has. */
  static Optional<Listing> wanted(String... args) {
    return Arrays.stream(values()).filter(one -> one.isWanted(Arrays.asList(args))).findFirst();
  }

  private boolean isWanted(List<String> words) {
    return words.contains(option + "=list")
        || (words.contains(option)
            && words.indexOf(option) + 1 < words.size()
            && words.get(words.indexOf(option) + 1).equals("list"));
  }

  /** The list in the format that the command line names, text where it is not json. */
  Answer answer(String... args) {
    String line = String.join(" ", args);
    return line.contains("--format json") || line.contains("--format=json")
        ? json.get()
        : text.get();
  }
}

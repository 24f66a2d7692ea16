package dev.topo.cli;

import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.VersionList;
import java.util.Arrays;
import java.util.List;

/** The question {@code --nccl list}, which any command line may ask. */
final class VersionListing {
  private static final String OPTION = "--nccl";

  private VersionListing() {}

  /** Whether a command line asks for the list, whatever else it has. */
  static boolean isWanted(String... args) {
    List<String> words = Arrays.asList(args);
    return words.contains(OPTION + "=list")
        || (words.contains(OPTION)
            && words.indexOf(OPTION) + 1 < words.size()
            && words.get(words.indexOf(OPTION) + 1).equals("list"));
  }

  /** The list in the format that the command line names, text where it is not json. */
  static Answer answer(String... args) {
    String line = String.join(" ", args);
    return line.contains("--format json") || line.contains("--format=json")
        ? VersionList.json()
        : VersionList.text();
  }
}

package dev.topo.visualizer.view;

import dev.topo.inspect.caveat.Caveat;
import dev.topo.model.Labels;
import dev.topo.model.io.SpecField;
import dev.topo.model.io.SpecField.SpecText;
import dev.topo.model.io.SpecField.SpecWorded;
import dev.topo.model.io.TopologyFormatException;

/**
 * Spells the fields of a question as command-line options. No other class below the commands names
 * an option.
 */
public final class OptionWords {
  private OptionWords() {}

  /** What a reader of an answer can do next: a command, or options of the same command. */
  public enum Hint {
    ADVISE_GRAPH("topo advise … --may graph --format xml -o graph.xml"),
    ADVISE_TUNER("topo advise … --format tuner -o tuner.csv"),
    ALL_PATHS("topo paths --format tsv lists them"),
    AS_JSON("--format json"),
    AS_TABLE("--format json or csv"),
    EXPECTED_TIMES("topo predict FILE --against MEASURED"),
    LISTS_ALL("--verbose lists all"),
    FIXES("--fix does it"),
    LISTS_MORE("--verbose lists more"),
    MORE_DESIGNS("--top N"),
    MORE_PLACEMENTS("--top shows more"),
    MOST_PLACEMENTS("--max-placements"),
    ONE_RANK("--rank R shows one"),
    OWN_NETWORK("topo calibrate RUNS --nodes N --topology FILE -o FILE, then --network FILE"),
    STATED_MACHINE("--machine FILE"),
    TUNER_FILE("topo tune --format tuner"),
    TWO_NODES("--nodes 2"),
    WITH_LOG("--log");

    private final String text;

    Hint(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  /** Returns the option that states a field: {@code --nodes}. */
  public static String of(SpecField field) {
    return field == SpecField.RELEASE ? "--nccl" : "--" + Labels.of(field);
  }

  /** Returns a text with its fields spelled as options. */
  public static String of(SpecText text) {
    return text.with(OptionWords::of);
  }

  /** Returns a caveat with the fields in its remedy spelled as options. */
  public static String of(Caveat caveat) {
    return of(caveat.text());
  }

  /** Returns the message of an error with its fields spelled as options. */
  public static String messageOf(Throwable e) {
    if (e instanceof TopologyFormatException unusable) {
      return unusable.message(OptionWords::of);
    }
    return e instanceof SpecWorded worded ? of(worded.text()) : String.valueOf(e.getMessage());
  }
}

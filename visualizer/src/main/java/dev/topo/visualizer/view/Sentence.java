package dev.topo.visualizer.view;

import java.util.List;
import java.util.regex.Pattern;

/** How long the first sentence of an answer may be. */
public final class Sentence {
  /** The most words of a first sentence; numbers are words, signs like {@code %} are not. */
  public static final int MOST_WORDS = 35;

  private static final Pattern WORD = Pattern.compile("\\S*[\\p{L}\\p{N}]\\S*");

  private Sentence() {}

  /** The number of words. */
  public static long words(String sentence) {
    return WORD.matcher(sentence).results().count();
  }

  /**
   * The first of some wordings that is short enough; the last where none is.
   *
   * @param wordings the fullest first
   */
  public static String of(List<String> wordings) {
    return wordings.stream()
        .filter(one -> words(one) <= MOST_WORDS)
        .findFirst()
        .orElseGet(() -> wordings.get(wordings.size() - 1));
  }
}

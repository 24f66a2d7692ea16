package dev.topo.inspect.measured;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Removes the tag that mpirun, srun, kubectl or ts put before every line. The tag is learned from a
 * line that nccl-tests always prints; on other lines its numbers (ranks, times) may differ. Single
 * use.
 */
final class LauncherTag {
  /** Start of the comment lines from which the tag is learned. */
  private static final Pattern COMMENT =
      Pattern.compile("# *(?:nccl-tests version|Collective test starting:|nThread) ");

  private static final Pattern COLOUR = Pattern.compile("\u001b\\[[0-9;]*[A-Za-z]");
  private static final Pattern NUMBER_OR_SPACE = Pattern.compile("\\d+|\\s+");

  /** Tag of {@code mpirun --tag-output} in rows without a comment line to learn from. */
  private Pattern tag = Pattern.compile("\\[\\d+(?:,\\d+)*\\](?:<std(?:out|err)>:?)?");

  /** Returns a line as nccl-tests printed it, without tag and colours. */
  CharSequence dropFrom(CharSequence line) {
    boolean isPlain = line.toString().indexOf('\u001b') < 0;
    CharSequence plain = isPlain ? line : COLOUR.matcher(line).replaceAll("");
    int comment = plain.toString().indexOf('#');
    if (comment > 0 && COMMENT.matcher(plain).region(comment, plain.length()).lookingAt()) {
      // As in "[1,0]<stdout>:# nThread 1 nGpus 1"; a blank between them belongs to neither.
      String prefix = plain.subSequence(0, comment).toString();
      tag = prefix.isBlank() ? tag : patternLike(prefix.replaceFirst(" $", ""));
    }
    Matcher start = tag.matcher(plain);
    if (!start.lookingAt() || start.end() == 0) {
      return plain;
    }
    boolean isComment = plain.toString().startsWith(" #", start.end());
    return plain.subSequence(start.end() + (isComment ? 1 : 0), plain.length());
  }

  /**
   * Returns a row without the tags inside: nccl-tests prints a row in pieces, and mpirun puts a tag
   * before each piece. A tag of numbers alone cannot be told from the row's.
   */
  CharSequence dropInside(CharSequence row) {
    Matcher inside = tag.matcher(row);
    return inside.find() && inside.group().matches(".*[^\\d\\s.].*") ? inside.replaceAll(" ") : row;
  }

  private static Pattern patternLike(String text) {
    StringBuilder pattern = new StringBuilder();
    Matcher matcher = NUMBER_OR_SPACE.matcher(text);
    int from = 0;
    while (matcher.find()) {
      pattern.append(Pattern.quote(text.substring(from, matcher.start())));
      pattern.append(Character.isDigit(matcher.group().charAt(0)) ? "\\d+" : "\\s+");
      from = matcher.end();
    }
    return Pattern.compile(pattern.append(Pattern.quote(text.substring(from))).toString());
  }
}

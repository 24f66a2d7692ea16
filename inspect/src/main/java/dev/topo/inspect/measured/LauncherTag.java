package dev.topo.inspect.measured;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tag that mpirun, srun, kubectl or ts put before every line: found before a line that nccl-tests
 * always prints, and removed from all lines, whatever its numbers are there (ranks, times). Used
 * once.
 */
final class LauncherTag {
  /** Text that follows the first # of a line with a tag. */
  private static final Pattern COMMENT =
      Pattern.compile("# *(?:nccl-tests version|Collective test starting:|nThread) ");

  private static final Pattern COLOUR = Pattern.compile("\u001b\\[[0-9;]*[A-Za-z]");
  private static final Pattern NUMBER_OR_SPACE = Pattern.compile("\\d+|\\s+");

  private Pattern tag = Pattern.compile("");

  /** Line as printed by nccl-tests. */
  CharSequence dropFrom(CharSequence line) {
    boolean isPlain = line.toString().indexOf('\u001b') < 0;
    CharSequence plain = isPlain ? line : COLOUR.matcher(line).replaceAll("");
    int comment = plain.toString().indexOf('#');
    if (comment > 0 && COMMENT.matcher(plain).region(comment, plain.length()).lookingAt()) {
      // As in "[1,0]<stdout>:# nThread 1 nGpus 1"; a blank between them belongs to neither.
      String before = plain.subSequence(0, comment).toString();
      tag = before.isBlank() ? tag : likeIt(before.replaceFirst(" $", ""));
    }
    Matcher begin = tag.matcher(plain);
    if (!begin.lookingAt() || begin.end() == 0) {
      return plain;
    }
    boolean isComment = plain.toString().startsWith(" #", begin.end());
    return plain.subSequence(begin.end() + (isComment ? 1 : 0), plain.length());
  }

  private static Pattern likeIt(String text) {
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

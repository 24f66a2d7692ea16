package dev.topo.cli;

import dev.topo.cli.fixture.CliRun;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A relation between values of answers: {@code graphs[kind=ring].nChannels = 8}, {@code
 * 1:before.ringGBps > 1.9 * ringGBps}. An operand is a number, a word, or a path in the JSON of an
 * answer; a path may name the command, from 1, and pick an entry of a list by fields or index;
 * {@code #} is the length of a list. {@code /…/} is a number in an answer that is a text. {@code ~}
 * asks whether a text contains another.
 */
final class AnswerCheck {
  private static final Pattern RELATION = Pattern.compile("(.+?) (=|!=|<|<=|>|>=|~) (.+)");
  private static final Pattern SCALED = Pattern.compile("([\\d.]+) \\* (.+)");
  private static final Pattern NUMBERED = Pattern.compile("([1-9]):([A-Za-z/].*)");
  private static final Pattern SEGMENT =
      Pattern.compile("([^.\\[]+|#)((?:\\[[^\\]]+\\])*)(?:\\.|$)");
  private static final Pattern PATH = Pattern.compile("[a-z]\\w*(?:\\[[^\\]]+\\])*\\.[a-z#].*");
  private static final Pattern FILTER = Pattern.compile("\\[([^\\]]+)\\]");
  private static final double ALIKE = 5e-4;

  private final List<CliRun> answers;

  /** For the answers of a thread's commands, in their order. */
  AnswerCheck(List<CliRun> answers) {
    this.answers = answers;
  }

  /** Whether a relation is one of a text and not of JSON. */
  static boolean isOfText(String relation) {
    return relation.startsWith("/");
  }

  /** Why a relation does not hold; empty if it does. */
  String fault(String relation) {
    Matcher parts = RELATION.matcher(relation);
    if (!parts.matches()) {
      return relation + ": expected a relation";
    }
    String left = value(parts.group(1), false);
    String right = value(parts.group(3), true);
    return holds(left, parts.group(2), right)
        ? ""
        : relation + ": " + left + " " + parts.group(2) + " " + right;
  }

  private static boolean holds(String left, String operator, String right) {
    if (operator.equals("~")) {
      return left.contains(right);
    }
    if (!isNumber(left) || !isNumber(right)) {
      return operator.equals("=") == left.equals(right) && operator.matches("!?=");
    }
    double one = Double.parseDouble(left);
    double other = Double.parseDouble(right);
    boolean isAlike = Math.abs(one - other) <= ALIKE * Math.abs(other);
    return switch (operator) {
      case "=" -> isAlike;
      case "!=" -> !isAlike;
      case "<" -> one < other;
      case "<=" -> one <= other;
      case ">" -> one > other;
      default -> one >= other;
    };
  }

  private static boolean isNumber(String text) {
    return text.matches("-?\\d+(\\.\\d+)?([eE][+-]?\\d+)?");
  }

  /** On the right, what does not look like a path is a word. */
  private String value(String operand, boolean isRight) {
    Matcher scaled = SCALED.matcher(operand);
    if (scaled.matches()) {
      double value = Double.parseDouble(value(scaled.group(2), false));
      return String.valueOf(Double.parseDouble(scaled.group(1)) * value);
    }
    if (isNumber(operand)) {
      return operand;
    }
    Matcher numbered = NUMBERED.matcher(operand);
    boolean isNumbered = numbered.matches();
    int index = isNumbered ? Integer.parseInt(numbered.group(1)) - 1 : answers.size() - 1;
    String path = isNumbered ? numbered.group(2) : operand;
    String out = answers.get(index).out();
    if (path.startsWith("/")) {
      Matcher number = Pattern.compile(path.substring(1, path.length() - 1)).matcher(out);
      return number.find() ? number.group(1) : "not found";
    }
    if (isRight && !isNumbered && !PATH.matcher(path).matches()) {
      return path.replaceFirst("^'(.*)'$", "$1");
    }
    JsonNode node = JsonMapper.shared().readTree(out);
    Matcher segment = SEGMENT.matcher(path);
    while (segment.find()) {
      node = step(node, segment.group(1), path);
      Matcher filter = FILTER.matcher(segment.group(2));
      while (filter.find()) {
        node = pick(node, filter.group(1), path);
      }
    }
    return node.isValueNode() ? node.asString() : node.toString();
  }

  private static JsonNode step(JsonNode node, String name, String path) {
    if (name.equals("#")) {
      return JsonMapper.shared().getNodeFactory().numberNode(node.size());
    }
    if (!node.has(name)) {
      throw new AssertionError(path + ": no " + name + " in " + abridged(node));
    }
    return node.get(name);
  }

  private static JsonNode pick(JsonNode list, String filter, String path) {
    if (filter.matches("\\d+")) {
      return list.get(Integer.parseInt(filter));
    }
    for (JsonNode entry : list) {
      if (isOne(entry, filter)) {
        return entry;
      }
    }
    throw new AssertionError(path + ": no [" + filter + "] in " + abridged(list));
  }

  private static boolean isOne(JsonNode entry, String filter) {
    for (String condition : filter.split(",")) {
      String[] parts = condition.split("=", 2);
      JsonNode value = entry.get(parts[0]);
      boolean isEqual =
          value != null
              && (parts[1].endsWith("*")
                  ? value.asString().startsWith(parts[1].substring(0, parts[1].length() - 1))
                  : value.asString().equals(parts[1]));
      if (!isEqual) {
        return false;
      }
    }
    return true;
  }

  private static String abridged(JsonNode node) {
    String text = node.toString();
    return text.substring(0, Math.min(300, text.length()));
  }
}

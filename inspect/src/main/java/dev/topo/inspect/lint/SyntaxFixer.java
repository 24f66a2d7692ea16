package dev.topo.inspect.lint;

import dev.topo.inspect.lint.NcclXmlReader.Limits;
import dev.topo.inspect.lint.NcclXmlReader.Reading;
import dev.topo.model.xml.Vocabulary;
import java.util.Optional;

/**
 * Reads a text as NCCL does. Where NCCL would fail, it fixes the text and reads it again, so that
 * one call finds all errors. An error that cannot be fixed ends the reading. Single use.
 */
final class SyntaxFixer {
  /** Maximum number of bytes read in all passes together. */
  private static final long MAX_BYTES_READ = 200_000_000;

  private final Findings findings;
  private final Vocabulary kinds;
  private final FixedText text;
  private Limits limits;
  private boolean isComplete = true;

  SyntaxFixer(SourceText source, Vocabulary kinds, Limits limits, Findings findings) {
    this.text = new FixedText(source.bytes());
    this.kinds = kinds;
    this.limits = limits;
    this.findings = findings;
  }

  /** True if the text could be read to its end. */
  boolean isComplete() {
    return isComplete;
  }

  /** The text after all fixes. */
  FixedText text() {
    return text;
  }

  /** Returns the elements of the text, up to the position where reading ended. */
  Reading read() {
    long budget = MAX_BYTES_READ;
    while (true) {
      findings.useOrigins(text.origin());
      Reading reading = new NcclXmlReader(text.bytes(), kinds, limits).read();
      budget -= text.length();
      Optional<ParseFailure> refusal = reading.refusal();
      boolean again = refusal.isPresent() ? fix(refusal.get(), reading) : joinValues(reading.top());
      if (!again || budget < 0) {
        isComplete = !again && refusal.isEmpty();
        return reading;
      }
    }
  }

  private boolean fix(ParseFailure refusal, Reading reading) {
    int at = Math.min(refusal.position(), Math.max(0, text.length() - 1));
    return switch (refusal.kind()) {
      case END_OF_TEXT -> end(LintRule.TRUNCATED, at, refusal);
      case NO_ELEMENT -> noElement(at, reading, refusal);
      case TOO_LONG -> end(LintRule.TOO_LONG, at, refusal);
      case VALUE_IN_NAME -> valueInName(at, refusal);
      case NO_QUOTE -> noQuote(at);
      case BAD_TAG -> badTag(at, refusal);
      case BAD_TAG_END -> badTagEnd(at, refusal);
      case WRONG_CLOSING_TAG -> end(LintRule.WRONG_CLOSING_TAG, at, refusal);
      case MARKUP -> markup(at, refusal);
      case TOO_MANY_ELEMENTS -> tooMany(LintRule.TOO_MANY_ELEMENTS, at, refusal);
      case TOO_MANY_CHILDREN -> tooMany(LintRule.TOO_MANY_CHILDREN, at, refusal);
    };
  }

  private boolean end(LintRule rule, int at, ParseFailure refusal) {
    int stop = Math.max(at + 1, text.find(">", at));
    findings.add(rule, at, stop, rule.title() + " (NCCL: " + refusal.log() + ")");
    return false;
  }

  private boolean tooMany(LintRule rule, int at, ParseFailure refusal) {
    if (limits.equals(Limits.LOOSE)) {
      return end(rule, at, refusal);
    }
    findings.add(rule, at, at + 1, rule.title());
    limits = Limits.LOOSE;
    return true;
  }

  /** Reports part of the text and replaces it. */
  private boolean replace(LintRule rule, int from, int to, String by) {
    findings.add(rule, from, to, rule.title(), findings.edit(from, to, by));
    text.replace(from, to, by);
    return true;
  }

  /**
   * Reports part of the text and removes it without offering an edit: the user has to decide on a
   * fix.
   */
  private boolean skip(LintRule rule, int from, int to) {
    findings.add(rule, from, to, rule.title());
    text.replace(from, to, "");
    return true;
  }

  private boolean replaceBlanks(LintRule rule, int at, String by) {
    return replace(rule, text.blanksBefore(at), text.blanksAfter(at), by);
  }

  private boolean noElement(int at, Reading reading, ParseFailure refusal) {
    if (text.at(at) == '\t') {
      int from = text.blanksBefore(at);
      int to = text.blanksAfter(at);
      return replace(
          LintRule.TAB_BETWEEN_ELEMENTS, from, to, text.string(from, to).replace("\t", "  "));
    }
    if (at == 0 && text.startsWith("\u00ef\u00bb\u00bf", 0)) {
      return replace(LintRule.BYTE_ORDER_MARK, 0, 3, "");
    }
    int next = text.find("<", at);
    if (reading.top().isEmpty() || next < 0) {
      return end(
          reading.top().isEmpty() ? LintRule.NOT_XML : LintRule.TEXT_BETWEEN_ELEMENTS, at, refusal);
    }
    return skip(LintRule.TEXT_BETWEEN_ELEMENTS, at, next);
  }

  private boolean valueInName(int at, ParseFailure refusal) {
    if (text.startsWith("!--", at)) {
      return replace(LintRule.COMMENT_WITH_EQUALS, at + 3, at + 3, " ");
    }
    for (int i = at; i < text.length() && text.at(i) != '='; i++) {
      if (text.at(i) == '\t') {
        return replaceBlanks(LintRule.BREAK_IN_TAG, i, " ");
      }
    }
    return end(LintRule.BAD_TAG, at, refusal);
  }

  private boolean noQuote(int at) {
    if (FixedText.isBlank(text.at(at))) {
      return replaceBlanks(LintRule.BLANK_IN_TAG, at, "");
    }
    int end = at;
    while (end < text.length() && " \t\r\n/>".indexOf(text.at(end)) < 0) {
      end++;
    }
    return replace(LintRule.UNQUOTED_VALUE, at, end, "\"" + text.string(at, end) + "\"");
  }

  private boolean badTag(int at, ParseFailure refusal) {
    if (FixedText.isBlank(text.at(at))) {
      char behind = text.at(text.blanksAfter(at));
      return replaceBlanks(LintRule.BREAK_IN_TAG, at, behind == '>' || behind == '/' ? "" : " ");
    }
    if (at > 0 && (text.at(at - 1) == '"' || text.at(at - 1) == '\'') && text.at(at) >= 'A') {
      return replace(LintRule.BLANK_MISSING, at, at, " ");
    }
    return end(LintRule.BAD_TAG, at, refusal);
  }

  private boolean badTagEnd(int at, ParseFailure refusal) {
    return FixedText.isBlank(text.at(at))
        ? replaceBlanks(LintRule.BLANK_IN_TAG, at, "")
        : end(LintRule.BAD_TAG, at, refusal);
  }

  private boolean markup(int at, ParseFailure refusal) {
    boolean declaration = text.startsWith("<?", at);
    boolean section = text.startsWith("<![", at);
    LintRule rule = declaration ? LintRule.XML_DECLARATION : LintRule.DOCUMENT_TYPE;
    int bracket = text.find("[", at);
    int simple = text.find(">", at);
    String close = declaration ? "?>" : section ? "]]>" : ">";
    if (!declaration && !section && bracket >= 0 && bracket < simple) {
      close = "]>";
    }
    int end = text.find(close, at);
    if (end < 0) {
      return end(rule, at, refusal);
    }
    int to = end + close.length();
    if (to < text.length() && text.at(to) == '\n') {
      to++;
    }
    return section ? skip(rule, at, to) : replace(rule, at, to, "");
  }

  /** Joins names and values that are separated by blanks. */
  private boolean joinValues(Iterable<LintElement> elements) {
    for (LintElement element : elements) {
      for (LintAttribute attribute : element.attributes()) {
        int at = attribute.offset();
        if (attribute.name().isEmpty() && text.at(at) == '=') {
          return replace(LintRule.BLANK_BEFORE_EQUALS, text.blanksBefore(at), at, "");
        }
      }
      if (joinValues(element.children())) {
        return true;
      }
    }
    return false;
  }
}

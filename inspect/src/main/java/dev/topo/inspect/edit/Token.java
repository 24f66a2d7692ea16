package dev.topo.inspect.edit;

import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.TopologyFormatException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Word of an edit.
 *
 * @param text the word without quotes
 * @param location start of the word
 */
record Token(String text, SourceLocation location) {
  /** Splits a line into statements, each with at least one word; quoted text may contain blanks. */
  static List<List<Token>> statements(String line, String source, int number) {
    List<List<Token>> statements = new ArrayList<>();
    List<Token> words = new ArrayList<>();
    int i = 0;
    while (i < line.length()) {
      char c = line.charAt(i);
      if (c == '#') {
        break;
      }
      if (c == ';') {
        statements.add(words);
        words = new ArrayList<>();
        i++;
      } else if (Character.isWhitespace(c)) {
        i++;
      } else {
        SourceLocation location = new SourceLocation(source, number, i + 1);
        StringBuilder word = new StringBuilder();
        i = readWord(line, i, word, location);
        words.add(new Token(word.toString(), location));
      }
    }
    statements.add(words);
    return statements.stream().filter(statement -> !statement.isEmpty()).toList();
  }

  private static int readWord(String line, int start, StringBuilder word, SourceLocation location) {
    int i = start;
    while (i < line.length() && !Character.isWhitespace(line.charAt(i)) && line.charAt(i) != ';') {
      char c = line.charAt(i);
      if (c != '"') {
        word.append(c);
        i++;
        continue;
      }
      int end = line.indexOf('"', i + 1);
      if (end < 0) {
        throw new TopologyFormatException(location, line.substring(i) + ": expected a second \"");
      }
      word.append(line, i + 1, end);
      i = end + 1;
    }
    return i;
  }

  /** Parses this word as a selector. */
  Selector selector() {
    return Selector.parse(text, location);
  }

  /** Splits this word at the first equals sign into name and value. */
  Map.Entry<String, String> assignment(String expected) {
    int equals = text.indexOf('=');
    if (equals < 1) {
      throw error("expected " + expected);
    }
    return Map.entry(text.substring(0, equals), text.substring(equals + 1));
  }

  TopologyFormatException error(String expected) {
    return new TopologyFormatException(location, "'" + text + "': " + expected);
  }
}

package dev.topo.inspect.lint;

import dev.topo.inspect.lint.ParseFailure.Kind;
import dev.topo.model.xml.Vocabulary;
import dev.topo.search.rules.NcclProfile;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads text as NCCL's own reader does, with the same result up to the element where it fails
 * ({@code xmlGetToken}, {@code xmlGetNode}, {@code xmlLoadSub}, {@code nccl:src/graph/xml.cc}).
 * Inside an ignored element any closing tag is accepted, as by NCCL. Declarations and marked
 * sections, which NCCL reads as elements that mostly never end, are rejected here at once. Used
 * once.
 */
final class NcclXmlReader {
  /** Maximum length of a name or value in bytes, including its delimiter ({@code MAX_STR_LEN}). */
  private static final int MAX_STRING = 255;

  /** Maximum number of attributes of an element ({@code MAX_ATTR_COUNT}). */
  public static final int MAX_ATTRIBUTES = 16;

  /** Maximum nesting depth; NCCL has no limit but runs out of elements or stack. */
  private static final int MAX_DEPTH = 500;

  private final byte[] text;
  private final Vocabulary kinds;
  private final Limits limits;
  private int position;
  private int elements;
  private char last;

  /** Reader of a text for one kind of file. */
  NcclXmlReader(byte[] text, Vocabulary kinds, Limits limits) {
    this.text = text.clone();
    this.kinds = kinds;
    this.limits = limits;
  }

  /**
   * Limits of NCCL's memory.
   *
   * @param elements elements of a file, one of which NCCL never uses
   * @param children children of an element
   */
  public record Limits(int elements, int children) {
    /**
     * Limits of a topology file by the rules of a version ({@code NCCL_TOPO_XML_MAX_NODES}, {@code
     * MAX_SUBS}, {@code nccl:src/graph/topo.h}, {@code xml.h}).
     */
    static Limits of(NcclProfile profile) {
      return new Limits(profile.xml().maxElements + 1, 128);
    }

    /** Limits of a graph file ({@code NCCL_GRAPH_XML_MAX_NODES}). */
    public static final Limits GRAPH = new Limits(4096, 128);

    /** Limits above NCCL's own, to examine elements beyond its limits. */
    public static final Limits LOOSE = new Limits(100_000, 100_000);
  }

  /**
   * Content of a file as NCCL reads it.
   *
   * @param top the outermost elements
   * @param elements number of elements that NCCL keeps
   * @param refusal the reason if NCCL fails
   */
  public record Reading(List<LintElement> top, int elements, Optional<ParseFailure> refusal) {
    public Reading {
      top = List.copyOf(top);
    }
  }

  private static final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final transient ParseFailure refusal;

    RefusedException(ParseFailure refusal) {
      super(refusal.log(), null, false, false);
      this.refusal = refusal;
    }
  }

  private enum TagType {
    END_OF_TEXT,
    OPEN,
    CLOSE,
    SINGLE
  }

  private record Tag(TagType type, String name, List<LintAttribute> attributes, int offset) {}

  /** Reads to the end, or to the place where NCCL fails. */
  Reading read() {
    List<LintElement> top = new ArrayList<>();
    try {
      readInside("", false, top, 0);
      return new Reading(top, elements, Optional.empty());
    } catch (RefusedException e) {
      return new Reading(top, elements, Optional.of(e.refusal));
    }
  }

  private static RefusedException refuse(Kind kind, int at, String log) {
    return new RefusedException(new ParseFailure(kind, at, log));
  }

  /** Reads the content of an element up to its closing tag; the file itself has an empty name. */
  private void readInside(String parent, boolean kept, List<LintElement> into, int depth) {
    if (depth > MAX_DEPTH) {
      throw refuse(Kind.TOO_MANY_ELEMENTS, position, "(crash: nested too deeply)");
    }
    int children = 0;
    while (true) {
      if (elements == limits.elements()) {
        throw refuse(
            Kind.TOO_MANY_ELEMENTS,
            position,
            "Error : XML parser is limited to " + limits.elements() + " nodes");
      }
      Tag tag = readTag();
      if (tag.type == TagType.END_OF_TEXT) {
        if (depth > 0) {
          throw refuse(Kind.END_OF_TEXT, position, "XML Parse : unterminated " + parent);
        }
        return;
      }
      if (tag.type == TagType.CLOSE) {
        if (depth > 0 && (!kept || tag.name.equals(parent))) {
          return;
        }
        if (depth > 0 || kinds.isReadInside(parent, tag.name)) {
          throw refuse(
              Kind.WRONG_CLOSING_TAG, tag.offset, "XML Mismatch : " + parent + " / " + tag.name);
        }
        // At the top level NCCL reads a closing tag as an element that it ignores.
      }
      boolean known = (depth == 0 || kept) && kinds.isReadInside(parent, tag.name);
      if (known) {
        if (depth > 0 && children == limits.children()) {
          throw refuse(
              Kind.TOO_MANY_CHILDREN,
              tag.offset,
              "Error : XML parser is limited to " + limits.children() + " subnodes");
        }
        children++;
        elements++;
      }
      List<LintElement> inside = new ArrayList<>();
      try {
        if (tag.type != TagType.SINGLE) {
          readInside(tag.name, known, inside, depth + 1);
        }
      } finally {
        into.add(new LintElement(tag.name, tag.attributes, inside, tag.offset, known));
      }
    }
  }

  private char next() {
    if (position >= text.length) {
      throw refuse(Kind.END_OF_TEXT, position, "XML Parse : Unexpected EOF");
    }
    return (char) (text[position++] & 0xff);
  }

  private Tag readTag() {
    while (true) {
      char c = ' ';
      while (c == ' ' || c == '\n' || c == '\r') {
        if (position >= text.length) {
          return new Tag(TagType.END_OF_TEXT, "", List.of(), position);
        }
        c = next();
      }
      int offset = position - 1;
      if (c != '<') {
        throw refuse(Kind.NO_ELEMENT, offset, "XML Parse error : expecting '<', got '" + c + "'");
      }
      String name = readName();
      if (name.startsWith("!--")) {
        skipComment(name.substring(3) + last);
        continue;
      }
      if (name.startsWith("!") || name.startsWith("?")) {
        throw refuse(Kind.MARKUP, offset, "XML Parse : expected >, or an element without end");
      }
      if (name.isEmpty() && last == '/') {
        String closed = readName();
        if (last != '>') {
          throw refuse(
              Kind.BAD_TAG_END,
              position - 1,
              "XML Parse error : unexpected trailing " + last + " in closing tag " + closed);
        }
        return new Tag(TagType.CLOSE, closed, List.of(), offset);
      }
      return readRest(name, offset);
    }
  }

  private Tag readRest(String name, int offset) {
    List<LintAttribute> attributes = new ArrayList<>();
    while (last == ' ') {
      attributes.add(readAttribute(attributes.size() < MAX_ATTRIBUTES));
    }
    TagType type = TagType.OPEN;
    if (last == '/') {
      type = TagType.SINGLE;
      readName();
    }
    if (last != '>') {
      throw refuse(
          type == TagType.SINGLE ? Kind.BAD_TAG_END : Kind.BAD_TAG,
          position - 1,
          "XML Parse : expected >, got '" + last + "'");
    }
    return new Tag(type, name, attributes, offset);
  }

  /** Reads a word up to the character that ends it, which becomes {@link #last}. */
  private String readWord() {
    int start = position;
    do {
      last = next();
      if (last != '=') {
        checkRoom(start);
      }
    } while (" >/\n\r=".indexOf(last) < 0);
    return string(start, position - 1);
  }

  private String readName() {
    int start = position;
    String name = readWord();
    if (last == '=') {
      throw refuse(Kind.VALUE_IN_NAME, start, "XML Parse : Unexpected value with name " + name);
    }
    return name;
  }

  private LintAttribute readAttribute(boolean kept) {
    int start = position;
    String name = readWord();
    int end = position - 1;
    return last == '='
        ? readValue(name, start, kept)
        : new LintAttribute(name, "", start, end, end, kept);
  }

  private LintAttribute readValue(String name, int offset, boolean kept) {
    char quote = next();
    if (quote != '"' && quote != '\'') {
      throw refuse(Kind.NO_QUOTE, position - 1, "XML Parse : Expected (double) quote.");
    }
    int start = position;
    char c;
    do {
      c = next();
      checkRoom(start);
    } while (c != quote);
    int end = position - 1;
    last = next();
    return new LintAttribute(name, string(start, end), offset, start, end, kept);
  }

  private void checkRoom(int start) {
    if (position - start == MAX_STRING) {
      throw refuse(Kind.TOO_LONG, start, "Error : name or value too long (max " + MAX_STRING + ")");
    }
  }

  private void skipComment(String begin) {
    String end = ("..." + begin);
    end = end.substring(end.length() - 3);
    while (!end.equals("-->")) {
      if (position >= text.length) {
        throw refuse(Kind.END_OF_TEXT, position, "XML Parse error : unterminated comment");
      }
      end = end.substring(1) + next();
    }
  }

  /** Bytes up to the first zero, which ends a string in C. */
  private String string(int from, int to) {
    int end = from;
    while (end < to && text[end] != 0) {
      end++;
    }
    return new String(text, from, end - from, StandardCharsets.UTF_8);
  }
}

package dev.topo.inspect.lint.text;

/**
 * Why NCCL's reader gives up, and where.
 *
 * @param kind what it stumbled over
 * @param position byte at which it stands, in the text that it read
 * @param log what it says in its log
 */
public record ParseFailure(Kind kind, int position, String log) {
  /** What the reader stumbles over. */
  public enum Kind {
    /** The text ends too early. */
    END_OF_TEXT,
    /** Something else than an element stands between elements. */
    NO_ELEMENT,
    /** A name or value of more bytes than it has room for. */
    TOO_LONG,
    /** A value stands in a place for a name. */
    VALUE_IN_NAME,
    /** A value without quotes. */
    NO_QUOTE,
    /** A tag goes on in a way that is not understood. */
    BAD_TAG,
    /** Something behind the name in a closing tag, or behind the slash of a single one. */
    BAD_TAG_END,
    /** A closing tag that is not that of the element which is open. */
    WRONG_CLOSING_TAG,
    /** A declaration or marked section, which the reader takes for an element. */
    MARKUP,
    /** More elements than it has room for. */
    TOO_MANY_ELEMENTS,
    /** More elements inside one than it has room for. */
    TOO_MANY_CHILDREN
  }
}

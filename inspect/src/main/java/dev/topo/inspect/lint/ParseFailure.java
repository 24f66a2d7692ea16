package dev.topo.inspect.lint;

/**
 * Why and where NCCL's reader fails.
 *
 * @param kind the cause
 * @param position index of the byte at which reading failed
 * @param log what it says in its log
 */
record ParseFailure(Kind kind, int position, String log) {
  /** The cause of the failure. */
  public enum Kind {
    /** The text ends too early. */
    END_OF_TEXT,
    /** Text that is no element between elements. */
    NO_ELEMENT,
    /** A name or value of more bytes than it has room for. */
    TOO_LONG,
    /** A value in the place of a name. */
    VALUE_IN_NAME,
    /** A value without quotes. */
    NO_QUOTE,
    /** Unexpected characters in a tag. */
    BAD_TAG,
    /** Something behind the name in a closing tag, or behind the slash of a single one. */
    BAD_TAG_END,
    /** A closing tag that is not that of the element which is open. */
    WRONG_CLOSING_TAG,
    /** A declaration or marked section, which the reader takes for an element. */
    MARKUP,
    TOO_MANY_ELEMENTS,
    /** More elements inside one than it has room for. */
    TOO_MANY_CHILDREN
  }
}

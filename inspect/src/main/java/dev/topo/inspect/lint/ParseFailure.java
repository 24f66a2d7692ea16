package dev.topo.inspect.lint;

/**
 * Failure of NCCL's reader.
 *
 * @param kind the cause
 * @param position byte offset at which reading failed
 * @param log NCCL's log message
 */
record ParseFailure(Kind kind, int position, String log) {
  /** Causes of a failure. */
  public enum Kind {
    /** The text ends too early. */
    END_OF_TEXT,
    /** Text between elements. */
    NO_ELEMENT,
    /** A name or value longer than the reader's limit. */
    TOO_LONG,
    /** A value in the place of a name. */
    VALUE_IN_NAME,
    /** A value without quotes. */
    NO_QUOTE,
    /** Unexpected characters in a tag. */
    BAD_TAG,
    /** Text after the name in a closing tag, or after the slash of an empty element. */
    BAD_TAG_END,
    /** A closing tag that does not match the open element. */
    WRONG_CLOSING_TAG,
    /** A declaration or marked section, which the reader takes for an element. */
    MARKUP,
    TOO_MANY_ELEMENTS,
    /** More children than the reader's limit. */
    TOO_MANY_CHILDREN
  }
}

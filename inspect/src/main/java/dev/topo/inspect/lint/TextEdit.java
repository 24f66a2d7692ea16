package dev.topo.inspect.lint;

/**
 * A change of a text.
 *
 * @param offset first byte that goes away, from 0
 * @param length number of bytes that go away
 * @param text the replacement
 */
public record TextEdit(int offset, int length, String text) {
  public TextEdit {
    if (offset < 0 || length < 0) {
      throw new IllegalArgumentException("offset " + offset + ", length " + length);
    }
  }

  int end() {
    return offset + length;
  }
}

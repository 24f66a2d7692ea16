package dev.topo.inspect.lint;

/**
 * Change of a text.
 *
 * @param offset first byte to remove, from 0
 * @param length number of bytes to remove
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

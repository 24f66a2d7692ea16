package dev.topo.model.io;

import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Files compressed by gzip, which are recognised by their first bytes (RFC 1952), not by name. */
public final class Gzip {
  static final int FIRST = 0x1f;
  static final int SECOND = 0x8b;
  private static final int BUFFER = 1 << 16;

  private Gzip() {}

  /**
   * The content of a stream, unpacked where it is compressed; only white space may follow its last
   * member.
   */
  public static InputStream unpacked(InputStream stream) throws IOException {
    InputStream in = new BufferedInputStream(new Unasked(stream), BUFFER);
    in.mark(2);
    boolean isCompressed = in.read() == FIRST && in.read() == SECOND;
    in.reset();
    return isCompressed ? new BufferedInputStream(new GzipMembers(in), BUFFER) : in;
  }

  /** A stream that is not asked how much it has: Java seeks to answer, which a pipe cannot. */
  private static final class Unasked extends FilterInputStream {
    Unasked(InputStream stream) {
      super(stream);
    }

    @Override
    public int available() {
      return 0;
    }
  }

  public static boolean isCompressed(byte[] content) {
    return content.length > 1 && content[0] == FIRST && content[1] == (byte) SECOND;
  }
}

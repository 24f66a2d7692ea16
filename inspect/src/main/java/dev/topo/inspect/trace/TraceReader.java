package dev.topo.inspect.trace;

import dev.topo.model.io.Gzip;
import dev.topo.model.io.InputText;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.TopologyFormatException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Reads a trace in any known format, which is detected from the content. */
public final class TraceReader {
  private static final String EXPECTED =
      "a trace of PyTorch's profiler or NCCL Inspector (JSON, also gzipped), a Flight Recorder dump, a Chakra execution trace, or CSV with the"
          + " columns group,operation,bytes,datatype,count";

  private static final int LOOKAHEAD = 1 << 16;

  /** Largest table, in bytes: hundreds of thousands of kinds of calls, more than a step has. */
  private static final int MAX_TABLE_BYTES = 16 << 20;

  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

  private TraceReader() {}

  /**
   * Reads the traces of a file: one, or for NCCL Inspector and Chakra one for each communicator.
   *
   * @param defaultRank rank of a trace that does not state its own
   * @param inputs opens the file
   * @throws TopologyFormatException if it cannot be read
   */
  public static List<RankTrace> read(Path file, int defaultRank, Inputs inputs) {
    String name = file.toString();
    try (InputStream in = Gzip.unpacked(inputs.open(file, EXPECTED))) {
      if (ChakraFile.isChakra(start(in))) {
        return ChakraFile.read(in, name, defaultRank);
      }
      skipByteOrderMark(in);
      int first = peek(in);
      if (first == PickleReader.FIRST_BYTE) {
        return List.of(FlightRecorderFile.read(PickleReader.read(in, name), name));
      }
      if (first == '{' || first == '[') {
        return JsonTrace.read(in, name, defaultRank);
      }
      return List.of(CallTable.read(InputText.of(table(in, name), name, EXPECTED), name));
    } catch (IOException e) {
      throw new TopologyFormatException(
          name, "cannot be read (" + e.getMessage() + "), expected " + EXPECTED, e);
    }
  }

  private static byte[] start(InputStream in) throws IOException {
    in.mark(LOOKAHEAD);
    byte[] start = in.readNBytes(ChakraFile.SIGNATURE_BYTES);
    in.reset();
    return start;
  }

  private static byte[] table(InputStream in, String name) throws IOException {
    byte[] content = in.readNBytes(MAX_TABLE_BYTES + 1);
    if (content.length > MAX_TABLE_BYTES) {
      throw new TopologyFormatException(
          name,
          "has more than %s bytes, and does not begin as a trace: expected %s"
              .formatted(MAX_TABLE_BYTES, EXPECTED));
    }
    return content;
  }

  /** First byte that is not white space; -1 at the end. */
  private static int peek(InputStream in) throws IOException {
    in.mark(LOOKAHEAD);
    int next = in.read();
    for (int i = 1; i < LOOKAHEAD && Character.isWhitespace(next); i++) {
      next = in.read();
    }
    in.reset();
    return next;
  }

  private static void skipByteOrderMark(InputStream in) throws IOException {
    in.mark(BYTE_ORDER_MARK.length);
    if (!Arrays.equals(in.readNBytes(BYTE_ORDER_MARK.length), BYTE_ORDER_MARK)) {
      in.reset();
    }
  }
}

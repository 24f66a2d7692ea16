package dev.topo.workload.trace;

import dev.topo.model.diagnostic.Gzip;
import dev.topo.model.diagnostic.InputFile;
import dev.topo.model.diagnostic.SourceLocation;
import dev.topo.model.diagnostic.TopologyFormatException;
import dev.topo.workload.RankTrace;
import dev.topo.workload.pickle.PickleReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Reads a trace, whichever of the known formats it is in: the content decides. */
public final class TraceReader {
  private static final String EXPECTED =
      "a trace of PyTorch's profiler or NCCL Inspector (JSON, also gzipped), a Flight Recorder dump, a Chakra execution trace, or CSV with the"
          + " columns group,operation,bytes,datatype,count";

  private static final int BUFFER = 1 << 16;

  private TraceReader() {}

  /**
   * The traces in a file: one, or of NCCL Inspector and Chakra one for each communicator.
   *
   * @param place the place of the file among all, the rank where the trace names none
   * @throws TopologyFormatException if it cannot be read
   */
  public static List<RankTrace> read(Path file, int place) {
    String name = file.toString();
    try (InputStream in = Gzip.unpacked(InputFile.open(file, EXPECTED))) {
      if (ChakraFile.isChakra(start(in))) {
        return ChakraFile.read(in, name, place);
      }
      int first = peek(in);
      if (first == PickleReader.FIRST) {
        return List.of(FlightRecorderFile.read(in, name));
      }
      if (first == '{' || first == '[') {
        return JsonTrace.read(in, name, place);
      }
      return List.of(CallTable.read(new String(in.readAllBytes(), StandardCharsets.UTF_8), name));
    } catch (IOException e) {
      throw new TopologyFormatException(
          SourceLocation.of(name),
          "cannot be read (" + e.getMessage() + "), expected " + EXPECTED,
          e);
    }
  }

  private static byte[] start(InputStream in) throws IOException {
    in.mark(BUFFER);
    byte[] start = in.readNBytes(ChakraFile.START);
    in.reset();
    return start;
  }

  /** The first byte that is no white space; -1 at the end. */
  private static int peek(InputStream in) throws IOException {
    in.mark(BUFFER);
    int next = in.read();
    for (int i = 1; i < BUFFER && (Character.isWhitespace(next) || isByteOrderMark(next)); i++) {
      next = in.read();
    }
    in.reset();
    return next;
  }

  /** Of a byte order mark in UTF-8. */
  private static boolean isByteOrderMark(int next) {
    return next == 0xef || next == 0xbb || next == 0xbf;
  }
}

package dev.topo.run.job;

import dev.topo.run.bench.GpuGroup;
import dev.topo.run.bench.Peers;
import dev.topo.run.call.RunRequest;
import java.util.List;

/** The GPUs of one process, with communicators and buffers, until it is closed. */
public interface GpuJob extends AutoCloseable {
  /** The request without unsupported element types. */
  RunRequest request();

  /** The version of the library, {@code 22809} for 2.28.9. */
  int ncclVersion();

  List<UsedDevice> devices();

  List<String> announcements();

  Peers peers();

  long bufferBytes();

  List<GpuGroup> groups();

  /** GPU memory that was taken up to now. */
  MemoryUse memory();

  /** Ends the communicators and frees the buffers. */
  @Override
  void close();
}

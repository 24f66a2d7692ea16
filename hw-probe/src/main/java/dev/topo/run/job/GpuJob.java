package dev.topo.run.job;

import dev.topo.run.bench.GpuGroup;
import dev.topo.run.bench.Peers;
import dev.topo.run.call.RunRequest;
import java.util.List;

/** The GPUs of one process, with communicators and buffers, until it is closed. */
public interface GpuJob extends AutoCloseable {
  /** What is run: the request without the element types that are not there. */
  RunRequest request();

  /** The version of the library, {@code 22809} for 2.28.9. */
  int ncclVersion();

  /** The GPUs of all processes, by rank. */
  List<UsedDevice> devices();

  /** What each process announced. */
  List<String> announcements();

  Peers peers();

  /** How large each buffer is. */
  long bufferBytes();

  /** The GPUs of each thread. */
  List<GpuGroup> groups();

  /** GPU memory that was taken up to now. */
  MemoryUse memory();

  /** Ends the communicators and frees the buffers. */
  @Override
  void close();
}

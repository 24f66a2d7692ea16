package dev.topo.fuzz;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;

/**
 * A call of the command in this thread, and how much memory it allocated: a count of its work that
 * depends on no clock.
 */
record CountedCall(Call call, long allocatedBytes) {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** Runs a command line without a variable of the environment. */
  static CountedCall of(List<String> words) {
    long thread = Thread.currentThread().getId();
    long before = THREADS.getThreadAllocatedBytes(thread);
    Call call = Call.of(words);
    return new CountedCall(call, THREADS.getThreadAllocatedBytes(thread) - before);
  }
}

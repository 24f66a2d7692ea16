package dev.topo.hw.javacpp;

import dev.topo.hw.run.EventLine;
import dev.topo.hw.run.Worker;
import dev.topo.hw.run.WorkerTime;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Main class of the worker process: reads its assignment from the first line of standard input,
 * reports events on standard error, and ends when standard input ends. Standard output belongs to
 * NCCL.
 */
public final class WorkerMain {
  private WorkerMain() {}

  public static void main(String[] args) throws IOException {
    BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    String line = input.readLine();
    if (line == null) {
      System.exit(1);
      return;
    }
    endWith(input);
    PrintStream events =
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
    EventLine.Assignment assignment = EventLine.readAssignment(line);
    Worker worker =
        new Worker(
            assignment,
            JavacppGpuJob::open,
            JavacppMemory::open,
            WorkerTime.SYSTEM,
            event -> events.println(EventLine.write(event)));
    int status = worker.run();
    // Halts instead of exiting: threads of a hung communicator must not keep the process alive.
    Runtime.getRuntime().halt(status);
  }

  /** Ends the process at the end of standard input, when the parent process has ended. */
  private static void endWith(BufferedReader input) {
    Thread watch =
        new Thread(
            () -> {
              try {
                while (input.readLine() != null) {
                  // No input follows the assignment.
                }
              } catch (IOException e) {
                // A failure counts as the end of input.
              }
              Runtime.getRuntime().halt(1);
            },
            "parent watch");
    watch.setDaemon(true);
    watch.start();
  }
}

package dev.topo.run.worker;

import dev.topo.run.javacpp.JavacppGpuJob;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * The worker process: reads its assignment from the first line of standard input, says what happens
 * on standard error, and ends when standard input does. Standard output is NCCL's.
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
        new Worker(assignment, JavacppGpuJob::new, event -> events.println(EventLine.write(event)));
    int status = worker.run();
    // Not exit: what a stuck communicator left behind must not keep the process.
    Runtime.getRuntime().halt(status);
  }

  /** The process that started this one is gone when standard input ends. */
  private static void endWith(BufferedReader input) {
    Thread watch =
        new Thread(
            () -> {
              try {
                while (input.readLine() != null) {
                  // Nothing is said after the assignment.
                }
              } catch (IOException e) {
                // As good as the end.
              }
              Runtime.getRuntime().halt(1);
            },
            "parent watch");
    watch.setDaemon(true);
    watch.start();
  }
}

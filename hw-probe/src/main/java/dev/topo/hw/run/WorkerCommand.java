package dev.topo.hw.run;

import dev.topo.model.QuantityFormat;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Command line and environment of a worker. */
public record WorkerCommand(
    Path java,
    List<String> options,
    String classPath,
    String mainClass,
    Map<String, String> environment) {
  private static final String LIBRARY_PATH = "LD_LIBRARY_PATH";

  public WorkerCommand {
    options = List.copyOf(options);
    environment = Map.copyOf(environment);
  }

  /**
   * Command for a worker with the JVM and the classes of this process.
   *
   * @param main its main class
   * @param libraryFolders folders to search first for NCCL and CUDA's runtime
   */
  public static WorkerCommand ofThisProcess(
      Class<?> main, Map<String, String> environment, List<Path> libraryFolders) {
    List<String> options =
        List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            // Only a few calls run before the first measured one.
            "-XX:CompileThresholdScaling=0.02",
            "-XX:-UsePerfData",
            "-XX:-CreateCoredumpOnCrash",
            "-XX:ErrorFile=/dev/null");
    Map<String, String> variables = new HashMap<>(environment);
    if (!libraryFolders.isEmpty()) {
      String folders = QuantityFormat.joined(File.pathSeparator, libraryFolders, Path::toString);
      variables.merge(LIBRARY_PATH, folders, (old, first) -> first + File.pathSeparator + old);
    }
    return new WorkerCommand(
        Path.of(System.getProperty("java.home"), "bin", "java"),
        options,
        System.getProperty("java.class.path"),
        main.getName(),
        variables);
  }

  ProcessBuilder builder() {
    List<String> words = new ArrayList<>(options);
    words.add(0, java.toString());
    words.addAll(List.of("-cp", classPath, mainClass));
    ProcessBuilder builder = new ProcessBuilder(words);
    builder.environment().clear();
    builder.environment().putAll(environment);
    return builder;
  }
}

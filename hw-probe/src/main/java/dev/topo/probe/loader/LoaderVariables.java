package dev.topo.probe.loader;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The environment variables that the dynamic loader reads ({@code ld.so(8)}, "ENVIRONMENT").
 *
 * @param preload libraries that come before all others ({@code LD_PRELOAD})
 * @param libraryPath folders to look in first ({@code LD_LIBRARY_PATH}); an empty one is the folder
 *     that the program is started in
 */
public record LoaderVariables(List<String> preload, List<String> libraryPath) {
  /** None of them is set. */
  public static final LoaderVariables NONE = new LoaderVariables(List.of(), List.of());

  public LoaderVariables {
    preload = List.copyOf(preload);
    libraryPath = List.copyOf(libraryPath);
  }

  public static LoaderVariables of(Map<String, String> environment) {
    String path = environment.getOrDefault("LD_LIBRARY_PATH", "");
    return new LoaderVariables(
        Arrays.stream(environment.getOrDefault("LD_PRELOAD", "").split("[: ]+", -1))
            .filter(name -> !name.isEmpty())
            .toList(),
        path.isEmpty() ? List.of() : Arrays.asList(path.split("[:;]", -1)));
  }
}

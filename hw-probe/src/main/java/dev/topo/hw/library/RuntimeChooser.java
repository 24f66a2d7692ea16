package dev.topo.hw.library;

import dev.topo.hw.sysfs.FileTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Chooses the folders in which topo's own worker process, which is linked with nothing, finds NCCL
 * and CUDA's runtime: the loader's choice, or else those of the process's Python environment.
 */
public record RuntimeChooser(LibrarySearch search, Map<String, String> environment, String home) {
  private static final String CUDA_RUNTIME = "libcudart.so.13";

  /** Folder with the NCCL that a program would load, or else with that of the wheel. */
  Optional<String> ncclFolder() {
    return loaded(LoadFinder.SONAME)
        .or(() -> inWheels(LoadFinder.SONAME, Stream.of("/nvidia/nccl/lib", "/torch/lib")));
  }

  /** Folder with the runtime of CUDA 13, which NCCL's own build includes but the bindings need. */
  Optional<String> cudaFolder() {
    return loaded(CUDA_RUNTIME)
        .or(() -> inFolder("/usr/local/cuda/lib64", CUDA_RUNTIME))
        .or(
            () ->
                inWheels(CUDA_RUNTIME, Stream.of("/nvidia/cu13/lib", "/nvidia/cuda_runtime/lib")));
  }

  public List<String> folders() {
    List<String> folders = new ArrayList<>();
    ncclFolder().ifPresent(folders::add);
    cudaFolder().filter(folder -> !folders.contains(folder)).ifPresent(folders::add);
    return folders;
  }

  private Optional<String> loaded(String name) {
    return search.path(name).map(FileTree::parent);
  }

  private Optional<String> inFolder(String folder, String name) {
    return search.files().isFile(folder + "/" + name) ? Optional.of(folder) : Optional.empty();
  }

  private Optional<String> inWheels(String name, Stream<String> places) {
    List<String> packages =
        new PythonEnvironmentFinder(search.files(), environment, home)
            .ofProcess()
            .map(PythonEnvironment::sitePackages)
            .orElse(List.of());
    return places
        .flatMap(place -> packages.stream().map(site -> site + place))
        .flatMap(folder -> inFolder(folder, name).stream())
        .findFirst();
  }
}

package dev.topo.hw.library;

import dev.topo.hw.sysfs.FileTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Chooses the folders of NCCL and CUDA's runtime for topo's worker process, which has no search
 * folders of its own: the loader's choice, otherwise the folders of the process's Python
 * environment.
 */
public record RuntimeChooser(LibrarySearch search, Map<String, String> environment, String home) {
  private static final String CUDA_RUNTIME = "libcudart.so.13";

  /** Folder of the NCCL that a program would load, otherwise of the wheel's NCCL. */
  Optional<String> ncclFolder() {
    return loaded(LoadFinder.SONAME)
        .or(() -> inWheels(LoadFinder.SONAME, Stream.of("/nvidia/nccl/lib", "/torch/lib")));
  }

  /**
   * Folder with the runtime of CUDA 13. NCCL includes the runtime; the bindings need the library.
   */
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

package dev.topo.hw.library;

import dev.topo.hw.library.NcclLibraryFinder.Place;
import dev.topo.hw.sysfs.FileTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Python environment: an interpreter and its import folders.
 *
 * @param sitePackages folders with packages, in import order
 */
public record PythonEnvironment(
    String name, Optional<String> executable, List<String> sitePackages) {
  private static final Pattern DIST_INFO =
      Pattern.compile("nvidia_nccl_(cu[0-9]+)-([0-9A-Za-z.]+)\\.dist-info");

  /** Folder of the library in the wheels {@code nvidia-nccl-cu*}. */
  private static final String WHEEL_FOLDER = "/nvidia/nccl/lib";

  public PythonEnvironment {
    sitePackages = List.copyOf(sitePackages);
  }

  public Optional<String> torch(FileTree files) {
    return sitePackages.stream()
        .map(folder -> folder + "/torch")
        .filter(folder -> files.isDirectory(folder + "/lib"))
        .findFirst();
  }

  private static List<String> wheels(FileTree files, String folder) {
    return files.list(folder).stream()
        .map(DIST_INFO::matcher)
        .filter(Matcher::matches)
        .map(name -> "nvidia-nccl-" + name.group(1) + " " + name.group(2))
        .toList();
  }

  List<Place> places(FileTree files) {
    List<Place> places = new ArrayList<>();
    for (String folder : sitePackages) {
      List<String> wheels = wheels(files, folder);
      String label = wheels.isEmpty() ? "Python package" : "wheel " + String.join(", ", wheels);
      places.add(new Place(folder + WHEEL_FOLDER, label));
      places.add(new Place(folder + "/torch/lib", "PyTorch"));
    }
    executable.ifPresent(
        file ->
            places.add(
                new Place(
                    FileTree.normal(FileTree.parent(file) + "/../lib"), "Python environment")));
    return places;
  }
}

package dev.topo.simulator.sweep;

import dev.topo.model.io.FileFault;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.OutputException;
import dev.topo.model.io.WholeFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Creates folders of results and prepares existing ones for more. Processes may do that with one
 * folder at the same time. A folder without a description is used if it is empty, one with a
 * description if that is of the same sweep: no file of another origin is overwritten.
 *
 * @param spec the text of the specification
 * @param inputs reads the files of the folder
 */
record FolderMaker(Path folder, SweepInfo info, String spec, Inputs inputs) {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
          .build();

  /**
   * Creates or prepares the folder. Prices may have changed: of two processes the one that writes
   * last decides.
   *
   * @throws OutputException if it cannot be made, or has other files than those of this sweep
   */
  void make() {
    try {
      if (!Files.isDirectory(folder)) {
        Files.createDirectories(folder);
      }
      Optional<String> other = other();
      boolean isDescribed = false;
      boolean isSpecified = false;
      // Checked afterwards, as another shard may have begun in between.
      if (Files.exists(folder.resolve(ResultFolder.INFO), LinkOption.NOFOLLOW_LINKS)) {
        ResultFolder existing = ResultFolder.open(folder, inputs);
        requireSame(existing.info());
        isDescribed = existing.info().equals(info);
        isSpecified =
            Files.exists(existing.spec(), LinkOption.NOFOLLOW_LINKS)
                && existing.specText().equals(spec);
      } else if (other.isPresent()) {
        throw new OutputException(
            "%s is not a folder of results: it has %s, expected a new folder"
                .formatted(folder, other.get()));
      }
      if (!isDescribed) {
        write(ResultFolder.INFO, MAPPER.writeValueAsString(info) + "\n");
      }
      if (!isSpecified) {
        write(ResultFolder.SPEC, spec);
      }
      WholeFile.removeLeft(folder);
    } catch (IOException e) {
      throw new OutputException("cannot write " + folder + ": " + FileFault.text(e), e);
    }
  }

  /** A file that no process writes before the description; empty if there is none. */
  private Optional<String> other() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> !WholeFile.isTemporary(file))
          .map(file -> String.valueOf(file.getFileName()))
          .sorted()
          .findFirst();
    }
  }

  private void requireSame(SweepInfo existing) {
    if (!existing.spec().equals(info.spec())) {
      throw new OutputException(
          "%s has the results of another sweep (%s %s, expected %s %s): expected another folder"
              .formatted(folder, existing.name(), existing.spec(), info.name(), info.spec()));
    }
  }

  private void write(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    ResultFolder.requireOwn(file);
    WholeFile.replaceDurably(file, out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
  }
}

package dev.topo.simulator.sweep;

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
 * Creates a folder of results, or prepares an existing one for more results. Several processes may
 * do so with the same folder at the same time. An existing folder must be empty or have the
 * description of the same sweep, so that no other file is overwritten.
 *
 * @param spec text of the specification
 * @param inputs reads the files of the folder
 */
record FolderMaker(Path folder, SweepInfo info, String spec, Inputs inputs) {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
          .build();

  /**
   * Creates or prepares the folder. The specification may differ from the existing one in prices,
   * objective and limits; the last process to write it wins.
   *
   * @throws OutputException if the folder cannot be created, or has files of other origin
   */
  void make() {
    try {
      if (!Files.isDirectory(folder)) {
        Files.createDirectories(folder);
      }
      Optional<String> other = other();
      boolean isDescribed = false;
      boolean isSpecified = false;
      // Checked last, as another shard may have written it in the meantime.
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
      throw OutputException.of("cannot write " + folder, e);
    }
  }

  /** Name of the first file other than temporary ones; empty if there is none. */
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

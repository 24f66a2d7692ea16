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
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Makes folders of results, and prepares those that are there for more. Processes may do that with
 * one folder at the same time. A folder without a description is used if it is empty, one with a
 * description if that is of the same sweep and build: no file of another origin is written over.
 *
 * @param info the description, with the checksum of the specification
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
   * Makes the folder, or prepares it.
   *
   * @return its description
   * @throws OutputException if it cannot be made, or has other files than those of this sweep
   */
  SweepInfo make() {
    try {
      if (!Files.isDirectory(folder)) {
        Files.createDirectories(folder);
      }
      Optional<String> other = other();
      // Asked after that, as another shard may have begun in between.
      if (Files.exists(folder.resolve(ResultFolder.INFO), LinkOption.NOFOLLOW_LINKS)) {
        update(ResultFolder.open(folder, inputs));
      } else if (other.isPresent()) {
        throw new OutputException(
            "%s is not a folder of results: it has %s, expected a new folder"
                .formatted(folder, other.get()));
      } else {
        write(ResultFolder.INFO, described());
        write(ResultFolder.SPEC, spec);
      }
      removeLeft();
    } catch (IOException e) {
      throw new OutputException("cannot write " + folder + ": " + FileFault.text(e), e);
    }
    return info;
  }

  /**
   * A file that no process leaves before it has written the description; empty if there is none.
   */
  private Optional<String> other() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> !WholeFile.isTemporary(file))
          .map(file -> String.valueOf(file.getFileName()))
          .sorted()
          .findFirst();
    }
  }

  /** Prices may have changed: of two processes the one that writes last decides. */
  private void update(ResultFolder existing) throws IOException {
    requireSame(existing.info());
    Optional<String> written = Optional.empty();
    if (Files.exists(existing.spec(), LinkOption.NOFOLLOW_LINKS)) {
      written = Optional.of(existing.specText());
      if (!written.get().equals(spec) && !existing.isOwnSpec(written.get())) {
        throw new OutputException(
            "%s is not the specification of these results: expected another folder, or without this file"
                .formatted(existing.spec()));
      }
    }
    boolean isSpecSame = written.equals(Optional.of(spec));
    boolean isInfoSame = existing.info().equals(info);
    if (!isSpecSame || !isInfoSame) {
      ResultFolder.requireOwn(folder.resolve(ResultFolder.SPEC));
      ResultFolder.requireOwn(folder.resolve(ResultFolder.INFO));
    }
    if (!isSpecSame) {
      write(ResultFolder.SPEC, spec);
    }
    if (!isInfoSame) {
      write(ResultFolder.INFO, described());
    }
  }

  private void requireSame(SweepInfo existing) {
    if (!existing.spec().equals(info.spec())) {
      throw new OutputException(
          "%s has the results of another sweep (%s %s, expected %s %s): expected another folder"
              .formatted(folder, existing.name(), existing.spec(), info.name(), info.spec()));
    }
    if (!existing.build().equals(info.build())) {
      throw new OutputException(
          "%s has results of another build of topo (%s, this one is %s): expected another folder"
              .formatted(folder, existing.build(), info.build()));
    }
  }

  private String described() {
    return MAPPER.writeValueAsString(info) + "\n";
  }

  private void write(String name, String text) throws IOException {
    WholeFile.replaceDurably(
        folder.resolve(name), out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
  }

  /** Also what earlier versions began to write beside a part. */
  private void removeLeft() throws IOException {
    WholeFile.removeLeft(folder);
    List<Path> begun;
    try (Stream<Path> files = Files.list(folder)) {
      begun =
          files
              .filter(file -> ResultFolder.isBegunPart(file, info))
              .filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
              .toList();
    }
    for (Path file : begun) {
      Files.deleteIfExists(file);
    }
  }
}

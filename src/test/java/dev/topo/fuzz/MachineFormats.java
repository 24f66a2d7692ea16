package dev.topo.fuzz;

import dev.topo.fuzz.Format.Reading;
import dev.topo.fuzz.RandomHost.Product;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;

/** The formats in which tools show a machine, damaged in their structure. */
final class MachineFormats {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final long SEED = 20260301;
  private static final int SEEDS = 12;
  private static final String CALL = " --collective all_reduce --sizes 1M";

  private MachineFormats() {}

  static List<Format> all() {
    return List.of(lstopo(), query(), matrix(), lspci(), topology());
  }

  /** Machines whose GPUs are of a product. */
  static Stream<RandomHost> hosts(Product product, long seed) {
    Random random = new Random(seed);
    return Stream.generate(() -> RandomHost.draw(random)).filter(host -> host.product() == product);
  }

  private static Format lstopo() {
    return format(
        "lstopo",
        "machine.xml",
        perProduct(
            RandomHost::lstopo, product -> "import {file} --assume net=200000", "import {file}"));
  }

  private static Format query() {
    return format(
        "nvidia-smi -q -x",
        "gpus.xml",
        perProduct(
            RandomHost::query, product -> "import {file} --assume cpu=amd-genoa", "import {file}"));
  }

  private static Format matrix() {
    return format(
        "nvidia-smi topo -m",
        "matrix.txt",
        perProduct(
            (host, random) -> host.matrix(),
            product -> "import {file} --assume cpu=amd-genoa,net=200000,gpu=" + product.word(),
            "import {file} --assume cpu=amd-genoa,net=200000,gpu=h100"));
  }

  private static Format lspci() {
    List<byte[]> seeds =
        Stream.concat(
                Collections.nCopies(SEEDS, read("examples/vm.lspci")).stream(),
                hosts(Product.H100, SEED).limit(2).map(host -> text(host.lspci())))
            .toList();
    return format(
        "lspci",
        "guest.lspci",
        List.of(
            reading(
                seeds,
                "guest topologies/dgx-h100.xml --guest {file}",
                "guest topologies/dgx-h100.xml --guest {file} --format json",
                "guest topologies/dgx-h100.xml --map 11:00.0=05:00.0 --guest {file} --format text")));
  }

  /** NCCL's own files, whose elements are within others of their kind. */
  private static Format topology() {
    return format(
        "nested topology",
        "system.xml",
        List.of(
            reading(
                List.of(
                    read("topologies/l40s-4.xml"),
                    read("topologies/hgx-a100-1nic.xml"),
                    read("topologies/rtx3090-2-bridged.xml"),
                    read("src/test/resources/measured/h200-x2.topo.xml")),
                "show {file} -v",
                "search {file}",
                "tune {file}" + CALL,
                "whatif {file} 'remove gpu:0'" + CALL,
                "lint {file}",
                "lint {file} --assume gpu=h100,net=400000",
                "show {file} --assume gpu=h100,net=400000",
                "lint topologies/rtx4090-2.xml --machine {file}",
                "guest {file} --map 0000:21:00.0=0000:05:00.0",
                "guest topologies/l40s-4.xml --guest {file}",
                "draw {file}")));
  }

  private static List<Reading> perProduct(
      BiFunction<RandomHost, Random, String> print,
      Function<Product, String> command,
      String other) {
    return Arrays.stream(Product.values())
        .map(
            product -> {
              Random random = new Random(SEED);
              List<byte[]> seeds =
                  hosts(product, SEED)
                      .limit(SEEDS)
                      .map(host -> text(print.apply(host, random)))
                      .toList();
              return reading(seeds, command.apply(product), command.apply(product), other);
            })
        .toList();
  }

  private static Format format(String name, String fileName, List<Reading> readings) {
    return new Format(name, fileName, new StructureMutator(), readings);
  }

  private static Reading reading(List<byte[]> seeds, String... commands) {
    return new Reading(seeds, Arrays.stream(commands).map(Formats::words).toList());
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] read(String name) {
    try {
      return Files.readAllBytes(ROOT.resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

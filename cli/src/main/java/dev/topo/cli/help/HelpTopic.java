package dev.topo.cli.help;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A subject that several commands share, explained once: {@code topo help TOPIC}. */
public enum HelpTopic {
  ASSUME(
      "--assume completes a topology file that contains only the PCI tree (<cpu> and <pci>), as cloud providers ship it for"
          + " NCCL_TOPO_FILE. NCCL adds GPUs, NVLinks and network ports at run time; --assume says which ones. What was"
          + " assumed is shown on stderr.",
      "",
      "KEY=VALUE, separated by commas:",
      "  gpu=MODEL     the GPUs, as in h100; required",
      "  nvlink=KIND   none, nvswitch or pairs (default: as usual for the GPU)",
      "  nvswitches=N  NVSwitches that each GPU's links lead to (default: 1, as in a virtual machine)",
      "  net=MBITS     speed of a network port in Mbit/s: 400000; without it no network card is used",
      "  nic=NAME      what the names of ports begin with (default: mlx5_)",
      "  ports=N       ports of a card (default: 1)",
      "  gdr=0|1       whether cards access GPU memory (default: as usual for the GPU)",
      "  gpus=N        only the first N GPUs by bus id",
      "  nics=N        only the first N network cards by bus id",
      "  cpu=MODEL     the CPU model, where the file has none",
      "",
      "Example: topo search vm.xml --assume gpu=h100,nvlink=nvswitch,net=400000 --nodes 2"),
  JOB(
      "A job is one FILE, or several equal machines (--nodes N), or machines in rank order (--node a.xml*2 --node b.xml). FILE"
          + " is what NCCL_TOPO_DUMP_FILE writes, or topo probe, or one of the machines shipped in topologies/. FILE - is"
          + " standard input; files that end in .gz are unpacked.",
      "",
      "--nvlink-domain 18 joins every 18 nodes by NVLink (MNNVL: GB200 and GB300 racks). --gpus 0-3 takes some GPUs of each node,"
          + " --split \"MOD 8\" makes groups as NCCL_TESTS_SPLIT does, --ranks gives another rank order.",
      "",
      "--env NAME=VALUE is an NCCL setting. topo does not read the settings of its own process unless --env-from-process is"
          + " given. --env TOPO_COLLNET_PLUGIN=all_reduce is not one of NCCL: the CollNet plugin has AllReduce only. --nccl 2.27.5"
          + " follows the rules of another release.",
      "",
      "Example: topo search topologies/dgx-h100.xml --nodes 4 --env NCCL_CROSS_NIC=1"),
  STATUS(
      "Exit status of every command:",
      "  0   done",
      "  1   a check failed, differences were found, or nothing was found",
      "  2   usage: a wrong option or value, or an output that cannot be written",
      "  3   bad input: one line with file, line, column, element, value and what was expected",
      "  4   a GPU, a library or memory is missing",
      "  70  a bug in topo",
      "",
      "Data goes to stdout, everything else to stderr. The same input gives the same bytes.");

  private final List<String> paragraphs;

  HelpTopic(String... paragraphs) {
    this.paragraphs = List.of(paragraphs);
  }

  /** The topic of a name, in small letters. */
  public static Optional<HelpTopic> find(String name) {
    return Arrays.stream(values()).filter(topic -> topic.label().equals(name)).findFirst();
  }

  /** Its name on the command line. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The explanation, in lines of a width. */
  public String text(int width) {
    StringBuilder text = new StringBuilder();
    for (String paragraph : paragraphs) {
      LineWrap.paragraph(paragraph, width).forEach(line -> text.append(line).append('\n'));
    }
    return text.toString();
  }
}

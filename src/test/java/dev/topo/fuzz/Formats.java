package dev.topo.fuzz;

import dev.topo.cli.fixture.CliRun;
import dev.topo.fuzz.Format.Reading;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The formats of input. */
final class Formats {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));

  private static final Mutator FILE = new TextMutator(true);
  private static final Mutator OPTION = new TextMutator(false);

  private static final String MEASURED = "src/test/resources/measured/";
  private static final String RUN = MEASURED + "h200-x4-run/";
  private static final String PLUGIN = MEASURED + "h200-x4-tuner-plugin/";
  private static final String H200_X2 = MEASURED + "h200-x2.topo.xml";
  private static final String H200_X4 = MEASURED + "h200-x4.topo.xml";
  private static final String WORKLOADS = MEASURED + "h200-x2-workloads/";
  private static final String ON_X2 = " --machine " + H200_X2;
  private static final String CALL = " --collective all_reduce --sizes 1M";

  private static final String[] MEASURED_COMMANDS = {
    "predict " + H200_X2 + " --collective all_reduce --against {file}",
    "predict " + H200_X2 + " --collective all_reduce --against {file} --format csv",
    "chart {file} --machine " + H200_X2 + " --collective all_reduce",
    "calibrate --calibration h200-nvswitch --topology " + H200_X2 + " --against {file}",
  };

  private Formats() {}

  /** All of them. */
  static List<Format> all() {
    return List.of(
        topology(),
        graph(),
        calibration(),
        ncclTestsText(),
        ncclTestsJson(),
        measuredCsv(),
        measuredMemory(),
        verifyJson(),
        ncclLog(),
        profilerTrace(),
        binaryTrace(),
        callTable(),
        slurmTopology(),
        fabricCsv(),
        hosts(),
        lspci(),
        maps(),
        edits(),
        assume(),
        split(),
        sizes(),
        env(),
        gpus(),
        whyNot(),
        force(),
        capture(),
        tunerCsv(),
        conf());
  }

  private static Format topology() {
    return file(
        "topology",
        "input.xml",
        reading(
            files(
                "topologies/gtx1660-1.xml",
                "topologies/rtx3090-2-bridged.xml",
                "topologies/l40s-4.xml",
                "topologies/gh200.xml",
                "topologies/hgx-a100-1nic.xml",
                "topologies/ac922-6.xml",
                "src/test/resources/lint/many-hosts.xml",
                H200_X2),
            "show {file} -v",
            "show {file} --format json",
            "paths {file} --format tsv",
            "search {file}",
            "search {file} --format xml --ignore-unknown-elements",
            "connect {file} --nodes 2 --format tsv",
            "tune {file} --strict" + CALL,
            "predict {file} --format csv" + CALL,
            "explain {file}" + CALL,
            "whatif {file} 'remove gpu:0'" + CALL,
            "diff topologies/rtx3090-2-bridged.xml {file}" + CALL,
            "upgrade {file} --from 2.28.7 --to 2.29.3" + CALL,
            "lint {file}",
            "lint {file} --nccl all",
            "lint {file} --diff",
            "lint {file} --format json",
            "lint {file} --format github",
            "lint {file} --assume gpu=h100,net=400000",
            "lint topologies/rtx4090-2.xml --machine {file}",
            "guest {file} --map 0000:21:00.0=0000:05:00.0",
            "draw {file}"));
  }

  private static Format graph() {
    return file(
        "graph",
        "graph.xml",
        reading(
            Stream.concat(
                    files(
                        "src/test/resources/lint/graph-channel-count.xml",
                        "src/test/resources/lint/graph-nets.xml",
                        "src/test/resources/lint/graph-machine.xml")
                        .stream(),
                    Stream.of(
                        output("search " + H200_X2 + " --format xml"),
                        output("search topologies/l40s-4.xml --format xml")))
                .toList(),
            "search src/test/resources/lint/graph-machine.xml --env NCCL_GRAPH_FILE={file}",
            "search topologies/l40s-4.xml --env NCCL_GRAPH_FILE={file}",
            "connect " + H200_X2 + " --env NCCL_GRAPH_FILE={file} --format tsv",
            "tune " + H200_X2 + " --env NCCL_GRAPH_FILE={file}" + CALL,
            "draw " + H200_X2 + " --env NCCL_GRAPH_FILE={file} --pattern ring",
            "lint {file} --kind GRAPH",
            "lint {file} --kind GRAPH --machine src/test/resources/lint/graph-machine.xml"));
  }

  private static Format calibration() {
    String folder = "simulator/src/main/resources/dev/topo/simulator/calibration/";
    return file(
        "calibration",
        "input.calibration",
        reading(
            files(folder + "pcie.properties", folder + "h200-nvswitch.properties"),
            "predict " + H200_X2 + " --calibration {file} --collective all_reduce --sizes 8,1G",
            "predict topologies/l40s-4.xml --calibration {file}" + CALL,
            "predict topologies/hgx-a100-1nic.xml --calibration {file} --format json" + CALL,
            "whatif topologies/l40s-4.xml 'remove gpu:0' --calibration {file}" + CALL,
            "calibrate --calibration {file} --topology "
                + H200_X2
                + " --against "
                + RUN
                + "x2.all_reduce.nccl-tests.txt"));
  }

  private static Format ncclTestsText() {
    return file(
        "nccl-tests text",
        "input.txt",
        reading(
            files(
                RUN + "x2.all_reduce.nccl-tests.txt",
                RUN + "x2.all_reduce.per-iteration.txt",
                RUN + "x2.all_reduce.tagged.txt",
                RUN + "x2.all_reduce.timestamps.txt"),
            MEASURED_COMMANDS));
  }

  private static Format ncclTestsJson() {
    return file(
        "nccl-tests JSON",
        "input.json",
        reading(
            files(
                RUN + "x2.all_reduce.nccl-tests.json",
                RUN + "x2.all_reduce.graph.json",
                RUN + "x2.all_reduce.wrong.json"),
            MEASURED_COMMANDS));
  }

  private static Format measuredCsv() {
    return file(
        "measured CSV",
        "input.csv",
        reading(
            List.of(
                lines(MEASURED + "h200-x2.csv", 30), lines(MEASURED + "h200-x2-channels.csv", 30)),
            "predict " + H200_X2 + " --collective all_reduce --measured {file} --format tuner",
            "predict " + H200_X2 + " --collective all_reduce --algorithm each --against {file}",
            "chart {file} --machine " + H200_X2 + " --collective all_reduce --show pairs",
            "calibrate --calibration h200-nvswitch --topology " + H200_X2 + " --against {file}"));
  }

  private static Format measuredMemory() {
    String memory = MEASURED + "memory/";
    return file(
        "measured memory",
        "input.csv",
        reading(
            List.of(lines(memory + "h200-x2-run.csv", 6), lines(memory + "h100-x2.csv", 30)),
            "memory " + memory + "h100-x2.topo.xml --env NCCL_NVLS_ENABLE=0 --against {file}",
            "memory " + memory + "h100-x2.topo.xml --against {file} --format json"));
  }

  private static Format verifyJson() {
    return file(
        "verify JSON",
        "result.json",
        reading(
            List.of(verifyResult(8)),
            "predict " + H200_X4 + " --collective all_reduce --against {file}",
            "predict " + H200_X4 + " --collective all_reduce --against {file} --format json",
            "chart {file} --show busbw --collective all_reduce",
            "calibrate --calibration h200-nvswitch --against {file}"));
  }

  private static Format ncclLog() {
    return file(
        "NCCL log",
        "nccl.log",
        reading(
            List.of(
                read("src/test/resources/fuzz/nccl.log"),
                lines("src/test/resources/fuzz/nccl.log", 40)),
            "tune " + H200_X4 + " --against {file}",
            "tune " + H200_X4 + " --against {file} --verbose --collective all_reduce"));
  }

  private static Format profilerTrace() {
    String inspector =
        "{\"header\":{\"id\":\"0x7f\",\"rank\":0,\"n_ranks\":2},\"coll_perf\":{\"coll\":\"AllReduce\",\"coll_sn\":1,"
            + "\"coll_msg_size_bytes\":4096,\"coll_exec_time_us\":31}}\n";
    return file(
        "trace",
        "trace.json",
        reading(
            List.of(read("src/test/resources/fuzz/trace.json"), text(inspector + inspector)),
            "workload {file}" + ON_X2,
            "workload {file} " + WORKLOADS + "moe.rank1.json.gz" + ON_X2,
            "workload {file} --format json" + ON_X2,
            "workload {file} --format csv --whatif 'env NCCL_MAX_CTAS=4'" + ON_X2));
  }

  private static Format binaryTrace() {
    return new Format(
        "binary trace",
        "trace.bin",
        new ByteMutator(),
        List.of(
            reading(
                files(WORKLOADS + "ddp.rank0.flight.pkl"),
                "workload {file}" + ON_X2,
                "workload {file} --format json" + ON_X2),
            reading(files(WORKLOADS + "moe.rank0.json.gz"), "workload {file}" + ON_X2),
            reading(
                files("src/test/resources/fuzz/step.0.et"),
                "workload {file}" + ON_X2,
                "workload {file} src/test/resources/fuzz/step.1.et --format json" + ON_X2)));
  }

  private static Format callTable() {
    return file(
        "call table",
        "calls.csv",
        reading(
            texts(
                """
                # a step
                group,operation,bytes,datatype,count
                0-1,all_reduce,64M,bfloat16,12
                "0,1",alltoall,1K,half,3
                """),
            "workload {file}" + ON_X2,
            "workload {file} --format csv" + ON_X2));
  }

  private static Format slurmTopology() {
    return file(
        "Slurm topology",
        "topology.conf",
        reading(
            texts(
                """
                # two leaves
                SwitchName=leaf0 Nodes=n[0-1]
                SwitchName=leaf1 Nodes=n[2-3]
                SwitchName=core Switches=leaf[0-1]
                """,
                "SwitchName=s0 LinkSpeed=100 Nodes=a,b,c,d\n",
                "SwitchName=s0 \\\n Nodes=n[00-01,02-03]\n"),
            "connect topologies/hgx-a100-1nic.xml --nodes 4 --fabric {file}",
            "connect topologies/hgx-a100-1nic.xml --nodes 4 --fabric {file} --hosts n[0-3]"));
  }

  private static Format fabricCsv() {
    return file(
        "fabric CSV",
        "fabric.csv",
        reading(
            texts(
                """
                # rails
                node,nic,switch
                n0,mlx5_0,rail0/core
                n1,mlx5_0,rail0/core
                n2,mlx5_0,rail1/core
                n3,mlx5_0,rail1/core
                """,
                "node,nic,switch\nn0,\"mlx5_0\",s0\nn1,mlx5_0,s0\nn2,mlx5_0,s1\nn3,mlx5_0,s1\n"),
            "connect topologies/hgx-a100-1nic.xml --nodes 4 --fabric {file}",
            "connect topologies/hgx-a100-1nic.xml --nodes 4 --fabric {file} --hosts n[0-3]"));
  }

  private static Format hosts() {
    String connect =
        "connect topologies/hgx-a100-1nic.xml --nodes 8 --fabric topologies/fabric/fat-tree-64.conf";
    return file(
        "hosts",
        "nodes.hosts",
        reading(
            List.of(
                lines("topologies/fabric/round-robin.hosts", 9), text("n[00-06]\nn07\n# end\n")),
            connect + " --hosts @{file}"),
        reading(
            texts("n[00-07]", "n[00-03,05-08]", "n00,n01,n02,n[03-07]"),
            connect + " --hosts={text}"));
  }

  private static Format lspci() {
    return file(
        "lspci",
        "guest.lspci",
        reading(
            files("examples/vm.lspci"),
            "guest topologies/dgx-h100.xml --guest {file}",
            "guest topologies/dgx-h100.xml --guest {file} --format text --vcpus 96",
            "guest topologies/dgx-h100.xml --guest {file} --format json"),
        reading(
            texts(
                """
                0000:05:00.0 3D controller [0302]: NVIDIA Corporation Device [10de:2330] (rev a1)
                0000:0d:00.0 Infiniband controller [0207]: Mellanox [15b3:1021]
                """),
            "guest topologies/dgx-h100.xml --map 11:00.0=05:00.0 --guest {file}"));
  }

  private static Format maps() {
    String guest = "guest topologies/l40s-8-switched.xml";
    return file(
        "map",
        "guest.map",
        reading(
            texts("11:00.0 05:00.0\n0000:12:00.0 0000:06:00.0 # second\n# end\n"),
            guest + " --map-file {file}",
            guest + " --map-file {file} --format text"),
        reading(
            texts("11:00.0=05:00.0", "0000:12:00.0=0000:06:00.0"),
            guest + " --map={text}",
            guest + " --map 13:00.0=07:00.0 --map={text} --format json"));
  }

  private static Format edits() {
    String whatif = "whatif topologies/hgx-a100-1nic.xml";
    return file(
        "edits",
        "input.edits",
        reading(
            List.of(
                read("examples/h100-vm.edits"),
                text(
                    """
                    [a]
                    remove net:*
                    [b c]
                    move gpu:0 to cpu:1
                    env NCCL_ALGO=Ring
                    [d]
                    gpu:0.gdr=0; add gpu:9 to cpu:0 like gpu:1
                    nvlink:0.count=2
                    """)),
            whatif + " --edits {file}" + CALL,
            whatif + " --edits {file} --format json" + CALL),
        reading(
            texts(
                "remove gpu:0",
                "remove net:*",
                "move net:mlx5_0 to cpu:1",
                "add net:new to cpu:0 like net:mlx5_0 speed=200000",
                "gpu:0.sm=90",
                "cpu:1 as amd-genoa",
                "env NCCL_ALGO=Ring"),
            whatif + " {text}" + CALL,
            whatif + " 'remove gpu:1' --given={text}" + CALL,
            whatif + " '--variant=name: {text}'" + CALL));
  }

  private static Format assume() {
    return option(
        "--assume",
        texts(
            "gpu=h100,nvlink=nvswitch,net=400000",
            "gpu=a100,nvlink=none,nvswitches=4,net=200000,ports=2,gdr=0,cpu=amd-genoa",
            "gpus=4,nics=2,gpu=h100,net=100000,nic=mlx5_0,nvlink=pairs"),
        "search src/test/resources/guest/32-nics.xml --assume={text}",
        "show topologies/hgx-h100-vm-flat.xml --assume={text}",
        "lint src/test/resources/lint/missing-beside-nic.xml --assume={text}");
  }

  private static Format split() {
    return option(
        "--split",
        texts("MOD 2", "AND 0x1", "OR 7", "DIV 4", "& 0x7", "% 3"),
        "connect topologies/hgx-a100-1nic.xml --nodes 2 --split={text}",
        "tune topologies/hgx-a100-1nic.xml --nodes 2 --split={text}" + CALL,
        "predict topologies/l40s-4.xml --split={text}" + CALL);
  }

  private static Format sizes() {
    return option(
        "--sizes",
        texts("8:8G:2", "64K,1M,1G", "1M", "1:100:3"),
        "tune topologies/rtx4090-2.xml --collective all_reduce --sizes={text}",
        "predict topologies/rtx4090-2.xml --collective all_reduce --sizes={text}",
        "predict topologies/rtx4090-2.xml --collective all_reduce --format csv --sizes={text}",
        "whatif topologies/rtx4090-2.xml 'remove gpu:0' --collective all_reduce --sizes={text}");
  }

  private static Format env() {
    return option(
        "--env",
        texts(
            "NCCL_ALGO=Ring",
            "NCCL_ALGO=allreduce:tree,ring;broadcast:ring",
            "NCCL_PROTO=^LL128",
            "NCCL_CROSS_NIC=1",
            "NCCL_NVLS_ENABLE=0",
            "NCCL_MIN_NCHANNELS=4",
            "NCCL_MAX_CTAS=8",
            "NCCL_IB_HCA=^=mlx5_3:1,mlx5_5",
            "NCCL_P2P_LEVEL=PIX",
            "NCCL_NET_GDR_LEVEL=PHB",
            "NCCL_BUFFSIZE=4194304",
            "NCCL_NTHREADS=256",
            "NCCL_THREAD_THRESHOLDS=1 2 3"),
        "search topologies/l40s-4.xml --env={text}",
        "connect topologies/hgx-a100-1nic.xml --nodes 2 --env={text} --format tsv",
        "tune topologies/l40s-4.xml --env={text}" + CALL,
        "predict topologies/l40s-4.xml --env={text}" + CALL,
        "explain topologies/l40s-4.xml --env={text}" + CALL);
  }

  private static Format gpus() {
    return option(
        "--gpus",
        texts("0,1", "0-1", "0-2,3", "3,0"),
        "search topologies/l40s-4.xml --gpus={text}",
        "predict topologies/l40s-4.xml --gpus={text}" + CALL,
        "connect topologies/hgx-a100-1nic.xml --nodes 2 --gpus={text} --format tsv");
  }

  private static Format whyNot() {
    return option(
        "--why-not",
        texts(
            "algorithm=tree",
            "protocol=ll128",
            "algorithm=tree,protocol=simple",
            "channels=8",
            "crossNic=1",
            "pxn=0",
            "ring=0,2,1,3",
            "nic=0:mlx5_0"),
        "explain topologies/l40s-4.xml --why-not={text}",
        "explain topologies/hgx-a100-1nic.xml --nodes 2 --why-not={text}",
        "explain topologies/hgx-a100-1nic.xml --nodes 2 --why-not={text} --format json");
  }

  private static Format force() {
    return option(
        "--force",
        texts("all_gather:4M:8M:ring:simple", "all_reduce:0:1G:tree:simple:2"),
        "tune topologies/l40s-4.xml --format tuner --force={text}");
  }

  private static Format capture() {
    return new Format(
        "capture",
        "machine.tar.gz",
        new TarMutator(),
        List.of(
            reading(
                files(MEASURED + "h200-x4-probe/machine.tar.gz"),
                "probe --sysfs-root {file}",
                "probe --sysfs-root {file} --visible-devices 1,0 -v",
                "probe --sysfs-root {file} --merged-nics")));
  }

  /** No command reads rules of the tuner plugin; these take such a file by mistake. */
  private static Format tunerCsv() {
    return file(
        "tuner CSV",
        "tuner.csv",
        reading(
            files(PLUGIN + "predicted.csv", PLUGIN + "measured.csv"),
            "predict " + H200_X2 + " --collective all_reduce --against {file}",
            "predict " + H200_X2 + " --measured {file} --format tuner",
            "lint {file}"));
  }

  private static Format conf() {
    String folder = "src/test/resources/lint/";
    return file(
        "nccl.conf",
        "nccl.conf",
        reading(
            List.of(
                read(folder + "conf-contradiction.conf"),
                read(folder + "conf-line-end.conf"),
                text("# set\nNCCL_ALGO=Ring\nNCCL_IB_HCA=mlx5_0,mlx5_1\nNCCL_BUFFSIZE=4194304\n")),
            "lint {file}",
            "lint {file} --kind CONF",
            "lint {file} --kind CONF --diff",
            "lint {file} --kind CONF --format sarif",
            "lint {file} --kind CONF --format github"));
  }

  static Format file(String name, String fileName, Reading... readings) {
    return new Format(name, fileName, FILE, List.of(readings));
  }

  private static Format option(String name, List<byte[]> seeds, String... commands) {
    return new Format(name, "option.txt", OPTION, List.of(reading(seeds, commands)));
  }

  static Reading reading(List<byte[]> seeds, String... commands) {
    return new Reading(seeds, Arrays.stream(commands).map(Formats::words).toList());
  }

  /** The words of a command line; a word with blanks is between single quotes. */
  static List<String> words(String command) {
    return CliRun.words(command).stream()
        .map(word -> word.startsWith("topologies/") || word.startsWith("src/") ? path(word) : word)
        .toList();
  }

  private static String path(String name) {
    return ROOT.resolve(name).toString();
  }

  private static byte[] output(String command) {
    return text(Call.of(words(command)).out());
  }

  static List<byte[]> files(String... names) {
    return Arrays.stream(names).map(Formats::read).toList();
  }

  static List<byte[]> texts(String... texts) {
    return Arrays.stream(texts).map(Formats::text).toList();
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** The first lines of a file. */
  private static byte[] lines(String name, int count) {
    List<String> lines = new String(read(name), StandardCharsets.UTF_8).lines().toList();
    return text(String.join("\n", lines.subList(0, count)) + "\n");
  }

  /** A result of topo verify with its first measurements only: all of them are 120 KB. */
  private static byte[] verifyResult(int measurements) {
    String whole = new String(read(RUN + "verify.json"), StandardCharsets.UTF_8);
    int end = whole.indexOf("\"measurements\"");
    for (int i = 0; i < measurements; i++) {
      end = whole.indexOf('}', end) + 1;
    }
    return text(whole.substring(0, end) + "]}\n");
  }

  private static byte[] read(String name) {
    try {
      return Files.readAllBytes(ROOT.resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The files that the command lines of a format name. */
  static List<Path> inputs(Format format) {
    return format.readings().stream()
        .flatMap(reading -> reading.commands().stream())
        .flatMap(List::stream)
        .filter(word -> word.startsWith(ROOT.toString()))
        .map(Path::of)
        .distinct()
        .toList();
  }
}

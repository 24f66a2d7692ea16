package dev.topo.hw.foreign;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.topo.model.io.TopologyFormatException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The work of an import, counted as the memory it allocates, grows as the input does. */
class ImportWorkTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static final int SMALL = 500;
  private static final int FACTOR = 8;

  /** More than the share of what does not depend on the input. */
  private static final double MOST_GROWTH = 1.5 * FACTOR;

  /** Inputs that a quadratic reader takes long for. */
  enum Input {
    DEVICES_OF_ONE_BRIDGE {
      @Override
      String of(int size) {
        return machine(
            "<object type='Bridge' pci_busid='0001:00:00.0' pci_type='0604 [1000:c030] [1000:a096]'>"
                + "<object type='Bridge' pci_busid='0001:00:01.0' pci_type='0604 [1000:c030] [1000:a096]'>"
                + devices(size, "0403")
                + "</object></object>");
      }
    },
    DEVICES_OF_A_LARGE_NODE_SET {
      @Override
      String of(int size) {
        return machine(
            "<object type='Group' nodeset='%s0x1'>%s</object>"
                .formatted("0x1,".repeat(200), devices(size, "0403")));
      }
    },
    NUMA_NODES {
      @Override
      String of(int size) {
        return machine(
            IntStream.range(1, size)
                .mapToObj(i -> "<object type='NUMANode' os_index='%d' nodeset='0x1'/>".formatted(i))
                .collect(Collectors.joining()));
      }
    },
    GPUS {
      @Override
      String of(int size) {
        return machine(devices(size, "0302"));
      }
    },
    COMMENTS {
      @Override
      String of(int size) {
        return "<!---->".repeat(size) + "<x/>";
      }
    },
    CPU_LIST {
      @Override
      String of(int size) {
        return "GPU0\nGPU0 X " + "0-8000,".repeat(size) + "1 0\n";
      }
    },
    SET_OF_MANY_WORDS {
      @Override
      String of(int size) {
        return machine("<object type='Group' nodeset='%s'/>".formatted("0x1,".repeat(10 * size)));
      }
    },
    CARDS_OF_THE_LEGEND {
      @Override
      String of(int size) {
        return "GPU0\nGPU0 X\n" + "NIC0: mlx5_0\n".repeat(size);
      }
    };

    abstract String of(int size);

    static String machine(String objects) {
      return "<topology version='2.0'><object type='Machine'>"
          + "<info name='Architecture' value='x86_64'/>"
          + "<object type='NUMANode' os_index='0' cpuset='0x1' nodeset='0x1'/>"
          + "<object type='PCIDev' pci_busid='0000:00:01.0' pci_type='0302 [10de:2330] [10de:16c1]'/>"
          + objects
          + "</object></topology>";
    }

    static String devices(int count, String pciClass) {
      return IntStream.range(0, count)
          .mapToObj(
              i ->
                  "<object type='PCIDev' pci_busid='%04x:%02x:00.0' pci_type='%s [10de:2330] [10de:16c1]'/>"
                      .formatted(2 + i / 256, i % 256, pciClass))
          .collect(Collectors.joining());
    }
  }

  @ParameterizedTest
  @EnumSource
  void theWorkGrowsAsTheInput(Input input) {
    work(input.of(SMALL)); // classes are loaded once
    long small = work(input.of(SMALL));
    long large = work(input.of(FACTOR * SMALL));
    assertTrue(
        large <= MOST_GROWTH * small, input + ": " + small + " B, " + large + " B for more input");
  }

  private static long work(String text) {
    byte[] content = text.getBytes(StandardCharsets.UTF_8);
    long thread = Thread.currentThread().getId();
    long before = THREADS.getThreadAllocatedBytes(thread);
    MachineImporter importer = new MachineImporter("gpu=h100,cpu=amd-genoa");
    try {
      importer.add(content, "input");
      importer.machine();
    } catch (TopologyFormatException e) {
      assertTrue(String.valueOf(e.getMessage()).startsWith("input"), e.getMessage());
    }
    return THREADS.getThreadAllocatedBytes(thread) - before;
  }
}

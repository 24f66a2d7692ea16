package dev.topo.inspect.lint.topology;

import java.util.List;

/**
 * What NCCL takes a class code for, by its beginning and in this order ({@code kvDictPciClass},
 * {@code nccl:src/graph/topo.cc}). What is none of these is a bridge.
 */
public final class PciClassCodes {
  private static final List<String> SWITCHES = List.of("0x060400", "0x080100");

  private PciClassCodes() {}

  static boolean isGpu(String code) {
    return code.startsWith("0x03");
  }

  public static boolean isNvSwitch(String code) {
    return code.startsWith("0x068000");
  }

  static boolean isNvlinkCpu(String code) {
    return code.startsWith("0x068001");
  }

  static boolean isBridge(String code) {
    return SWITCHES.stream().anyMatch(code::startsWith)
        || !(isGpu(code) || isNvSwitch(code) || isNvlinkCpu(code) || code.startsWith("0x02"));
  }
}

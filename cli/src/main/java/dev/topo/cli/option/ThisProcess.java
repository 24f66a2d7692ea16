package dev.topo.cli.option;

import dev.topo.model.job.SettingException;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** The host and the device of this process, where its launcher does not state them. */
final class ThisProcess {
  private ThisProcess() {}

  /**
   * The CUDA device that NCCL_TESTS_DEVICE states.
   *
   * @throws SettingException if it is no number
   */
  static int deviceNumber(String text) {
    try {
      return Integer.parseUnsignedInt(text);
    } catch (NumberFormatException e) {
      throw new SettingException(
          "NCCL_TESTS_DEVICE=" + text + ": expected a CUDA device number", e);
    }
  }

  /** The name of this host; {@code localhost} where it has none. */
  static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }
}

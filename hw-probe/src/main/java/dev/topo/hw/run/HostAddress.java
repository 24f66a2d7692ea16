package dev.topo.hw.run;

import java.math.BigInteger;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Addresses of this host. */
public final class HostAddress {
  private static final String LOOPBACK = "127.0.0.1";

  /**
   * Prefixes of virtual interfaces, which are skipped; NCCL uses docker and virbr last ({@code
   * ncclFindInterfaces}, {@code nccl:src/misc/socket.cc}).
   */
  private static final List<String> VIRTUAL = List.of("docker", "virbr", "veth", "br-");

  private HostAddress() {}

  /**
   * First IPv4 address of the first interface that is up, without virtual ones; the loopback
   * address if there is none.
   */
  public static String find() {
    try {
      return NetworkInterface.networkInterfaces()
          .filter(HostAddress::isUsable)
          .sorted(Comparator.comparingInt(NetworkInterface::getIndex))
          .flatMap(NetworkInterface::inetAddresses)
          .filter(Inet4Address.class::isInstance)
          .map(address -> address.getHostAddress())
          .findFirst()
          .orElse(LOOPBACK);
    } catch (SocketException e) {
      return LOOPBACK;
    }
  }

  private static boolean isUsable(NetworkInterface card) {
    try {
      return card.isUp()
          && !card.isLoopback()
          && VIRTUAL.stream().noneMatch(prefix -> card.getName().startsWith(prefix));
    } catch (SocketException e) {
      return false;
    }
  }

  /**
   * Interface whose subnet contains a rendezvous address, if there is one ({@code
   * ncclFindInterfaceMatchSubnet}, {@code nccl:src/misc/socket.cc}).
   *
   * @param meetingPoint {@code address:port} or {@code host:port}
   */
  public static Optional<String> interfaceTo(String meetingPoint) {
    int colon = meetingPoint.lastIndexOf(':');
    String host = meetingPoint.substring(0, Math.max(0, colon)).replaceAll("[\\[\\]]", "");
    try {
      InetAddress address = InetAddress.getByName(host);
      return NetworkInterface.networkInterfaces()
          .sorted(Comparator.comparingInt(NetworkInterface::getIndex))
          .filter(card -> card.getInterfaceAddresses().stream().anyMatch(a -> isNear(a, address)))
          .map(NetworkInterface::getName)
          .findFirst();
    } catch (UnknownHostException | SocketException e) {
      return Optional.empty();
    }
  }

  private static boolean isNear(InterfaceAddress local, InetAddress remote) {
    byte[] address = local.getAddress().getAddress();
    byte[] other = remote.getAddress();
    int bits = local.getNetworkPrefixLength();
    return address.length == other.length
        && new BigInteger(1, address)
                .xor(new BigInteger(1, other))
                .shiftRight(address.length * Byte.SIZE - bits)
                .signum()
            == 0;
  }
}

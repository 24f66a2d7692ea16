package dev.topo.model.nic;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.model.NicDistance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NameFilterTest {
  @ParameterizedTest
  @CsvSource({
    "mlx5_1, mlx5_1, 1, true",
    "mlx5_1, mlx5_10, 1, true",
    "=mlx5_1, mlx5_10, 1, false",
    "=mlx5_1, mlx5_1, 1, true",
    "^mlx5_1, mlx5_1, 1, false",
    "^mlx5_1, mlx5_10, 1, false",
    "^=mlx5_1, mlx5_10, 1, true",
    "^=mlx5_1, mlx5_1, 1, false",
    "mlx5_0:1, mlx5_0, 1, true",
    "mlx5_0:1, mlx5_0, 2, false",
    "^mlx5_0:1, mlx5_0, 2, true",
    "'mlx5_2,mlx5_0:2', mlx5_0, 2, true",
    "'mlx5_2,mlx5_0:2', mlx5_0, 1, false",
    "mlx5_0:, mlx5_0, 1, false",
    "mlx5_0:1x:2, mlx5_0, 1, true",
    "'', mlx5_0, 1, true",
    "'^', mlx5_0, 1, false",
    "',,', mlx5_0, 1, true",
    "eth0, eth0, -1, true",
    "eth0:3, eth0, -1, true",
  })
  void allowsWhatNcclAllows(String list, String name, int port, boolean allowed) {
    assertEquals(allowed, NameFilter.parse(list, 32).allows(name, port));
  }

  @ParameterizedTest
  @CsvSource({
    "LOC, LOC",
    "PORT, PORT",
    "PIX, PIX",
    "PIXEL, PIX",
    "SYS, SYS",
    "port, LOC",
    "1, LOC"
  })
  void mergeLevelIsReadByItsBeginning(String text, NicDistance expected) {
    assertEquals(expected, NicDistance.parse(text));
  }
}

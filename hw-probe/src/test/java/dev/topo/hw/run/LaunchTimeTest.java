package dev.topo.hw.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class LaunchTimeTest {
  /** Two paces, as two H200 showed them. */
  @Test
  void aFastStartDoesNotChangeTheMedian() {
    LaunchTime launch =
        new LaunchTime(
            List.of(
                new LaunchTime.Start(10.0, 9.5, 11.2),
                new LaunchTime.Start(6.5, 6.1, 19.0),
                new LaunchTime.Start(9.8, 9.1, 10.9)));
    assertEquals(9.8, launch.medianUs());
    assertEquals(6.5, launch.leastUs());
    assertEquals(10.0, launch.mostUs());
  }

  @Test
  void anEvenNumberOfStartsHasTheMeanOfTheMiddleTwo() {
    LaunchTime launch =
        new LaunchTime(List.of(new LaunchTime.Start(8, 8, 8), new LaunchTime.Start(9, 9, 9)));
    assertEquals(8.5, launch.medianUs());
  }

  @Test
  void thereIsAStart() {
    assertThrows(IllegalArgumentException.class, () -> new LaunchTime(List.of()));
  }
}

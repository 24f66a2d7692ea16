package dev.topo.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class QuantilesTest {
  @Test
  void medianOfAnEvenNumberIsTheMeanOfTheTwoInTheMiddle() {
    double[] values = {9, 3, 1};
    assertEquals(3, Quantiles.median(values));
    assertEquals(6, Quantiles.median(values, 0, 2));
    assertArrayEquals(new double[] {9, 3, 1}, values, "left as they were");
    assertEquals(2, Quantiles.median(List.of(9.0, 3.0, 1.0, 0.5)));
    assertEquals(Double.NaN, Quantiles.median());
  }

  @Test
  void quantilesLieBetweenNeighbours() {
    double[] values = {40, 10, 20, 30};
    assertEquals(10, Quantiles.of(values, 0));
    assertEquals(13, Quantiles.of(values, 0.1), 1e-12);
    assertEquals(25, Quantiles.of(values, 0.5));
    assertEquals(37, Quantiles.of(List.of(40.0, 10.0, 20.0, 30.0), 0.9), 1e-12);
    assertArrayEquals(new double[] {40, 10, 20, 30}, values, "left as they were");
  }
}

package dev.topo.simulator.calibration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.io.ResourceTable;
import dev.topo.simulator.calibration.NamedValue.FittedConstant;
import dev.topo.simulator.network.NetworkCalibration.NetworkConstant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every constant has a unit and a meaning, and no line is of a constant that is gone. */
class MeaningsTest {
  private static final int LONGEST = 80;

  @Test
  void everyConstantHasAMeaning() {
    check(Constant.class, List.of(Constant.values()));
    check(NetworkConstant.class, List.of(NetworkConstant.values()));
  }

  private static void check(Class<?> kind, List<? extends FittedConstant> constants) {
    String file = "constants.properties";
    List<String> lines =
        List.copyOf(NamedValue.read(ResourceTable.text(kind, file), file).keySet());
    assertEquals(constants.stream().map(FittedConstant::label).toList(), lines);
    for (FittedConstant constant : constants) {
      assertTrue(constant.typical() > 0, constant.label());
      assertTrue(!constant.unit().isBlank(), constant.label());
      String meaning = constant.meaning();
      assertTrue(meaning.length() > 10 && meaning.length() <= LONGEST, meaning);
    }
  }

  @Test
  void aGenerationHasNoMoreConstantsThanItsRowsTell() {
    assertTrue(Constant.OF_GENERATION.size() <= 25);
    assertTrue(Arrays.asList(Constant.values()).containsAll(Constant.OF_GENERATION));
  }
}

package dev.topo.hw.javacpp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import java.util.TimeZone;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.javacpp.Pointer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The native code of the JVM reads TZ by {@code getenv} each time it looks for the time zone. */
class NativeEnvironmentTest {
  @BeforeAll
  static void loadJavaCpp() {
    Loader.load(Pointer.class);
  }

  private static String systemTimeZone() {
    String set = System.getProperty("user.timezone");
    TimeZone before = TimeZone.getDefault();
    System.clearProperty("user.timezone");
    TimeZone.setDefault(null);
    try {
      return TimeZone.getDefault().getID();
    } finally {
      TimeZone.setDefault(before);
      if (set != null) {
        System.setProperty("user.timezone", set);
      }
    }
  }

  @Test
  void nativeCodeReadsWhatIsSetAndNothingAfterwards() {
    String before = systemTimeZone();
    for (String zone : new String[] {"Asia/Tokyo", "America/Lima"}) {
      assertEquals(
          zone, NativeEnvironment.with(Map.of("TZ", zone), NativeEnvironmentTest::systemTimeZone));
      assertEquals(before, systemTimeZone());
    }
  }

  @Test
  void theInnerValueIsReadAndTheOuterOneIsRestored() {
    assertEquals(
        "Asia/Tokyo, America/Lima",
        NativeEnvironment.with(
            Map.of("TZ", "America/Lima"),
            () ->
                NativeEnvironment.with(
                        Map.of("TZ", "Asia/Tokyo"), NativeEnvironmentTest::systemTimeZone)
                    + ", "
                    + systemTimeZone()));
  }

  @Test
  void variablesAreResetAfterAFailure() {
    String before = systemTimeZone();
    assertThrows(
        IllegalStateException.class,
        () ->
            NativeEnvironment.with(
                Map.of("TZ", "Asia/Tokyo"),
                () -> {
                  throw new IllegalStateException("NCCL failed");
                }));
    assertEquals(before, systemTimeZone());
  }
}

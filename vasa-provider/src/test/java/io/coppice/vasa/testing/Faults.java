package io.coppice.vasa.testing;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.coppice.vasa.fault.VasaException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/// Assertions on faults.
public final class Faults {

  private Faults() {}

  /// Fails unless `call` ends in the fault of that name.
  public static void assertFault(String name, ThrowingCallable call) {
    assertThatExceptionOfType(VasaException.class)
        .isThrownBy(call)
        .satisfies(
            e -> {
              if (!e.fault().name().equals(name)) {
                throw new AssertionError("expected " + name + ", got " + e.fault(), e);
              }
            });
  }
}

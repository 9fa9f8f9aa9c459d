package io.coppice.admin.openid;

import java.time.Duration;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// A value of the authorization server that is read again when it is old, or on request, but not
/// more often than the settings allow. A failed read is remembered for as long, so that a server
/// that hangs is waited for by one caller at a time, and not by each after the other.
final class Remembered<T> {

  /// The reading of a value.
  @FunctionalInterface
  interface Source<T> {
    T read() throws OpenIdException;
  }

  private final Source<T> source;
  private final Duration kept;
  private final Duration renewal;
  private final LongSupplier nanos;

  private @Nullable T value;
  private @Nullable OpenIdException failure;
  private boolean read;
  private long readAt;

  /// @param kept age at which a value is read again
  /// @param renewal shortest time between two reads
  /// @param nanos a clock as [System#nanoTime]
  Remembered(Source<T> source, Duration kept, Duration renewal, LongSupplier nanos) {
    this.source = source;
    this.kept = kept;
    this.renewal = renewal;
    this.nanos = nanos;
  }

  synchronized T get() throws OpenIdException {
    T known = value;
    if (known != null && age() < kept.toNanos()) {
      return known;
    }
    return renewed();
  }

  /// The value as it is now at the server, or as it was a moment ago.
  synchronized T renewed() throws OpenIdException {
    if (!read || age() >= renewal.toNanos()) {
      readNow();
    }
    T known = value;
    if (known == null) {
      OpenIdException last = failure;
      throw Objects.requireNonNull(last, "a read has a value or a failure");
    }
    return known;
  }

  private void readNow() {
    try {
      value = source.read();
      failure = null;
    } catch (OpenIdException e) {
      value = null;
      failure = e;
    }
    read = true;
    readAt = nanos.getAsLong();
  }

  private long age() {
    return nanos.getAsLong() - readAt;
  }
}

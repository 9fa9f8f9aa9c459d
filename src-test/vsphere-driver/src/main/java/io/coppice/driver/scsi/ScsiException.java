package io.coppice.driver.scsi;

import org.jspecify.annotations.Nullable;

/// A command ended with another status than GOOD.
public final class ScsiException extends RuntimeException {
  private final transient ScsiResult result;

  public ScsiException(ScsiRequest request, ScsiResult result) {
    super(
        "%s to %s: expected GOOD, got status %02Xh%s"
            .formatted(
                request.cdb().name(),
                request.lun(),
                result.status(),
                result.sense() == null ? "" : ", " + result.sense()));
    this.result = result;
  }

  public int status() {
    return result.status();
  }

  public @Nullable Sense sense() {
    return result.sense();
  }

  /// Whether the sense data has this key, additional sense code and qualifier.
  public boolean is(int key, int asc, int ascq) {
    Sense sense = result.sense();
    return sense != null && sense.is(key, asc, ascq);
  }
}

package io.coppice.scsi.sense;

/// The codes of sense data: what a host is told, without the place at fault.
public record SenseCode(SenseKey key, AdditionalSense additional) {

  /// As SCSI documents write it, such as `5h/24h/00h`.
  @Override
  public String toString() {
    return "%Xh/%02Xh/%02Xh".formatted(key.code(), additional.code(), additional.qualifier());
  }
}

package io.coppice.engine.check.finding;

import java.util.Locale;

/// The part of the pool that a finding is about.
public enum Structure {
  SUPERBLOCK,
  CHECKPOINT,
  SEGMENT,
  VERSION,
  VOLUME,
  NODE,
  BLOCK,
  COUNT,
  LOG;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}

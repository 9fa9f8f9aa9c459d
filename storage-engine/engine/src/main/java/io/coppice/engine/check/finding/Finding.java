package io.coppice.engine.check.finding;

/// One thing that is not as it must be.
///
/// @param sentence what was expected and what was found
public record Finding(Severity severity, Structure structure, Where where, String sentence) {

  @Override
  public String toString() {
    return "%s %s%s: %s".formatted(severity, structure, where, sentence);
  }
}

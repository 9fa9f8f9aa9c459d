package io.coppice.engine.check.finding;

/// A thing that is not as it must be.
///
/// @param sentence the expected and the actual value
public record Finding(
    Severity severity, Structure structure, FindingLocation where, String sentence) {

  @Override
  public String toString() {
    return "%s %s%s: %s".formatted(severity, structure, where, sentence);
  }
}

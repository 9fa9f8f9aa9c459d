package io.coppice.vasa.policy;

import java.util.List;

/// A value of a capability's property.
public sealed interface CapabilityValue {

  /// A text.
  record Text(String value) implements CapabilityValue {}

  /// A whole number.
  record Number(long value) implements CapabilityValue {}

  /// A floating point number.
  record Real(double value) implements CapabilityValue {}

  /// True or false.
  record Flag(boolean value) implements CapabilityValue {}

  /// A length of time (VASA 2.0 TimeSpan).
  record Span(int amount, SpanUnit unit) implements CapabilityValue {}

  /// One of several values (VASA 2.0 DiscreteSet).
  record OneOf(List<CapabilityValue> values) implements CapabilityValue {
    public OneOf {
      values = List.copyOf(values);
    }
  }

  /// Any value from `min` to `max` (VASA 2.0 Range).
  record Between(CapabilityValue min, CapabilityValue max) implements CapabilityValue {}
}

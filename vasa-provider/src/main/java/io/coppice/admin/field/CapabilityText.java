package io.coppice.admin.field;

import io.coppice.vasa.policy.Capability;
import io.coppice.vasa.policy.CapabilityValue;
import java.util.stream.Collectors;

/// Values of capabilities as text.
public final class CapabilityText {

  private CapabilityText() {}

  /// The values that its constraints name.
  public static String of(Capability capability) {
    return capability.constraints().stream()
        .flatMap(constraint -> constraint.properties().values().stream())
        .map(CapabilityText::of)
        .collect(Collectors.joining(" or "));
  }

  public static String of(CapabilityValue value) {
    return switch (value) {
      case CapabilityValue.Text(String text) -> text;
      case CapabilityValue.Number(long number) -> Long.toString(number);
      case CapabilityValue.Real(double number) -> Double.toString(number);
      case CapabilityValue.Flag(boolean flag) -> Boolean.toString(flag);
      case CapabilityValue.Span(int amount, var unit) ->
          String.valueOf(IsoDurations.text(unit.length().multipliedBy(amount)));
      case CapabilityValue.OneOf(var values) ->
          values.stream().map(CapabilityText::of).collect(Collectors.joining(" or "));
      case CapabilityValue.Between(CapabilityValue min, CapabilityValue max) ->
          of(min) + " to " + of(max);
    };
  }
}

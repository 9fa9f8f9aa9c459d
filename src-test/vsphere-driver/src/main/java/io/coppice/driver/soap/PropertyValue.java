package io.coppice.driver.soap;

import java.util.List;

/// A typed value of a capability's property.
public sealed interface PropertyValue {
  /// A simple value; `type` is the local name of an XML Schema type, for example `string`.
  record Simple(String type, String text) implements PropertyValue {}

  /// A set of texts.
  record Discrete(List<String> values) implements PropertyValue {
    public Discrete {
      values = List.copyOf(values);
    }
  }

  /// A range of simple values of one type.
  record Range(String type, String min, String max) implements PropertyValue {}

  /// A time span; `unit` is a TimeUnitEnum value, for example `HOURS`.
  record Span(String unit, int value) implements PropertyValue {}

  static PropertyValue text(String value) {
    return new Simple("string", value);
  }

  static PropertyValue number(long value) {
    return new Simple("long", Long.toString(value));
  }

  static PropertyValue of(Xml x) {
    return switch (x.type()) {
      case "DiscreteSet" -> new Discrete(x.texts("captypes:values"));
      case "Range" ->
          new Range(
              x.one("captypes:min").type(), x.required("captypes:min"), x.required("captypes:max"));
      case "TimeSpan" -> new Span(x.required("captypes:unit"), (int) x.number("captypes:value"));
      default -> new Simple(x.type(), x.text());
    };
  }

  /// Writes the element `name` with this value and its `xsi:type`.
  default void write(XmlText xml, String name) {
    switch (this) {
      case Simple simple -> xml.typed(name, "xs:" + simple.type(), simple.text());
      case Discrete set ->
          xml.typed(
              name,
              "captypes:DiscreteSet",
              x -> set.values().forEach(v -> x.typed("captypes:values", "xs:string", v)));
      case Range range ->
          xml.typed(
              name,
              "captypes:Range",
              x ->
                  x.typed("captypes:max", "xs:" + range.type(), range.max())
                      .typed("captypes:min", "xs:" + range.type(), range.min()));
      case Span span ->
          xml.typed(
              name,
              "captypes:TimeSpan",
              x -> x.text("captypes:unit", span.unit()).text("captypes:value", span.value()));
    }
  }
}

package io.coppice.driver.soap;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A fault of the provider.
///
/// [#name] is the contract's name, for example `InvalidSession`; a SOAP fault without a typed
/// detail has the name of its fault code, for example `Client`, and [#typed] is false.
public final class VasaFault extends RuntimeException {
  /// A session that the provider does not know, or not any more.
  public static final String INVALID_SESSION = "InvalidSession";

  /// The provider asks to come again later.
  public static final String BUSY = "VasaProviderBusy";

  private final String name;
  private final boolean typed;
  private final transient Map<String, String> fields;

  VasaFault(String operation, String name, boolean typed, String text, Map<String, String> fields) {
    super("%s: %s%s: %s".formatted(operation, name, fields.isEmpty() ? "" : fields, text));
    this.name = name;
    this.typed = typed;
    this.fields = Map.copyOf(fields);
  }

  public String name() {
    return name;
  }

  public boolean typed() {
    return typed;
  }

  /// The simple elements of the fault, for example `maxBatchSize` of `TooMany`.
  public Map<String, String> fields() {
    return fields;
  }

  public boolean is(String expected) {
    return name.equals(expected);
  }

  /// A fault from the `soap:Fault` element of a reply.
  static VasaFault ofSoap(String operation, Xml fault) {
    Xml detail = fault.find("*[local-name()='detail' or local-name()='Detail']/*");
    String text = orEmpty(fault.text("*[local-name()='faultstring' or local-name()='Reason']"));
    if (detail == null || !Namespaces.SERVICE.equals(detail.element().getNamespaceURI())) {
      String code = orEmpty(fault.text("*[local-name()='faultcode']|*[local-name()='Code']/*[1]"));
      return new VasaFault(operation, code.substring(code.indexOf(':') + 1), false, text, Map.of());
    }
    Xml inner = detail.find("*");
    return new VasaFault(
        operation, detail.localName(), true, text, inner == null ? Map.of() : fieldsOf(inner));
  }

  /// A fault inside a batch result or a task, known by its `xsi:type`.
  static VasaFault ofItem(String operation, Xml item) {
    String type = item.type();
    return new VasaFault(
        operation,
        type.isEmpty() ? "untyped" : type,
        !type.isEmpty(),
        "in the result",
        fieldsOf(item));
  }

  private static Map<String, String> fieldsOf(Xml fault) {
    Map<String, String> fields = new LinkedHashMap<>();
    for (Xml child : fault.all("*[not(*)]")) {
      fields.merge(child.localName(), child.text(), (a, b) -> a + "," + b);
    }
    return fields;
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }
}

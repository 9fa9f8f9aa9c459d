package io.coppice.wsdl;

import static io.coppice.wsdl.Contract.children;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.w3c.dom.Element;

/// Each WSDL and the wrapper elements of its schema against its table.
@ParameterizedClass
@EnumSource
class VasaServiceWsdlTest {

  private static final String SOAP_11 = "http://schemas.xmlsoap.org/wsdl/soap/";
  private static final String SOAP_12 = "http://schemas.xmlsoap.org/wsdl/soap12/";

  private final Part part;
  private final Element wsdl;
  private final Element schema;
  private final List<Operation> table;

  VasaServiceWsdlTest(Part part) {
    this.part = part;
    this.wsdl = part.wsdl().getDocumentElement();
    this.schema = Contract.schemaDocument(part.schema).getDocumentElement();
    this.table = part.operations();
  }

  @Test
  void namespaceIsThatOfTheVersion() {
    assertThat(wsdl.getAttribute("targetNamespace") + "xsd").isEqualTo(part.namespace);
    assertThat(schema.getAttribute("targetNamespace")).isEqualTo(part.namespace);
  }

  @Test
  void portTypeHasExactlyTheOperationsOfTheTable() {
    assertThat(table)
        .hasSize(
            switch (part) {
              case VERSION_1 -> 22;
              case SERVICE -> 74;
              case REPLICATION -> 11;
            });
    assertThat(portTypeOperations().keySet())
        .containsExactlyInAnyOrderElementsOf(table.stream().map(Operation::name).toList());
  }

  @Test
  void faultsAreThoseOfTheTable() {
    Map<String, Element> operations = portTypeOperations();
    for (Operation o : table) {
      assertThat(children(operations.get(o.name()), "fault").map(f -> f.getAttribute("name")))
          .as(o.name())
          .containsExactlyInAnyOrderElementsOf(o.faults());
    }
  }

  @Test
  void everyFaultMessageCarriesTheElementOfItsName() {
    for (Element operation : portTypeOperations().values()) {
      children(operation, "fault")
          .forEach(
              f -> assertThat(elementOfMessage(f)).as("fault").isEqualTo(f.getAttribute("name")));
    }
  }

  @Test
  void emptyBodiesHaveMessagesWithoutPart() {
    Map<String, Element> operations = portTypeOperations();
    for (Operation o : table) {
      Element operation = operations.get(o.name());
      assertThat(elementOfMessage(only(operation, "input")))
          .as(o.name() + " request")
          .isEqualTo(o.request() == null ? null : o.name());
      assertThat(elementOfMessage(only(operation, "output")))
          .as(o.name() + " reply")
          .isEqualTo(o.reply() == null ? null : o.name() + "Response");
    }
  }

  @Test
  void wrappersHaveTheChildrenOfTheTableInOrder() {
    Map<String, Element> wrappers = byName(schema, "element");
    for (Operation o : table) {
      assertThat(childrenOfWrapper(wrappers.get(o.name()))).as(o.name()).isEqualTo(o.request());
      assertThat(childrenOfWrapper(wrappers.get(o.name() + "Response")))
          .as(o.name() + " reply")
          .isEqualTo(o.reply());
    }
  }

  @Test
  void schemaHasNoOtherElementsThanRequestsRepliesAndFaults() {
    long requests = table.stream().filter(o -> o.request() != null).count();
    long replies = table.stream().filter(o -> o.reply() != null).count();
    long faults = table.stream().flatMap(o -> o.faults().stream()).distinct().count();
    if (part == Part.SERVICE) {
      assertThat(List.of(requests, replies, faults)).containsExactly(70L, 64L, 23L);
    }
    assertThat(byName(schema, "element")).hasSize((int) (requests + replies + faults));
  }

  @Test
  void bothBindingsNameEveryActionAndFault() {
    Map<String, Element> bindings = byName(wsdl, "binding");
    assertThat(bindings.keySet())
        .containsExactlyInAnyOrder(part.service + "Soap11Binding", part.service + "Soap12Binding");
    assertBinding(bindings.get(part.service + "Soap11Binding"), SOAP_11);
    assertBinding(bindings.get(part.service + "Soap12Binding"), SOAP_12);
  }

  @Test
  void serviceHasOnePortPerSoapVersion() {
    Element service = only(wsdl, "service");
    assertThat(service.getAttribute("name")).isEqualTo(part.service);
    assertThat(byName(service, "port").keySet())
        .containsExactlyInAnyOrder(
            part.service + "HttpSoap11Endpoint", part.service + "HttpSoap12Endpoint");
  }

  private void assertBinding(Element binding, String soap) {
    Map<String, Element> operations = byName(binding, "operation");
    assertThat(operations).hasSameSizeAs(table);
    for (Operation o : table) {
      Element operation = operations.get(o.name());
      Element action = children(operation, "operation").findFirst().orElseThrow();
      assertThat(action.getNamespaceURI()).isEqualTo(soap);
      assertThat(action.getAttribute("soapAction")).isEqualTo("urn:" + o.name());
      assertThat(children(operation, "fault").map(f -> f.getAttribute("name")))
          .as(o.name())
          .containsExactlyInAnyOrderElementsOf(o.faults());
    }
  }

  private Map<String, Element> portTypeOperations() {
    Element portType = only(wsdl, "portType");
    assertThat(portType.getAttribute("name")).isEqualTo(part.service + "PortType");
    return byName(portType, "operation");
  }

  /// The local name of the element in the one part of the message that `reference` points at, if
  /// any.
  private @Nullable String elementOfMessage(Element reference) {
    String message = reference.getAttribute("message").replace("tns:", "");
    return children(byName(wsdl, "message").get(message), "part")
        .map(part -> part.getAttribute("element").replaceFirst("^\\w+:", ""))
        .findFirst()
        .orElse(null);
  }

  private static @Nullable List<Operation.Child> childrenOfWrapper(@Nullable Element wrapper) {
    return wrapper == null
        ? null
        : children(only(only(wrapper, "complexType"), "sequence"), "element")
            .map(VasaServiceWsdlTest::child)
            .toList();
  }

  private static Operation.Child child(Element element) {
    String max = element.getAttribute("maxOccurs");
    return new Operation.Child(
        element.getAttribute("name"),
        Contract.withTablePrefix(element, element.getAttribute("type")),
        element.getAttribute("minOccurs").equals("0") ? 0 : 1,
        max.equals("unbounded") ? Integer.MAX_VALUE : 1,
        element.getAttribute("nillable").equals("true"));
  }

  private static Map<String, Element> byName(Element parent, String localName) {
    return children(parent, localName)
        .collect(Collectors.toMap(e -> e.getAttribute("name"), Function.identity()));
  }

  private static Element only(Element parent, String localName) {
    List<Element> found = children(parent, localName).toList();
    assertThat(found).as(localName).hasSize(1);
    return found.getFirst();
  }
}

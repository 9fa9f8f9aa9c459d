package io.coppice.wsdl;

import static io.coppice.wsdl.Contract.children;
import static org.assertj.core.api.Assertions.assertThat;

import jakarta.xml.bind.JAXBContext;
import jakarta.xml.bind.Unmarshaller;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.XMLConstants;
import javax.xml.transform.dom.DOMResult;
import javax.xml.transform.dom.DOMSource;
import javax.xml.validation.Schema;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/// The messages of `docs/wire` against the tables, the schemas and the stubs.
class GoldenMessagesTest {

  private static final String SOAP_11 = "http://schemas.xmlsoap.org/soap/envelope/";
  private static final String SOAP_12 = "http://www.w3.org/2003/05/soap-envelope";
  private static final String XSI = XMLConstants.W3C_XML_SCHEMA_INSTANCE_NS_URI;

  private static final Map<Part, Map<String, Operation>> OPERATIONS =
      Arrays.stream(Part.values())
          .collect(Collectors.toMap(Function.identity(), GoldenMessagesTest::operations));
  private static final Map<Part, JAXBContext> STUBS =
      Arrays.stream(Part.values()).collect(Collectors.toMap(Function.identity(), Part::stubs));
  private static final Map<Part, Schema> SCHEMAS =
      Arrays.stream(Part.values()).collect(Collectors.toMap(Function.identity(), Part::schemas));

  /// Elements of type xs:anyType, which say what they are by `xsi:type` alone.
  private static final Set<String> ANY_TYPED =
      Set.of(
          "vvol:error",
          "vvol:fault",
          "vvol:result",
          "capability.policy:value",
          "capability.policy:allowedValue",
          "capability.policy:defaultValue",
          "types.capability.policy:values",
          "types.capability.policy:min",
          "types.capability.policy:max",
          "policy:value");

  /// One file; its name is `<operation>.<kind>.xml` or `<operation>.<kind>.soap12.xml`.
  record Message(Part part, Path file, String operation, String kind, boolean soap12) {

    static Message of(Part part, Path file) {
      String[] parts = file.getFileName().toString().split("\\.");
      return new Message(part, file, parts[0], parts[1], parts[2].equals("soap12"));
    }

    @Override
    public String toString() {
      return part + " " + file.getFileName();
    }
  }

  private static Map<String, Operation> operations(Part part) {
    return part.operations().stream()
        .collect(Collectors.toMap(Operation::name, Function.identity()));
  }

  static List<Message> messages() throws IOException {
    List<Message> all = new ArrayList<>();
    for (Part part : Part.values()) {
      all.addAll(messages(part));
    }
    return all;
  }

  private static List<Message> messages(Part part) throws IOException {
    try (Stream<Path> files = Files.list(part.messages())) {
      return files
          .filter(f -> f.toString().endsWith(".xml"))
          .sorted()
          .map(f -> Message.of(part, f))
          .toList();
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyOperationHasRequestReplyAndFault(Part part) throws IOException {
    Map<String, Set<String>> kinds = new TreeMap<>();
    for (Message m : messages(part)) {
      kinds
          .computeIfAbsent(m.operation() + (m.soap12() ? " (SOAP 1.2)" : ""), k -> new TreeSet<>())
          .add(m.kind());
    }
    assertThat(kinds).containsKeys(OPERATIONS.get(part).keySet().toArray(String[]::new));
    assertThat(kinds)
        .allSatisfy((k, v) -> assertThat(v).as(k).containsExactly("fault", "reply", "request"));
  }

  @ParameterizedTest
  @MethodSource("messages")
  void messageIsWhatTheTableSaysOfItsOperation(Message message) {
    assertThat(OPERATIONS.get(message.part())).containsKey(message.operation());
    Operation operation = OPERATIONS.get(message.part()).get(message.operation());
    List<String> body = children(body(message)).map(GoldenMessagesTest::expandedName).toList();

    switch (message.kind()) {
      case "request" -> assertThat(body).isEqualTo(wrapper(message, operation.request(), ""));
      case "reply" -> assertThat(body).isEqualTo(wrapper(message, operation.reply(), "Response"));
      case "fault" -> assertFault(message, operation);
      default -> throw new AssertionError("expected request, reply or fault, got " + message);
    }
  }

  @ParameterizedTest
  @MethodSource("messages")
  void contentIsValidAgainstTheSchemas(Message message) throws IOException, SAXException {
    for (Element content : contents(message)) {
      SCHEMAS.get(message.part()).newValidator().validate(new DOMSource(content));
      assertThat(Contract.descendants(content).filter(GoldenMessagesTest::isAnyTyped))
          .allSatisfy(e -> assertThat(e.hasAttributeNS(XSI, "type")).as(e.getTagName()).isTrue());
    }
  }

  @ParameterizedTest
  @MethodSource("messages")
  void stubsReadEveryElementAndWriteItAgain(Message message) throws Exception {
    for (Element content : contents(message)) {
      JAXBContext stubs = STUBS.get(message.part());
      Unmarshaller unmarshaller = stubs.createUnmarshaller();
      unmarshaller.setEventHandler(event -> false);
      Object bean = unmarshaller.unmarshal(content);
      DOMResult written = new DOMResult();
      stubs.createMarshaller().marshal(bean, written);

      assertThat(outline(((Document) written.getNode()).getDocumentElement()))
          .isEqualTo(outline(content));
    }
  }

  @ParameterizedTest
  @MethodSource("messages")
  void identifiersHaveTheFormsOfTheContract(Message message) {
    String uuid = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
    for (Element e : contents(message).stream().flatMap(Contract::descendants).toList()) {
      switch (e.getLocalName()) {
        case "vvolId", "snapshotVvolId", "srcVVolId", "srcBaseVVolId", "dstVVolId", "snapshotId" ->
            assertThat(e.getTextContent()).matches("rfc4122\\." + uuid);
        case "containerId" -> assertThat(e.getTextContent()).matches(uuid);
        case "lunId" -> assertThat(e.getTextContent()).matches("naa\\.6[0-9a-f]{31}");
        case "vvolSecondaryId" -> assertThat(e.getTextContent()).matches("0xd2[0-9a-f]{6}");
        default -> {}
      }
    }
  }

  private static void assertFault(Message message, Operation operation) {
    List<Element> faults = children(body(message)).toList();
    assertThat(faults).singleElement().extracting(Node::getLocalName).isEqualTo("Fault");
    Element fault = faults.getFirst();
    String text = message.soap12() ? "Reason" : "faultstring";
    assertThat(children(fault, text).map(e -> e.getTextContent().strip()).toList())
        .singleElement()
        .asString()
        .isNotEmpty();
    List<Element> details = detail(message, fault);
    assertThat(details).hasSize(1);
    Element detail = details.getFirst();
    assertThat(operation.faults()).contains(detail.getLocalName());
    assertThat(children(detail).map(GoldenMessagesTest::expandedName))
        .containsExactly(expandedName(detail));
  }

  /// What the schemas know: the wrapper in the body, or the one in a fault's detail.
  private static List<Element> contents(Message message) {
    return message.kind().equals("fault")
        ? detail(message, children(body(message)).findFirst().orElseThrow())
        : children(body(message)).toList();
  }

  private static List<Element> detail(Message message, Element fault) {
    return children(fault, message.soap12() ? "Detail" : "detail")
        .flatMap(Contract::children)
        .toList();
  }

  private static Element body(Message message) {
    Element envelope = Contract.parse(message.file()).getDocumentElement();
    assertThat(envelope.getNamespaceURI()).isEqualTo(message.soap12() ? SOAP_12 : SOAP_11);
    assertThat(envelope.getLocalName()).isEqualTo("Envelope");
    return children(envelope, "Body").findFirst().orElseThrow();
  }

  private static List<String> wrapper(
      Message message, @Nullable List<Operation.Child> content, String suffix) {
    return content == null
        ? List.of()
        : List.of("{" + message.part().namespace + "}" + message.operation() + suffix);
  }

  /// Every element with its type, nil and text, free of prefixes and of the spelling of times.
  private static List<String> outline(Element root) {
    return Stream.concat(Stream.of(root), Contract.descendants(root))
        .map(
            e ->
                "%s type=%s nil=%s %s"
                    .formatted(
                        expandedName(e),
                        expandedType(e),
                        e.getAttributeNS(XSI, "nil"),
                        children(e).findAny().isPresent() ? "" : spelled(e.getTextContent())))
        .toList();
  }

  private static String expandedType(Element element) {
    String type = element.getAttributeNS(XSI, "type");
    if (type.isEmpty()) {
      return "";
    }
    int colon = type.indexOf(':');
    String namespace = element.lookupNamespaceURI(colon < 0 ? null : type.substring(0, colon));
    return "{" + namespace + "}" + type.substring(colon + 1);
  }

  private static String spelled(String text) {
    try {
      return OffsetDateTime.parse(text).toString();
    } catch (DateTimeParseException e) {
      return text;
    }
  }

  private static boolean isAnyTyped(Element element) {
    String domain =
        element
            .getNamespaceURI()
            .replace("http://", "")
            .replace(".data.vasa.vim.vmware.com/xsd", "");
    return ANY_TYPED.contains(domain + ":" + element.getLocalName());
  }

  private static String expandedName(Element element) {
    return "{" + element.getNamespaceURI() + "}" + element.getLocalName();
  }
}

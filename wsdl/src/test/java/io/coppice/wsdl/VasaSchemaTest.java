package io.coppice.wsdl;

import static io.coppice.wsdl.Contract.XSD;
import static io.coppice.wsdl.Contract.children;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.transform.dom.DOMSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.xml.sax.SAXException;

/// What the contract says of its schemas as a whole.
class VasaSchemaTest {

  @Test
  void schemasCompileTogetherAndRefuseAWrongOrder() {
    String right =
        """
        <resizeVirtualVolume xmlns="http://com.vmware.vim.vasa/2.0/xsd">
          <vvolId>v</vvolId><sizeInMB>1</sizeInMB>
        </resizeVirtualVolume>""";
    String wrong =
        """
        <resizeVirtualVolume xmlns="http://com.vmware.vim.vasa/2.0/xsd">
          <sizeInMB>1</sizeInMB><vvolId>v</vvolId>
        </resizeVirtualVolume>""";
    assertThat(errorOf(right)).isNull();
    assertThat(errorOf(wrong)).contains("sizeInMB");
  }

  @Test
  void countsOfTypesAreThoseOfTheContract() {
    assertThat(globals("complexType")).hasSize(104);
    assertThat(globals("simpleType")).hasSize(31);
    assertThat(children(root("fault.xsd"), "complexType")).hasSize(23);
  }

  @Test
  void everySchemaQualifiesItsNames() {
    for (String name : Contract.SCHEMAS) {
      assertThat(root(name).getAttribute("elementFormDefault")).as(name).isEqualTo("qualified");
      assertThat(root(name).getAttribute("attributeFormDefault")).as(name).isEqualTo("qualified");
    }
  }

  @Test
  void schemasUseNothingButSequencesOfElements() {
    Set<String> used =
        Stream.concat(Contract.SCHEMAS.stream(), Stream.of(Contract.REPLICATION))
            .flatMap(name -> Contract.descendants(root(name)))
            .filter(e -> e.getNamespaceURI().equals(XSD))
            .map(Element::getLocalName)
            .collect(Collectors.toSet());
    assertThat(used)
        .containsExactlyInAnyOrder(
            "annotation",
            "documentation",
            "import",
            "element",
            "complexType",
            "complexContent",
            "extension",
            "sequence",
            "simpleType",
            "restriction",
            "enumeration");
  }

  @Test
  void noElementIsOfAnEnumerationType() {
    Set<String> enumerations =
        globals("simpleType").stream().map(e -> e.getAttribute("name")).collect(Collectors.toSet());
    assertThat(elements().map(e -> e.getAttribute("type").replaceFirst("^.*:", "")))
        .doesNotContainAnyElementsOf(enumerations);
  }

  @Test
  void noMandatoryElementIsNillable() {
    assertThat(elements().filter(e -> e.getAttribute("nillable").equals("true")))
        .isNotEmpty()
        .allSatisfy(e -> assertThat(e.getAttribute("minOccurs")).isEqualTo("0"));
  }

  @Test
  void childrenOfATypeStandInAlphabeticalOrder() {
    List<Element> types =
        Stream.concat(
                globals("complexType").stream(),
                children(root(Contract.REPLICATION), "complexType"))
            .toList();
    for (Element type : types) {
      List<String> names =
          Contract.descendants(type)
              .filter(e -> e.getLocalName().equals("element"))
              .map(e -> e.getAttribute("name"))
              .toList();
      assertThat(names).as(type.getAttribute("name")).isSorted();
    }
  }

  @Test
  void everyFaultExtendsTheCommonType() {
    assertThat(children(root("fault.xsd"), "complexType"))
        .allSatisfy(
            type ->
                assertThat(Contract.descendants(type))
                    .anySatisfy(e -> assertThat(e.getAttribute("base")).isEqualTo("ns:Exception")));
  }

  private static @Nullable String errorOf(String xml) {
    try {
      Contract.schema().newValidator().validate(new DOMSource(Contract.parse(xml)));
      return null;
    } catch (SAXException | IOException e) {
      return e.getMessage();
    }
  }

  private static List<Element> globals(String localName) {
    return Contract.SCHEMAS.stream().flatMap(n -> children(root(n), localName)).toList();
  }

  private static Stream<Element> elements() {
    return Contract.SCHEMAS.stream()
        .flatMap(name -> Contract.descendants(root(name)))
        .filter(e -> e.getLocalName().equals("element") && !e.getAttribute("type").isEmpty());
  }

  private static Element root(String schema) {
    return Contract.schemaDocument(schema).getDocumentElement();
  }
}

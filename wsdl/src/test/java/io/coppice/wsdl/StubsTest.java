package io.coppice.wsdl;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.wsdl.capability.GenericTypeInfo;
import io.coppice.wsdl.capability.types.DiscreteSet;
import io.coppice.wsdl.capability.types.Range;
import io.coppice.wsdl.capability.types.TimeSpan;
import io.coppice.wsdl.data.ComplianceAlarm;
import io.coppice.wsdl.fault.StorageFault;
import io.coppice.wsdl.fault.TooMany;
import io.coppice.wsdl.profile.SubProfileWithCandidates;
import io.coppice.wsdl.service.GetTaskUpdateResponse;
import io.coppice.wsdl.vvol.ObjectFactory;
import io.coppice.wsdl.vvol.PrepareSnapshotResult;
import io.coppice.wsdl.vvol.RebindEvent;
import io.coppice.wsdl.vvol.TaskInfo;
import jakarta.xml.bind.JAXBContext;
import jakarta.xml.bind.JAXBElement;
import jakarta.xml.bind.JAXBException;
import jakarta.xml.bind.annotation.XmlSchema;
import jakarta.xml.bind.annotation.XmlType;
import java.io.StringReader;
import java.io.StringWriter;
import java.time.OffsetDateTime;
import java.util.stream.Stream;
import javax.xml.namespace.QName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Element;

/// How the stubs behave as beans: what crosses the wire under `xsi:type`, and what stays away when
/// unset.
class StubsTest {

  private static final OffsetDateTime TIME = OffsetDateTime.parse("2026-11-21T09:00:00.120Z");

  private final ObjectFactory vvol = new ObjectFactory();
  private final JAXBContext context = context();

  private static JAXBContext context() {
    return Part.SERVICE.stubs();
  }

  /// The types that no element is declared with, so that only `xsi:type` can name them.
  static Stream<Class<?>> typesReachedOnlyByXsiType() throws ClassNotFoundException {
    Stream.Builder<Class<?>> types = Stream.builder();
    types.add(RebindEvent.class).add(PrepareSnapshotResult.class).add(ComplianceAlarm.class);
    types.add(GenericTypeInfo.class).add(DiscreteSet.class).add(Range.class).add(TimeSpan.class);
    types.add(SubProfileWithCandidates.class);
    Element faults = Contract.schemaDocument("fault.xsd").getDocumentElement();
    for (Element fault : Contract.children(faults, "complexType").toList()) {
      types.add(Class.forName("io.coppice.wsdl.fault." + fault.getAttribute("name")));
    }
    return types.build();
  }

  @ParameterizedTest
  @MethodSource("typesReachedOnlyByXsiType")
  void typeNamedOnlyByXsiTypeCrossesTheWire(Class<?> type) throws Exception {
    TaskInfo task = task();
    task.setResult(vvol.createTaskInfoResult(type.getConstructor().newInstance()));

    String xml = write(task);

    assertThat(xml)
        .containsPattern("xsi:type=\"(\\w+:)?" + type.getAnnotation(XmlType.class).name());
    assertThat(read(xml).getResult().getValue()).isExactlyInstanceOf(type);
  }

  @Test
  void taskCarriesAnIdAsAString() throws Exception {
    TaskInfo task = task();
    task.setResult(vvol.createTaskInfoResult("rfc4122.9d0c3e5b-1f62-4a8d-8b1e-5c7f2d9e4b02"));

    String xml = write(task);

    assertThat(xml).containsPattern("xsi:type=\"(\\w+:)?string\"");
    assertThat(read(xml).getResult().getValue())
        .isEqualTo("rfc4122.9d0c3e5b-1f62-4a8d-8b1e-5c7f2d9e4b02");
  }

  @Test
  void unsetOptionalElementsAreLeftOutNotWrittenAsNil() throws Exception {
    assertThat(write(task()))
        .doesNotContain("nil")
        .doesNotContain("error")
        .doesNotContain("result")
        .doesNotContain("estimatedTimeToComplete");
  }

  @Test
  void nilIsReadAsAnElementWithoutValue() throws Exception {
    String xml =
        write(task())
            .replaceFirst(
                "<(\\w+:)cancelable>",
                "<$1arrayId xsi:nil=\"true\""
                    + " xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"/><$1cancelable>");

    JAXBElement<String> arrayId = read(xml).getArrayId();

    assertThat(arrayId.isNil()).isTrue();
    assertThat(arrayId.getValue()).isNull();
  }

  @Test
  void optionalTimeKeepsItsTypeInsideAJaxbElement() throws Exception {
    TaskInfo task = task();
    task.setEstimatedTimeToComplete(vvol.createTaskInfoEstimatedTimeToComplete(TIME));

    TaskInfo again = read(write(task));

    assertThat(again.getEstimatedTimeToComplete().getValue()).isEqualTo(TIME);
    assertThat(again.getStartTime()).isEqualTo(TIME);
  }

  @Test
  void fieldsOfAFaultInsideATaskSurvive() throws Exception {
    TooMany tooMany = new TooMany();
    tooMany.setMaxBatchSize(64L);
    TaskInfo task = task();
    task.setError(vvol.createTaskInfoError(tooMany));

    assertThat(((TooMany) read(write(task)).getError().getValue()).getMaxBatchSize())
        .isEqualTo(64L);
  }

  @Test
  void everyWrittenTypeIsInTheNamespaceOfItsPackage() {
    assertThat(context.createJAXBIntrospector().getElementName(new GetTaskUpdateResponse()))
        .isEqualTo(new QName(Contract.VASA, "getTaskUpdateResponse"));
    assertThat(StorageFault.class.getPackage().getAnnotation(XmlSchema.class).namespace())
        .isEqualTo("http://fault.vasa.vim.vmware.com/xsd");
  }

  private static TaskInfo task() {
    TaskInfo task = new TaskInfo();
    task.setName("createVirtualVolume");
    task.setTaskId("createVirtualVolume:1");
    task.setTaskState("Running");
    task.setStartTime(TIME);
    return task;
  }

  private String write(TaskInfo task) throws JAXBException {
    GetTaskUpdateResponse reply = new GetTaskUpdateResponse();
    reply.setReturn(task);
    StringWriter xml = new StringWriter();
    context.createMarshaller().marshal(reply, xml);
    return xml.toString();
  }

  private TaskInfo read(String xml) throws JAXBException {
    return ((GetTaskUpdateResponse) context.createUnmarshaller().unmarshal(new StringReader(xml)))
        .getReturn();
  }
}

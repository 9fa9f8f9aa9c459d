package io.coppice.wsdl;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.wsdl.service.VasaServicePortType;
import jakarta.jws.WebMethod;
import jakarta.jws.WebParam;
import jakarta.xml.ws.WebFault;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// The generated interface against `operations.table`.
class VasaServicePortTypeTest {

  private static final List<Operation> TABLE = Operation.table();
  private static final Map<String, Method> METHODS =
      Arrays.stream(VasaServicePortType.class.getDeclaredMethods())
          .collect(Collectors.toMap(Method::getName, Function.identity()));

  @Test
  void interfaceHasExactlyTheOperationsOfTheTable() {
    assertThat(TABLE).hasSize(74);
    assertThat(METHODS.keySet())
        .containsExactlyInAnyOrderElementsOf(TABLE.stream().map(Operation::name).toList());
  }

  @Test
  void everyMethodHasItsSoapAction() {
    for (Operation o : TABLE) {
      assertThat(METHODS.get(o.name()).getAnnotation(WebMethod.class).action())
          .isEqualTo("urn:" + o.name());
    }
  }

  @Test
  void everyMethodThrowsTheFaultsOfTheTable() {
    for (Operation o : TABLE) {
      assertThat(METHODS.get(o.name()).getExceptionTypes())
          .as(o.name())
          .extracting(e -> e.getAnnotation(WebFault.class).name())
          .containsExactlyInAnyOrderElementsOf(o.faults());
    }
  }

  @Test
  void everyFaultExceptionCarriesAWrapperAroundATypedFault() throws Exception {
    for (Method method : METHODS.values()) {
      for (Class<?> exception : method.getExceptionTypes()) {
        String fault = exception.getAnnotation(WebFault.class).name();
        Class<?> wrapper = exception.getMethod("getFaultInfo").getReturnType();
        assertThat(exception.getSimpleName()).isEqualTo(fault + "Exception");
        assertThat(wrapper.getName()).isEqualTo("io.coppice.wsdl.service." + fault);
        assertThat(wrapper.getMethod("get" + fault).getGenericReturnType().getTypeName())
            .endsWith("<io.coppice.wsdl.fault." + fault + ">");
      }
    }
  }

  @Test
  void sixtyMethodsHavePlainParametersInTheOrderOfTheTable() {
    List<Operation> wrapped = TABLE.stream().filter(Operation::isWrapped).toList();
    assertThat(wrapped).hasSize(60);
    for (Operation o : wrapped) {
      assertThat(METHODS.get(o.name()).getParameters())
          .as(o.name())
          .extracting(VasaServicePortTypeTest::elementName)
          .containsExactlyElementsOf(o.request().stream().map(Operation.Child::name).toList());
    }
  }

  @Test
  void methodsWithoutArgumentOrResultTakeOrReturnABean() {
    for (Operation o : TABLE) {
      Method method = METHODS.get(o.name());
      if (o.request() == null) {
        assertThat(method.getParameterCount()).as(o.name()).isZero();
        assertThat(method.getReturnType().getSimpleName())
            .isEqualToIgnoringCase(o.name() + "Response");
      }
      if (o.reply() == null) {
        assertThat(method.getReturnType()).as(o.name()).isEqualTo(void.class);
        assertThat(method.getParameterTypes())
            .extracting(Class::getSimpleName)
            .singleElement()
            .asString()
            .isEqualToIgnoringCase(o.name());
      }
    }
  }

  private static String elementName(Parameter parameter) {
    return parameter.getAnnotation(WebParam.class).name();
  }
}

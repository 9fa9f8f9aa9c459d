package io.coppice.vasa.soap.fault;

import io.coppice.vasa.fault.FaultTranslation;
import io.coppice.wsdl.fault.ObjectFactory;
import jakarta.xml.bind.JAXBContext;
import jakarta.xml.bind.JAXBElement;
import jakarta.xml.bind.JAXBException;
import javax.xml.namespace.QName;
import org.apache.cxf.binding.soap.SoapFault;
import org.apache.cxf.helpers.DOMUtils;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/// Faults as the answer to a call, with the double element that clients read (contract §3, Faults).
public final class SoapFaults {

  private static final String SERVICE = "http://com.vmware.vim.vasa/2.0/xsd";
  private static final String SOAP_11 = "http://schemas.xmlsoap.org/soap/envelope/";
  private static final JAXBContext CONTEXT = context();

  private SoapFaults() {}

  /// Writes the detail: `ns:X` around `ns:X`, both named after the fault. CXF writes it in the SOAP
  /// version of the request.
  public static SoapFault of(FaultTranslation.Answer answer) {
    var soap = new SoapFault(answer.message(), new QName(SOAP_11, "Server"));
    Document document = DOMUtils.getEmptyDocument();
    Element detail = document.createElement("detail");
    Element wrapper = document.createElementNS(SERVICE, "ns:" + answer.fault().name());
    detail.appendChild(wrapper);
    Object value = FaultBeans.of(answer.fault());
    try {
      CONTEXT
          .createMarshaller()
          .marshal(element(new QName(SERVICE, answer.fault().name()), value), wrapper);
    } catch (JAXBException e) {
      throw new IllegalStateException("a fault cannot be written: " + answer.fault(), e);
    }
    soap.setDetail(detail);
    return soap;
  }

  @SuppressWarnings("unchecked")
  private static <T> JAXBElement<T> element(QName name, T value) {
    return new JAXBElement<>(name, (Class<T>) value.getClass(), value);
  }

  private static JAXBContext context() {
    try {
      return JAXBContext.newInstance(ObjectFactory.class);
    } catch (JAXBException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}

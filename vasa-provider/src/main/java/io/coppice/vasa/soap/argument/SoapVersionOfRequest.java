package io.coppice.vasa.soap.argument;

import java.util.Locale;
import java.util.Objects;
import org.apache.cxf.binding.soap.Soap11;
import org.apache.cxf.binding.soap.Soap12;
import org.apache.cxf.binding.soap.SoapMessage;
import org.apache.cxf.binding.soap.SoapVersion;
import org.apache.cxf.binding.soap.interceptor.AbstractSoapInterceptor;
import org.apache.cxf.message.Message;
import org.apache.cxf.phase.Phase;

/// The choice of the SOAP version by the request's Content-Type, until its envelope shows it. So a
/// request that is not even XML is answered in the version of its client (SOAP 1.1 note §6:
/// `text/xml`; SOAP 1.2 part 2 §7.1.4: `application/soap+xml`; MTOM names the same in
/// `start-info`).
public final class SoapVersionOfRequest extends AbstractSoapInterceptor {

  public SoapVersionOfRequest() {
    super(Phase.RECEIVE);
  }

  @Override
  public void handleMessage(SoapMessage message) {
    message.setVersion(of(Objects.toString(message.get(Message.CONTENT_TYPE), "")));
  }

  static SoapVersion of(String contentType) {
    return contentType.toLowerCase(Locale.ROOT).contains("application/soap+xml")
        ? Soap12.getInstance()
        : Soap11.getInstance();
  }
}

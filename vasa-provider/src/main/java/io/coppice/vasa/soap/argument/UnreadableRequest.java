package io.coppice.vasa.soap.argument;

import jakarta.xml.bind.ValidationEvent;
import java.util.Objects;
import java.util.Optional;
import javax.xml.stream.XMLStreamException;
import org.apache.cxf.binding.soap.SoapFault;
import org.apache.cxf.binding.soap.SoapMessage;
import org.apache.cxf.binding.soap.interceptor.AbstractSoapInterceptor;
import org.apache.cxf.message.Message;
import org.apache.cxf.phase.Phase;
import org.apache.cxf.phase.PhaseInterceptorChain;
import org.jspecify.annotations.Nullable;

/// The answer to a request that could not be read, in one sentence: it is no XML, exceeds a limit,
/// or has a value of another type than its element.
public final class UnreadableRequest extends AbstractSoapInterceptor {

  public UnreadableRequest() {
    super(Phase.PREPARE_SEND);
  }

  @Override
  public void handleMessage(SoapMessage message) {
    Exception failure = message.getContent(Exception.class);
    if (failure == null) {
      return;
    }
    sentence(failure)
        .or(() -> lacksBody(message))
        .ifPresent(
            text ->
                message.setContent(
                    Exception.class,
                    new SoapFault(text, failure, message.getVersion().getSender())));
  }

  /// Lets JAXB read on in any case. [ArgumentCheck] has seen each element that JAXB does not know,
  /// and learns here of a value that does not fit its type.
  public static boolean passes(ValidationEvent event) {
    Throwable why = event.getLinkedException();
    if (why == null) {
      return true;
    }
    Message message = PhaseInterceptorChain.getCurrentMessage();
    ArgumentCheck check = message == null ? null : message.getExchange().get(ArgumentCheck.class);
    if (check == null) {
      return false;
    }
    check.unreadable(why);
    return true;
  }

  /// The reason if there is no operation to read: CXF fails inside in that case.
  private static Optional<String> lacksBody(SoapMessage message) {
    return Optional.ofNullable(message.getExchange().get(ArgumentCheck.class))
        .filter(ArgumentCheck::lacksBody)
        .map(_ -> "expected an envelope with a Body, got one without");
  }

  private static Optional<String> sentence(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      switch (cause) {
        case XMLStreamException e -> {
          return Optional.of(sentence(e));
        }
        case NumberFormatException e -> {
          return Optional.of("expected a number in the request: " + firstLine(e.getMessage()));
        }
        default -> {}
      }
    }
    return Optional.empty();
  }

  private static String sentence(XMLStreamException e) {
    Throwable nested = e.getNestedException();
    if (nested != null && String.valueOf(nested.getMessage()).startsWith("expected ")) {
      return firstLine(nested.getMessage());
    }
    String reason = firstLine(e.getMessage());
    if (reason.startsWith("expected ")) {
      return reason;
    }
    String where =
        e.getLocation() == null
            ? ""
            : " in line %d, column %d"
                .formatted(e.getLocation().getLineNumber(), e.getLocation().getColumnNumber());
    return "expected a SOAP message, got a body that cannot be read%s: %s".formatted(where, reason);
  }

  private static String firstLine(@Nullable String message) {
    return Objects.requireNonNullElse(message, "").lines().findFirst().orElse("").strip();
  }
}

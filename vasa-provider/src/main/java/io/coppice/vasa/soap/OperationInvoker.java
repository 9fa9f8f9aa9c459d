package io.coppice.vasa.soap;

import io.coppice.vasa.certificate.ClientChain;
import io.coppice.vasa.fault.FaultTranslation;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.gate.WorkGate;
import io.coppice.vasa.session.RefusedClients;
import io.coppice.vasa.session.VasaCaller;
import io.coppice.vasa.session.VasaSessions;
import io.coppice.vasa.soap.argument.ArgumentCheck;
import io.coppice.vasa.soap.audit.CallAudit;
import io.coppice.vasa.soap.fault.SoapFaults;
import io.coppice.wsdl.data.VasaProviderInfo;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.cxf.jaxws.JAXWSMethodInvoker;
import org.apache.cxf.message.Exchange;
import org.apache.cxf.service.model.BindingOperationInfo;
import org.apache.cxf.service.model.FaultInfo;
import org.apache.cxf.transport.http.AbstractHTTPDestination;

/// The frame around every operation. It checks that the control plane is up, finds the caller,
/// checks what the caller may do, and turns failures into answers.
public final class OperationInvoker extends JAXWSMethodInvoker {

  static final String COOKIE = "VASASESSIONID";

  /// Operations without a session: they open one, or come before one can exist.
  private static final Set<String> OPEN =
      Set.of(
          "setContext",
          "registerVASACertificate",
          "registerCACertificatesAndCRLs",
          "unregisterVASACertificate",
          "requestCSR",
          "registerCASignedProviderCertificate");

  private final List<Object> endpoints;
  private final VasaSessions sessions;
  private final RefusedClients refused;
  private final Supplier<WorkGate.Pass> entry;
  private final OpenCalls open;
  private final CallMeter meter;
  private final CallAudit audit;

  /// The permits of calls without a session. Calls of sessions have limits of their own, so that
  /// strangers do not take their places.
  ///
  /// @param most at a time
  public record OpenCalls(int most, Semaphore permits) {
    public OpenCalls(int most) {
      this(most, new Semaphore(most));
    }
  }

  /// @param endpoints objects that do the operations, each those that it declares
  /// @param entry lets a call in, or throws a VasaException while the control plane cannot answer
  /// @param audit gets each call that may change something
  public OperationInvoker(
      List<Object> endpoints,
      VasaSessions sessions,
      RefusedClients refused,
      Supplier<WorkGate.Pass> entry,
      OpenCalls open,
      CallMeter meter,
      CallAudit audit) {
    super(endpoints.getFirst());
    this.endpoints = List.copyOf(endpoints);
    this.sessions = sessions;
    this.refused = refused;
    this.entry = entry;
    this.open = open;
    this.meter = meter;
    this.audit = audit;
  }

  @Override
  protected Object performInvocation(
      Exchange exchange, Object serviceObject, Method method, Object[] parameters) {
    BindingOperationInfo operation = exchange.getBindingOperationInfo();
    String name = operation.getName().getLocalPart();
    VasaCaller caller = caller(exchange);
    Object endpoint = endpointOf(method);
    CallAudit.Call audited = audit.begin(name, caller, method, parameters);
    try (CallMeter.Call metered = meter.begin(name)) {
      try (var _ = entry.get()) {
        Object result =
            audited.done(audited.run(() -> admitted(exchange, endpoint, method, parameters)));
        metered.succeeded();
        return result;
      } catch (Exception | Error e) {
        Throwable cause =
            e instanceof InvocationTargetException
                ? Objects.requireNonNullElse(e.getCause(), e)
                : e;
        if (OPEN.contains(name) && cause instanceof VasaException known && known.refusesCaller()) {
          refused.refused(caller, String.valueOf(known.getMessage()));
        }
        FaultTranslation.Answer answer =
            audited.failed(FaultTranslation.answer(cause, name, listed(operation)));
        metered.failed(answer.fault(), cause);
        throw SoapFaults.of(answer);
      }
    }
  }

  private Object admitted(Exchange exchange, Object endpoint, Method method, Object[] parameters)
      throws Exception {
    VasaCaller caller = caller(exchange);
    if (OPEN.contains(exchange.getBindingOperationInfo().getName().getLocalPart())) {
      return caller.call(
          () -> sessions.actorOf(caller).call(() -> open(exchange, endpoint, method, parameters)));
    }
    return caller.call(
        () ->
            sessions.call(
                caller,
                () -> {
                  requireUnderstood(exchange);
                  return method.invoke(endpoint, parameters);
                }));
  }

  private Object endpointOf(Method method) {
    return endpoints.stream()
        .filter(method.getDeclaringClass()::isInstance)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no endpoint does " + method));
  }

  private Object open(Exchange exchange, Object endpoint, Method method, Object[] parameters)
      throws ReflectiveOperationException {
    if (!open.permits().tryAcquire()) {
      throw VasaException.busy(
          "%d calls without a session run already, which is the limit".formatted(open.most()));
    }
    Object result;
    try {
      requireUnderstood(exchange);
      result = method.invoke(endpoint, parameters);
    } finally {
      open.permits().release();
    }
    if (method.getName().equals("setContext")) {
      var cookie = new Cookie(COOKIE, sessionId(result));
      cookie.setSecure(true);
      cookie.setHttpOnly(true);
      cookie.setPath("/");
      response(exchange).addCookie(cookie);
      refused.admitted(caller(exchange));
    }
    return result;
  }

  /// Refuses a request that is not understood. Where a session is needed, only sessions learn why.
  private static void requireUnderstood(Exchange exchange) {
    ArgumentCheck check = exchange.get(ArgumentCheck.class);
    if (check != null) {
      check
          .refusal(listed(exchange.getBindingOperationInfo()))
          .ifPresent(
              refusal -> {
                throw refusal;
              });
    }
  }

  private static String sessionId(Object info) {
    return switch (info) {
      case VasaProviderInfo of2 -> of2.getSessionId().getValue();
      case io.coppice.wsdl.v1.data.VasaProviderInfo of1 -> of1.getSessionId().getValue();
      default -> throw new IllegalStateException("setContext answered with " + info);
    };
  }

  private static Set<String> listed(BindingOperationInfo operation) {
    return operation.getOperationInfo().getFaults().stream()
        .map(FaultInfo::getFaultName)
        .map(fault -> fault.getLocalPart())
        .collect(Collectors.toUnmodifiableSet());
  }

  private static VasaCaller caller(Exchange exchange) {
    var request =
        (HttpServletRequest)
            Objects.requireNonNull(
                exchange.getInMessage().get(AbstractHTTPDestination.HTTP_REQUEST));
    var chain = (X509Certificate[]) request.getAttribute("jakarta.servlet.request.X509Certificate");
    return new VasaCaller(
        request.getRemoteAddr(),
        Optional.ofNullable(chain).filter(c -> c.length > 0).map(c -> new ClientChain(List.of(c))),
        cookie(request));
  }

  private static Optional<String> cookie(HttpServletRequest request) {
    return Optional.ofNullable(request.getCookies()).stream()
        .flatMap(Arrays::stream)
        .filter(cookie -> cookie.getName().equals(COOKIE))
        .map(Cookie::getValue)
        .findFirst();
  }

  private static HttpServletResponse response(Exchange exchange) {
    Object response = exchange.getInMessage().get(AbstractHTTPDestination.HTTP_RESPONSE);
    return (HttpServletResponse) Objects.requireNonNull(response);
  }
}

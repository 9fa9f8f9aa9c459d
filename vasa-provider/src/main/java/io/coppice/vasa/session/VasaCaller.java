package io.coppice.vasa.session;

import io.coppice.vasa.certificate.ClientChain;
import io.coppice.vasa.fault.VasaException;
import java.util.Optional;
import java.util.concurrent.Callable;

/// The sender of the running request, as the connection proves it. Nothing here is checked against
/// the registered trust yet.
///
/// @param address the peer's IP address
/// @param chain certificates of its handshake
/// @param sessionId value of its session cookie
public record VasaCaller(String address, Optional<ClientChain> chain, Optional<String> sessionId) {

  private static final ScopedValue<VasaCaller> CURRENT = ScopedValue.newInstance();

  /// The caller of the running request.
  ///
  /// @throws VasaException (InvalidSession) outside of a request
  public static VasaCaller current() {
    return CURRENT.orElseThrow(() -> VasaException.invalidSession("no request is running"));
  }

  /// Runs `work` as a request of this caller.
  public <T> T call(Callable<T> work) throws Exception {
    return ScopedValue.where(CURRENT, this).call(work::call);
  }

  /// A text without the session.
  @Override
  public String toString() {
    return "VasaCaller[" + address + "]";
  }
}

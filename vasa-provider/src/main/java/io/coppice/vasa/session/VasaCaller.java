package io.coppice.vasa.session;

import io.coppice.vasa.certificate.ClientChain;
import io.coppice.vasa.fault.VasaException;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/// The sender of the running request, as the connection proves it. Nothing here is checked against
/// the registered trust yet.
public final class VasaCaller {

  private static final ScopedValue<VasaCaller> CURRENT = ScopedValue.newInstance();

  private final String address;
  private final @Nullable ClientChain chain;
  private final @Nullable String sessionId;

  /// @param address the peer's IP address
  /// @param chain certificates of its handshake
  /// @param sessionId value of its session cookie
  public VasaCaller(String address, Optional<ClientChain> chain, Optional<String> sessionId) {
    this.address = address;
    this.chain = chain.orElse(null);
    this.sessionId = sessionId.orElse(null);
  }

  public String address() {
    return address;
  }

  public Optional<ClientChain> chain() {
    return Optional.ofNullable(chain);
  }

  public Optional<String> sessionId() {
    return Optional.ofNullable(sessionId);
  }

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
}

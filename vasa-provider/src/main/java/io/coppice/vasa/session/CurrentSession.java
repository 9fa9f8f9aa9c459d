package io.coppice.vasa.session;

import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.viewer.Viewer;
import java.util.concurrent.Callable;

/// The session on whose behalf the running code works. It is bound for the extent of one call. Code
/// that moves work to another thread passes what that needs as values.
public final class CurrentSession {

  private static final ScopedValue<VasaSession> CURRENT = ScopedValue.newInstance();

  private CurrentSession() {}

  /// @throws VasaException (InvalidSession) outside of a session
  public static VasaSession get() {
    return CURRENT.orElseThrow(
        () -> VasaException.invalidSession("this call needs a session: call setContext first"));
  }

  /// Runs `work` on behalf of `session`, which sees the offers to its registration.
  public static <T> T call(VasaSession session, Callable<T> work) throws Exception {
    return Viewer.call(
        session.trustSet(),
        () ->
            session
                .peer()
                .actor()
                .call(() -> ScopedValue.where(CURRENT, session).call(work::call)));
  }
}

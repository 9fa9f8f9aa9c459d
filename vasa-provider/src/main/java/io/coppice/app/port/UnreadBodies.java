package io.coppice.app.port;

import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import java.io.IOException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.apache.coyote.ActionCode;

/// Knowledge for filters about a request's arrival. A filter can give up the rest of a body:
/// otherwise the server reads it, as slowly as it comes, before it closes a connection. It can also
/// ask when the request began to arrive.
public final class UnreadBodies extends ValveBase {

  private static final String ATTRIBUTE = UnreadBodies.class.getName();
  private static final String BEGAN = ATTRIBUTE + ".began";

  public UnreadBodies() {
    super(true);
  }

  @Override
  public void invoke(Request request, Response response) throws IOException, ServletException {
    Runnable leave =
        () -> request.getCoyoteRequest().action(ActionCode.DISABLE_SWALLOW_INPUT, null);
    request.setAttribute(ATTRIBUTE, leave);
    request.setAttribute(BEGAN, request.getCoyoteRequest().getStartTimeNanos());
    getNext().invoke(request, response);
  }

  /// The time, by [System#nanoTime], at which the first byte of the request came.
  static long began(ServletRequest request) {
    return request.getAttribute(BEGAN) instanceof Long began && began >= 0
        ? began
        : System.nanoTime();
  }

  /// Has the connection closed after the answer, even if more is still to come.
  static void leave(ServletRequest request) {
    if (request.getAttribute(ATTRIBUTE) instanceof Runnable leave) {
      leave.run();
    }
  }
}

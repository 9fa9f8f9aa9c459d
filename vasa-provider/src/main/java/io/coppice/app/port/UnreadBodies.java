package io.coppice.app.port;

import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import java.io.IOException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.apache.coyote.ActionCode;

/// Lets a filter say that the rest of a body is not waited for (without that the server reads it
/// before it closes a connection, as slowly as it comes), and ask when the request began to arrive.
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

  /// When the first byte of the request came, by [System#nanoTime].
  static long began(ServletRequest request) {
    return request.getAttribute(BEGAN) instanceof Long began && began >= 0
        ? began
        : System.nanoTime();
  }

  /// Has the connection closed after the answer, whatever is still to come.
  static void leave(ServletRequest request) {
    if (request.getAttribute(ATTRIBUTE) instanceof Runnable leave) {
      leave.run();
    }
  }
}

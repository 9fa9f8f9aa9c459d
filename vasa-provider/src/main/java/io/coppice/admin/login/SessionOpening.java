package io.coppice.admin.login;

import io.coppice.admin.problem.RequestRejectedException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/// The opening of a browser session for somebody who proved who he is, by a password or by OpenID
/// Connect.
public interface SessionOpening {

  /// Opens a session and sets its cookie in the response, which must not be committed yet. A
  /// session that the request came with is ended. The caller writes the rest of the answer, such as
  /// a redirect.
  ///
  /// @throws RequestRejectedException (403) if nothing gives the person a role; no session is open
  ///   then
  void open(Identity identity, HttpServletRequest request, HttpServletResponse response);
}

package io.coppice.admin.access;

import jakarta.servlet.http.HttpServletRequest;

/// An operation that needs neither a token nor a session. Every bean of this type opens one.
///
/// @param method of HTTP
/// @param path the whole one, such as `/api/v1/session`, without variables
public record OpenOperation(String method, String path) {

  /// Whether this is the operation of a request.
  public boolean isOf(HttpServletRequest request) {
    return request.getMethod().equals(method) && request.getServletPath().equals(path);
  }
}

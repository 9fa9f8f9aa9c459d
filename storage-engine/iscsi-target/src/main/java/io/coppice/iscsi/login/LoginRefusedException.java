package io.coppice.iscsi.login;

/// A refusal that ends a login with a status. Never leaves this package.
final class LoginRefusedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final LoginStatus status;

  LoginRefusedException(LoginStatus status, String message) {
    // A refusal is an answer to a peer, not a fault of ours: it needs no stack trace.
    super(message, null, false, false);
    this.status = status;
  }

  LoginStatus status() {
    return status;
  }
}

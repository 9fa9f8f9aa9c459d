package io.coppice.iscsi.login;

/// A refusal that ends a login with a status. Never leaves this package.
final class LoginRefusedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final LoginRefusal refusal;

  LoginRefusedException(LoginRefusal refusal, String message) {
    // A refusal is an answer to a peer, not a fault of ours: it needs no stack trace.
    super(message, null, false, false);
    this.refusal = refusal;
  }

  LoginRefusal refusal() {
    return refusal;
  }
}

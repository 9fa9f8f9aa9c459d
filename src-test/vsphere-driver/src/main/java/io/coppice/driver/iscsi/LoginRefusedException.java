package io.coppice.driver.iscsi;

/// The target refused a login; `status` is status class and detail, for example 0201h.
public final class LoginRefusedException extends RuntimeException {
  private final int status;

  LoginRefusedException(int status, String where) {
    super("login to %s: expected status 0000h, got %04Xh".formatted(where, status));
    this.status = status;
  }

  /// Status class in the high byte, detail in the low one, RFC 7143 §11.13.5.
  public int status() {
    return status;
  }
}

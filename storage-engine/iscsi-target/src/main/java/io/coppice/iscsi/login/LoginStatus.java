package io.coppice.iscsi.login;

/// The status class and detail of a login response (RFC 7143 §11.13.5).
public enum LoginStatus {
  SUCCESS(0x0000),
  TARGET_MOVED_TEMPORARILY(0x0101),
  INITIATOR_ERROR(0x0200),
  AUTHENTICATION_FAILURE(0x0201),
  AUTHORIZATION_FAILURE(0x0202),
  NOT_FOUND(0x0203),
  UNSUPPORTED_VERSION(0x0205),
  TOO_MANY_CONNECTIONS(0x0206),
  MISSING_PARAMETER(0x0207),
  SESSION_TYPE_NOT_SUPPORTED(0x0209),
  SESSION_DOES_NOT_EXIST(0x020a),
  INVALID_REQUEST(0x020b),
  TARGET_ERROR(0x0300),
  SERVICE_UNAVAILABLE(0x0301),
  OUT_OF_RESOURCES(0x0302);

  private final int code;

  LoginStatus(int code) {
    this.code = code;
  }

  /// Class in the high byte, detail in the low one.
  public int code() {
    return code;
  }
}

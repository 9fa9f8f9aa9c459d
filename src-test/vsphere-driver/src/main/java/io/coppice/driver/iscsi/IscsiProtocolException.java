package io.coppice.driver.iscsi;

/// The target broke the protocol; the message states what was expected and what came.
final class IscsiProtocolException extends RuntimeException {
  IscsiProtocolException(String message) {
    super(message);
  }
}

package io.coppice.vasa.policy;

/// The status of compliance with a profile (VASA 2.0 ComplianceStatusEnum).
public enum ComplianceStatus {
  COMPLIANT("compliant"),
  NON_COMPLIANT("nonCompliant"),
  UNKNOWN("unknown");

  private final String text;

  ComplianceStatus(String text) {
    this.text = text;
  }

  /// The value on the wire.
  public String text() {
    return text;
  }
}

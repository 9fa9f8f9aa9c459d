package io.coppice.driver.soap;

/// One call as its client saw it. `nanos` runs from the first byte of the request to the last one
/// of the reply; `outcome` is `ok`, the name of a fault or `unreachable`.
public record CallRecord(String caller, String operation, long nanos, String outcome) {
  public static final String OK = "ok";
  public static final String UNREACHABLE = "unreachable";
}

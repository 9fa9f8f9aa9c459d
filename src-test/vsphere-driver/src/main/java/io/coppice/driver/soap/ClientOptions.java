package io.coppice.driver.soap;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The habits of a client.
///
/// | Component | Meaning |
/// |---|---|
/// | `soap12` | SOAP 1.2 instead of 1.1 |
/// | `mtom` | package requests as MTOM does |
/// | `absentAsNil` | write absent nillable values as `xsi:nil="true"`, as some SOAP stacks do |
/// | `schemas` | check every request and reply, null for no check |
/// | `timeout` | how long a call may take |
public record ClientOptions(
    boolean soap12,
    boolean mtom,
    boolean absentAsNil,
    @Nullable SchemaCheck schemas,
    Duration timeout) {
  /// SOAP 1.1, no packaging, 60 s, checked if the schemas are on the class path.
  public static ClientOptions defaults() {
    return new ClientOptions(
        false, false, false, SchemaCheck.ofClassPath().orElse(null), Duration.ofSeconds(60));
  }

  public ClientOptions withSoap12(boolean value) {
    return new ClientOptions(value, mtom, absentAsNil, schemas, timeout);
  }

  public ClientOptions withMtom(boolean value) {
    return new ClientOptions(soap12, value, absentAsNil, schemas, timeout);
  }

  public ClientOptions withAbsentAsNil(boolean value) {
    return new ClientOptions(soap12, mtom, value, schemas, timeout);
  }

  public ClientOptions withSchemas(@Nullable SchemaCheck value) {
    return new ClientOptions(soap12, mtom, absentAsNil, value, timeout);
  }
}

package io.coppice.api.system;

import java.time.Instant;
import java.util.List;

/// A certificate of this provider.
///
/// @param name `vasa` and `management` are those of the two ports, `root` is our root
/// @param names host names and addresses that it is for
/// @param sha256 of its DER form, as people compare it: upper-case hex with colons
/// @param own whether Coppice made it, and makes the next one before it ends
public record CertificateInfo(
    String name,
    String subject,
    String issuer,
    List<String> names,
    Instant notBefore,
    Instant notAfter,
    String sha256,
    boolean own) {

  public CertificateInfo {
    names = List.copyOf(names);
  }
}

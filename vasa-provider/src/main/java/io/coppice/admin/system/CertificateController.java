package io.coppice.admin.system;

import io.coppice.admin.IdentityFacts;
import io.coppice.api.system.CertificateList;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/// The certificates of this provider. Needs no database.
@RestController
final class CertificateController {

  private final IdentityFacts identity;

  CertificateController(IdentityFacts identity) {
    this.identity = identity;
  }

  @GetMapping("/certificates")
  CertificateList certificates() {
    return new CertificateList(identity.certificates());
  }
}

package io.coppice.admin;

import io.coppice.api.host.RegistrationForm;
import io.coppice.api.system.CertificateInfo;
import java.util.List;

/// The identity of this process as vCenters and browsers see it. No secret is part of it.
public interface IdentityFacts {

  /// The certificates of both ports, and our root.
  List<CertificateInfo> certificates();

  /// The fields that a person fills in to add this provider in vCenter.
  RegistrationForm form();
}

package io.coppice.api.system;

import java.util.List;

/// The certificates of this provider.
public record CertificateList(List<CertificateInfo> items) {

  public CertificateList {
    items = List.copyOf(items);
  }
}

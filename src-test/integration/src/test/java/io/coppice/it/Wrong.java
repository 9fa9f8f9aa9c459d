package io.coppice.it;

import io.coppice.driver.pki.Identity;
import io.coppice.driver.soap.CallLog;
import io.coppice.driver.soap.ClientOptions;
import io.coppice.driver.soap.VasaClient;
import java.util.UUID;

/// What names nothing that the provider has, and callers that it does not know.
final class Wrong {

  private Wrong() {}

  static String uuid() {
    return UUID.randomUUID().toString();
  }

  /// A well-formed id of no virtual volume.
  static String volumeId() {
    return "rfc4122." + uuid();
  }

  /// A client of the site's provider with a certificate of its own and no session.
  static VasaClient client(RegisteredSite site, Identity identity) {
    return new VasaClient(
        site.vcenter().service(),
        "other",
        site.vcenter().trust().context(identity),
        ClientOptions.defaults(),
        new CallLog());
  }
}

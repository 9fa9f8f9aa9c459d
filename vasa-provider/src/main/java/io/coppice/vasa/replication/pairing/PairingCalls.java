package io.coppice.vasa.replication.pairing;

import io.coppice.vasa.fault.VasaException;
import java.security.cert.X509Certificate;

/// The way to the other provider for the one call of a pairing.
public interface PairingCalls {

  /// An answer, and the certificate of the server that gave it. Nothing vouches for that
  /// certificate: the proofs do.
  record Answered(PairingMessages.Answer answer, X509Certificate server) {}

  /// The request, once the certificate of the server is known.
  interface Asking {
    PairingMessages.Request by(X509Certificate server);
  }

  /// Calls the provider at an address.
  ///
  /// @param address host and port of its REST API
  /// @throws VasaException (InvalidArgument) if it is not reached; as it refused otherwise
  Answered call(String address, Asking asking);
}

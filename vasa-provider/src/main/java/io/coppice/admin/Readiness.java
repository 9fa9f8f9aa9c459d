package io.coppice.admin;

import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.gate.WorkGate;
import java.util.Optional;

/// The readiness of the control plane. It answers once the database's schema is current and
/// recovery has settled what a crash left.
public interface Readiness {

  /// The reason why it does not answer, as a clause; empty if it answers.
  Optional<String> obstacle();

  /// @throws VasaException (VasaProviderBusy or StorageFault) unless it may
  void requireReady();

  /// Lets a request in that may change something; recovery waits until its pass is closed.
  ///
  /// @throws VasaException as [#requireReady]
  WorkGate.Pass enter();
}

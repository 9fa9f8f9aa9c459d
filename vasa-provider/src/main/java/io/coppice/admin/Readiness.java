package io.coppice.admin;

import io.coppice.vasa.fault.VasaException;

/// Whether the control plane answers yet: not before the database's schema is current and recovery
/// has settled what a crash left.
@FunctionalInterface
public interface Readiness {

  /// @throws VasaException (VasaProviderBusy or StorageFault) unless it may
  void requireReady();
}

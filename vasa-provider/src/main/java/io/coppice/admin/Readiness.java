package io.coppice.admin;

import io.coppice.vasa.fault.VasaException;

/// Whether the control plane may change anything yet: not before recovery has settled what a crash
/// left.
@FunctionalInterface
public interface Readiness {

  /// @throws VasaException (VasaProviderBusy or StorageFault) unless it may
  void requireReady();
}

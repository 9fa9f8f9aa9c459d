package io.coppice.driver.soap;

import org.jspecify.annotations.Nullable;

/// The answer for one vVol of a bind: a handle or a fault, never both. Sizes are in MB.
public record BindResult(
    String vvolId,
    @Nullable VvolHandle handle,
    @Nullable VvolInfo info,
    long logicalSizeMb,
    @Nullable VasaFault fault) {
  static BindResult of(Xml x) {
    Xml handle = x.find("vvol:vvolHandle");
    Xml info = x.find("vvol:vvolInfo");
    Xml fault = x.find("vvol:fault");
    if ((handle == null) == (fault == null)) {
      throw new IllegalStateException(
          "expected a handle or a fault in a bind result, got %s"
              .formatted(handle == null ? "neither" : "both"));
    }
    return new BindResult(
        x.required("vvol:vvolId"),
        handle == null ? null : VvolHandle.of(handle),
        info == null ? null : VvolInfo.of(info),
        x.number("vvol:vvolLogicalSize", -1),
        fault == null ? null : VasaFault.ofItem("bindVirtualVolume", fault));
  }

  /// The handle.
  ///
  /// @throws VasaFault if there is none
  public VvolHandle requireHandle() {
    if (fault != null) {
      throw fault;
    }
    if (handle == null) {
      throw new IllegalStateException("expected a handle, got none");
    }
    return handle;
  }
}

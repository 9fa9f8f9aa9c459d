package io.coppice.driver.soap;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Bind and unbind, contract 5.7.
public final class BindingCalls {
  /// The context of an ordinary bind or unbind.
  public static final String NORMAL = "Normal";

  /// The context of a bind that answers a rebind event.
  public static final String REBIND_START = "RebindStart";

  /// The context of an unbind of the place that a vVol moved from.
  public static final String REBIND_END = "RebindEnd";

  private final Exchange exchange;

  BindingCalls(Exchange exchange) {
    this.exchange = exchange;
  }

  /// Binds in the order of `vvolIds`; checks that the answers come in this order.
  public List<BindResult> bindVirtualVolume(List<String> vvolIds, String context) {
    List<BindResult> results =
        exchange.all(
            "bindVirtualVolume",
            BindResult::of,
            x ->
                x.each("ns:vvolId", vvolIds)
                    .text("ns:bindContext", context)
                    .absent("ns:containerCookie"));
    List<String> came = results.stream().map(BindResult::vvolId).toList();
    if (!came.equals(vvolIds)) {
      throw new IllegalStateException(
          "bindVirtualVolume: expected answers for %s, got %s".formatted(vvolIds, came));
    }
    return results;
  }

  public List<BatchStatus> unbindVirtualVolume(List<VvolHandle> handles, String context) {
    return exchange.batch(
        "unbindVirtualVolume",
        x -> {
          handles.forEach(handle -> x.element("ns:vvolHandle", handle::write));
          x.text("ns:unbindContext", context);
        });
  }

  public List<BatchStatus> unbindVirtualVolumeFromAllHost(List<String> vvolIds) {
    return exchange.batch("unbindVirtualVolumeFromAllHost", x -> x.each("ns:vvolId", vvolIds));
  }

  /// Ends all bindings of a host; null for the session's own.
  public void unbindAllVirtualVolumesFromHost(@Nullable String hostUuid) {
    exchange.send("unbindAllVirtualVolumesFromHost", x -> x.optional("ns:hostUuid", hostUuid));
  }

  public TaskInfo prepareForBindingChange(List<String> vvolIds, String destinationHost) {
    return exchange.one(
        "prepareForBindingChange",
        TaskInfo::of,
        x -> x.each("ns:vvolId", vvolIds).text("ns:destHostId", destinationHost));
  }

  public List<BatchStatus> bindingChangeComplete(List<String> vvolIds) {
    return exchange.batch("bindingChangeComplete", x -> x.each("ns:vvolId", vvolIds));
  }

  public List<BatchStatus> cancelBindingChange(List<String> vvolIds) {
    return exchange.batch("cancelBindingChange", x -> x.each("ns:vvolId", vvolIds));
  }
}

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
        exchange
            .ask(
                "bindVirtualVolume",
                x ->
                    x.each("ns:vvolId", vvolIds)
                        .text("ns:bindContext", context)
                        .absent("ns:containerCookie"))
            .all("ns:return")
            .stream()
            .map(BindResult::of)
            .toList();
    List<String> came = results.stream().map(BindResult::vvolId).toList();
    if (!came.equals(vvolIds)) {
      throw new IllegalStateException(
          "bindVirtualVolume: expected answers for %s, got %s".formatted(vvolIds, came));
    }
    return results;
  }

  public List<BatchStatus> unbindVirtualVolume(List<VvolHandle> handles, String context) {
    Xml reply =
        exchange.ask(
            "unbindVirtualVolume",
            x -> {
              handles.forEach(handle -> x.element("ns:vvolHandle", handle::write));
              x.text("ns:unbindContext", context);
            });
    return BatchStatus.listOf("unbindVirtualVolume", reply);
  }

  public List<BatchStatus> unbindVirtualVolumeFromAllHost(List<String> vvolIds) {
    return batch("unbindVirtualVolumeFromAllHost", vvolIds);
  }

  /// Ends all bindings of a host; null for the session's own.
  public void unbindAllVirtualVolumesFromHost(@Nullable String hostUuid) {
    exchange.tell("unbindAllVirtualVolumesFromHost", x -> x.optional("ns:hostUuid", hostUuid));
  }

  public TaskInfo prepareForBindingChange(List<String> vvolIds, String destinationHost) {
    Xml reply =
        exchange.ask(
            "prepareForBindingChange",
            x -> x.each("ns:vvolId", vvolIds).text("ns:destHostId", destinationHost));
    return TaskInfo.of(reply.one("ns:return"));
  }

  public List<BatchStatus> bindingChangeComplete(List<String> vvolIds) {
    return batch("bindingChangeComplete", vvolIds);
  }

  public List<BatchStatus> cancelBindingChange(List<String> vvolIds) {
    return batch("cancelBindingChange", vvolIds);
  }

  private List<BatchStatus> batch(String operation, List<String> vvolIds) {
    return BatchStatus.listOf(
        operation, exchange.ask(operation, x -> x.each("ns:vvolId", vvolIds)));
  }
}

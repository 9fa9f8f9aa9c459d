package io.coppice.scsi.unit;

import io.coppice.scsi.directory.Binding;
import io.coppice.scsi.directory.pool.DirectoryState;
import io.coppice.scsi.transport.SecondaryIdForm;
import io.coppice.scsi.transport.TargetPort;
import io.coppice.scsi.transport.UnitAddress;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;

/// The resolver of LUNs: which logical unit one names for an initiator at one target, and which
/// LUNs it sees there.
public final class LunResolver {

  private final TargetPort port;
  private final DirectoryState state;
  private final Units units;
  private final SecondaryIdForm form;
  private final WellKnownUnit reportLuns;
  private final ConcurrentHashMap<Integer, EndpointUnit> endpoints = new ConcurrentHashMap<>();

  public LunResolver(
      TargetPort port,
      DirectoryState state,
      Units units,
      SecondaryIdForm form,
      WellKnownUnit reportLuns) {
    this.port = port;
    this.state = state;
    this.units = units;
    this.form = form;
    this.reportLuns = reportLuns;
  }

  /// Whether the initiator sees any logical unit with a medium or endpoint here.
  public boolean admits(String initiator) {
    return port.conglomerate() ? state.hostOf(initiator).isPresent() : state.exportsTo(initiator);
  }

  public Optional<String> outOfService() {
    return units.outOfService();
  }

  public Optional<LogicalUnit> resolve(String initiator, UnitAddress address) {
    return switch (address) {
      case UnitAddress.WellKnown known ->
          known.equals(UnitAddress.REPORT_LUNS) ? Optional.of(reportLuns) : Optional.empty();
      case UnitAddress.Single(long number) ->
          number > Integer.MAX_VALUE ? Optional.empty() : single(initiator, (int) number);
      case UnitAddress.Subsidiary subsidiary -> subsidiary(initiator, subsidiary);
      case UnitAddress.Unknown _ -> Optional.empty();
    };
  }

  private Optional<LogicalUnit> single(String initiator, int number) {
    if (!port.conglomerate()) {
      return state.exportAt(number, initiator).flatMap(e -> units.of(e.volume()));
    }
    return state.hostOf(initiator).flatMap(_ -> endpoint(number));
  }

  /// The unit of an endpoint, for any initiator.
  public Optional<LogicalUnit> endpoint(int lun) {
    return state.endpointAt(lun).map(e -> endpoints.computeIfAbsent(lun, _ -> new EndpointUnit(e)));
  }

  /// Forgets the unit of an endpoint that is gone.
  public Optional<LogicalUnit> removeEndpoint(int lun) {
    return Optional.ofNullable(endpoints.remove(lun));
  }

  private Optional<LogicalUnit> subsidiary(String initiator, UnitAddress.Subsidiary address) {
    if (!port.conglomerate() || Math.max(address.administrative(), address.number()) >>> 31 != 0) {
      return Optional.empty();
    }
    return state
        .hostOf(initiator)
        .flatMap(
            host -> state.bindingAt(host, (int) address.administrative(), (int) address.number()))
        .flatMap(b -> units.of(b.volume()));
  }

  /// Whether the address is that of a subsidiary unit that only lacks a binding of this initiator.
  public boolean lacksBinding(String initiator, UnitAddress address) {
    return address instanceof UnitAddress.Subsidiary(long administrative, long _)
        && port.conglomerate()
        && administrative <= 255
        && state.endpointAt((int) administrative).isPresent()
        && state.hostOf(initiator).isPresent();
  }

  /// The LUNs that REPORT LUNS lists.
  ///
  /// @param select SELECT REPORT
  /// @param address the address that got the command
  /// @return empty if the selection is not for that address, or unknown
  public Optional<long[]> inventory(String initiator, int select, UnitAddress address) {
    boolean general =
        address.equals(new UnitAddress.Single(0)) || address.equals(UnitAddress.REPORT_LUNS);
    return switch (select) {
      case 0x00 -> Optional.of(units(initiator).toArray());
      case 0x01 -> Optional.of(new long[] {UnitAddress.REPORT_LUNS_LUN});
      case 0x02 ->
          Optional.of(
              LongStream.concat(units(initiator), LongStream.of(UnitAddress.REPORT_LUNS_LUN))
                  .toArray());
      case 0x10 ->
          general
              ? Optional.of(port.conglomerate() ? units(initiator).toArray() : new long[0])
              : Optional.empty();
      case 0x11 -> general ? Optional.of(units(initiator).toArray()) : Optional.empty();
      case 0x12 -> withSubsidiaries(initiator, address);
      default -> Optional.empty();
    };
  }

  /// First-level units: endpoints, or plain units.
  private LongStream units(String initiator) {
    if (port.conglomerate()) {
      return state.hostOf(initiator).isEmpty()
          ? LongStream.empty()
          : state.endpoints().stream().mapToLong(e -> UnitAddress.plain(e.lun()));
    }
    return state.exports().stream()
        .filter(e -> e.initiators().contains(initiator))
        .mapToLong(e -> UnitAddress.plain(e.lun()));
  }

  private Optional<long[]> withSubsidiaries(String initiator, UnitAddress address) {
    if (!(address instanceof UnitAddress.Single(long lun))
        || resolve(initiator, address).isEmpty()
        || !port.conglomerate()) {
      return Optional.empty();
    }
    LongStream bound =
        state.hostOf(initiator).stream()
            .<Binding>flatMap(host -> state.placesOf(host).stream())
            .filter(b -> b.endpoint().lun() == lun)
            .mapToLong(b -> UnitAddress.subsidiary((int) lun, b.subsidiary(), form))
            .sorted();
    return Optional.of(LongStream.concat(LongStream.of(lun << 48), bound).toArray());
  }
}

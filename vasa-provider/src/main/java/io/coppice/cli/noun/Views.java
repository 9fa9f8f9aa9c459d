package io.coppice.cli.noun;

import io.coppice.api.iscsi.PlainUnit;
import io.coppice.api.policy.VmLimits;
import io.coppice.api.policy.VvolLimits;
import io.coppice.api.volume.Diagnosis;
import io.coppice.api.volume.Snapshot;
import io.coppice.api.volume.Space;
import io.coppice.api.volume.Vvol;
import io.coppice.api.watch.SnapshotBefore;
import io.coppice.api.watch.WriteWatch;
import io.coppice.cli.output.Column;
import io.coppice.cli.output.SafeText;
import io.coppice.cli.verb.ClientSession;
import io.coppice.cli.verb.Flag;
import io.coppice.cli.verb.Inputs;
import io.coppice.cli.verb.View;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Views that several nouns share.
final class Views {

  static final View<Diagnosis> DIAGNOSES =
      View.of(
          Diagnosis.class,
          Diagnosis::cause,
          Column.of("CAUSE", Diagnosis::cause),
          Column.of("SENTENCE", Diagnosis::sentence));

  static final View<WriteWatch> WATCHES =
      View.of(
          WriteWatch.class,
          WriteWatch::state,
          Column.of("STATE", WriteWatch::state),
          Column.of("SINCE", WriteWatch::since),
          Column.number("ENTROPY", WriteWatch::entropy),
          Column.number("USUAL ENTROPY", WriteWatch::usualEntropy),
          Column.size("REPLACING A SECOND", WriteWatch::replacing),
          Column.size("USUAL REPLACING", WriteWatch::usualReplacing),
          Column.number("SAMPLES", WriteWatch::samples),
          Column.of("LAST POINT BEFORE", Views::before),
          Column.of("LOCKED POINTS", WriteWatch::lockedPoints));

  private static @Nullable String before(WriteWatch watch) {
    SnapshotBefore last = watch.lastPointBefore();
    return last == null
        ? null
        : "%s %s of %s"
            .formatted(
                last.point() == null ? "snapshot" : "recovery point",
                last.point() == null ? last.snapshot() : last.point(),
                last.created());
  }

  static final View<Vvol> VOLUMES =
      View.of(
          Vvol.class,
          Vvol::id,
          Column.of("NAME", Vvol::name),
          Column.size("SIZE", Vvol::size),
          Column.size("MAPPED", Vvol::mapped),
          Column.of("EXPORTED", Vvol::exported),
          Column.of("ID", Vvol::id),
          Column.<Vvol>size("UNIQUE", Vvol::unique).onlyWide(),
          Column.<Vvol>of("CONTAINER", Vvol::container).onlyWide(),
          Column.<Vvol>of("POLICY", one -> one.policy() == null ? null : one.policy().id())
              .onlyWide(),
          Column.<Vvol>of("NAA", Vvol::naa).onlyWide(),
          Column.<Vvol>of("LABELS", one -> labels(one.labels())).onlyWide(),
          Column.<Vvol>of("CREATED", Vvol::created).onlyWide());

  static final View<Vvol> VVOLS =
      View.of(
          Vvol.class,
          Vvol::id,
          Column.of("NAME", Vvol::name),
          Column.of("TYPE", Vvol::type),
          Column.size("SIZE", Vvol::size),
          Column.size("MAPPED", Vvol::mapped),
          Column.of("BOUND", Vvol::bound),
          Column.of("VM", Vvol::vm),
          Column.of("ID", Vvol::id),
          Column.<Vvol>size("UNIQUE", Vvol::unique).onlyWide(),
          Column.<Vvol>of(
                  "COMPLIANCE", one -> one.compliance() == null ? null : one.compliance().status())
              .onlyWide(),
          Column.<Vvol>of("CONTAINER", Vvol::container).onlyWide(),
          Column.<Vvol>of("NAA", Vvol::naa).onlyWide(),
          Column.<Vvol>of("CREATED", Vvol::created).onlyWide());

  static final View<Snapshot> SNAPSHOTS =
      View.of(
          Snapshot.class,
          Snapshot::id,
          Column.of("NAME", Snapshot::name),
          Column.of("KIND", Snapshot::kind),
          Column.size("SIZE", Snapshot::size),
          Column.size("UNIQUE", Snapshot::unique),
          Column.of("CREATED", Snapshot::created),
          Column.of("LOCKED UNTIL", Snapshot::lockedUntil),
          Column.of("ID", Snapshot::id),
          Column.<Snapshot>of("BY", Snapshot::by).onlyWide(),
          Column.<Snapshot>of("VVOL", Snapshot::vvol).onlyWide(),
          Column.<Snapshot>of("VM", Snapshot::vm).onlyWide(),
          Column.<Snapshot>of("GROUP", Snapshot::group).onlyWide(),
          Column.<Snapshot>of("LABELS", one -> labels(one.labels())).onlyWide(),
          Column.<Snapshot>size("MAPPED", Snapshot::mapped).onlyWide());

  static final View<PlainUnit> EXPORTS =
      View.of(
          PlainUnit.class,
          PlainUnit::vvol,
          Column.of("NAME", PlainUnit::name),
          Column.of("VOLUME", PlainUnit::vvol),
          Column.number("LUN", PlainUnit::lun),
          Column.of("READ ONLY", PlainUnit::readOnly),
          Column.of("INITIATORS", PlainUnit::initiators),
          Column.of("TARGET", PlainUnit::target),
          Column.<PlainUnit>of("HOSTS", PlainUnit::hosts).onlyWide(),
          Column.<PlainUnit>of("GROUPS", PlainUnit::groups).onlyWide(),
          Column.<PlainUnit>of("PORTALS", PlainUnit::portals).onlyWide(),
          Column.<PlainUnit>of("NAA", PlainUnit::naa).onlyWide());

  /// Documents without ids, whose sheets have every field.
  static final View<Space> SPACE = View.of(Space.class, Space::unique);

  static final Flag MAX_IOPS = Flag.of("--max-iops", "N", "most I/Os a second, or none");
  static final Flag MAX_BANDWIDTH =
      Flag.of("--max-bandwidth", "SIZE", "most bytes a second, such as 100MiB, or none");
  static final Flag WEIGHT = Flag.of("--weight", "N", "share when several wait (100 by default)");
  static final String LIMITS = "sets limits; those that are not given are removed";

  private Views() {}

  /// Labels as texts. A server that is older than labels sends none.
  private static List<String> labels(@Nullable Map<String, String> labels) {
    return labels == null
        ? List.of()
        : labels.entrySet().stream()
            .map(label -> "%s=%s".formatted(label.getKey(), label.getValue()))
            .toList();
  }

  /// Prints lines for shells of a kind of hosts, below a comment that names it.
  static void printLines(String hosts, JsonNode lines, ClientSession session) {
    session.surroundings().out().println("# " + hosts);
    lines.forEach(line -> session.surroundings().out().println(SafeText.of(line.asString())));
  }

  static VvolLimits vvolLimits(Inputs in) {
    return new VvolLimits(
        in.count("--max-iops"), in.rate("--max-bandwidth"), in.number("--weight"));
  }

  static VmLimits vmLimits(Inputs in) {
    return new VmLimits(in.count("--max-iops"), in.rate("--max-bandwidth"));
  }
}

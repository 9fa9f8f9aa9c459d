package io.coppice.engine.check;

import io.coppice.engine.check.finding.CheckReport;
import io.coppice.engine.check.finding.Finding;
import io.coppice.engine.check.finding.FindingLocation;
import io.coppice.engine.check.finding.Findings;
import io.coppice.engine.check.finding.NotCheckable;
import io.coppice.engine.check.finding.Severity;
import io.coppice.engine.check.finding.Structure;
import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.format.Superblock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The check of the two devices of a pool that is not open. Each that holds everything is proved by
/// itself, like a pool on one device, so that either may be lost. Their newest superblocks say
/// whether they belong together, and which of them holds everything.
final class MirrorCheck {

  private static final List<String> NAMES = List.of("first", "second");

  private final List<BlockDevice> devices;
  private final Findings findings = new Findings();
  private final Map<String, Long> counts = new LinkedHashMap<>();

  MirrorCheck(BlockDevice first, BlockDevice second) {
    devices = List.of(first, second);
  }

  /// @throws NotCheckable if they are not the two of one pool, in this order
  CheckReport run(boolean fast) {
    Superblock first = head(0);
    Superblock second = head(1);
    if (first != null && second != null) {
      requireTogether(first, second);
    }
    int whole =
        (first == null ? Superblock.Mirror.BOTH : first.mirror().whole())
            & (second == null ? Superblock.Mirror.BOTH : second.mirror().whole());
    if (whole == 0) {
      throw new NotCheckable(
          "Expected at most one device that went on without the other, found that both did.");
    }
    for (int member = 0; member < 2; member++) {
      Superblock other = member == 0 ? second : first;
      if ((whole >> member & 1) != 0) {
        check(member, fast);
      } else {
        findings.warning(
            Structure.SUPERBLOCK,
            FindingLocation.offset(0),
            "expected two devices that hold everything, found that the %s one does not%s"
                .formatted(NAMES.get(member), since(other)));
      }
    }
    return new CheckReport(
        findings.kept(), findings.of(Severity.DAMAGE), findings.of(Severity.WARNING), counts);
  }

  private static String since(@Nullable Superblock other) {
    return other == null ? "" : " from generation %d on".formatted(other.mirror().behind());
  }

  private @Nullable Superblock head(int member) {
    Findings own = new Findings();
    SuperblockCheck check = new SuperblockCheck(devices.get(member), own);
    Superblock head;
    try {
      head = check.run();
    } catch (NotCheckable e) {
      throw new NotCheckable("On the %s device: %s".formatted(NAMES.get(member), e.getMessage()));
    }
    if (head != null && !head.features().hasMirror()) {
      throw new NotCheckable(
          "Expected a pool that is kept on two devices, found one that is kept on one.");
    }
    if (head != null && check.member() != member) {
      throw new NotCheckable(
          "Expected the %s device of the mirror in its place, found the %s one."
              .formatted(NAMES.get(member), NAMES.get(1 - member)));
    }
    return head;
  }

  private static void requireTogether(Superblock first, Superblock second) {
    if (!first.pool().equals(second.pool())
        || !first.mirror().id(0).equals(second.mirror().id(0))
        || !first.mirror().id(1).equals(second.mirror().id(1))) {
      throw new NotCheckable(
          "Expected two devices of pool %s, found one of another mirror of pool %s."
              .formatted(first.pool(), second.pool()));
    }
  }

  private void check(int member, boolean fast) {
    String name = NAMES.get(member);
    CheckReport report = PoolChecker.check(devices.get(member), fast);
    report.findings().forEach(finding -> findings.add(on(name, finding)));
    report.counts().forEach((what, count) -> counts.merge(what, count, Long::sum));
  }

  private static Finding on(String name, Finding finding) {
    return new Finding(
        finding.severity(),
        finding.structure(),
        finding.where(),
        "on the %s device: %s".formatted(name, finding.sentence()));
  }
}

package io.coppice.scsi.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

public class UnitAddressTest {

  @Test
  void everyFormOfALunIsUnderstood() {
    Map<String, UnitAddress> forms =
        Map.ofEntries(
            Map.entry("0000000000000000", new UnitAddress.Single(0)),
            Map.entry("0005000000000000", new UnitAddress.Single(5)),
            Map.entry("4105000000000000", new UnitAddress.Single(0x105)),
            Map.entry("d200000500000000", new UnitAddress.Single(5)),
            Map.entry("e200000000050000", new UnitAddress.Single(5)),
            Map.entry("c101000000000000", new UnitAddress.WellKnown(1)),
            Map.entry("0001000200000000", new UnitAddress.Subsidiary(1, 2)),
            Map.entry("0001400200000000", new UnitAddress.Subsidiary(1, 2)),
            Map.entry("4001400200000000", new UnitAddress.Subsidiary(1, 2)),
            Map.entry("0001d20000020000", new UnitAddress.Subsidiary(1, 2)),
            Map.entry("0001e20000000002", new UnitAddress.Subsidiary(1, 2)),
            Map.entry("0001d2ffffff0000", new UnitAddress.Subsidiary(1, 0xffffff)),
            Map.entry("d2000001d2000002", new UnitAddress.Subsidiary(1, 2)),
            Map.entry("e200000000010002", new UnitAddress.Subsidiary(1, 2)));
    forms.forEach((lun, address) -> assertThat(of(lun)).as(lun).isEqualTo(address));
  }

  @Test
  void whatNoMethodExplainsIsUnknown() {
    for (String lun :
        new String[] {
          "8001000000000000", // logical unit addressing
          "c101000000000001", // something after a well-known unit
          "c201000000000000", // another extended method
          "f200000000000000", // 8-byte extended
          "0001000200030000", // a third level
          "0001d20000020001", // a third level
          "0001800200000000",
          "0001c10100000000"
        }) {
      assertThat(of(lun)).as(lun).isEqualTo(new UnitAddress.Unknown());
    }
  }

  @Test
  void secondaryIdsAreTheSubsidiaryElement() {
    assertThat(SecondaryIdForm.EXTENDED_FLAT.text(0x0a)).isEqualTo("0xd200000a");
    assertThat(SecondaryIdForm.SIMPLE.text(0x0a)).isEqualTo("0x000a");
    assertThat(SecondaryIdForm.LONG_EXTENDED.text(0x0a)).isEqualTo("0xe2000000000a");
    for (SecondaryIdForm form : SecondaryIdForm.values()) {
      long lun = UnitAddress.subsidiary(3, 0x0a, form);
      assertThat("%016x".formatted(lun)).startsWith("0003" + form.text(0x0a).substring(2));
      assertThat(UnitAddress.of(new LogicalUnitNumber(lun)))
          .isEqualTo(new UnitAddress.Subsidiary(3, 0x0a));
    }
  }

  @Test
  void plainLunsAreListedAsInitiatorsAddressThem() {
    assertThat("%016x".formatted(UnitAddress.plain(255))).isEqualTo("00ff000000000000");
    assertThat("%016x".formatted(UnitAddress.plain(256))).isEqualTo("4100000000000000");
  }

  private static UnitAddress of(String lun) {
    return UnitAddress.of(new LogicalUnitNumber(Long.parseUnsignedLong(lun, 16)));
  }
}

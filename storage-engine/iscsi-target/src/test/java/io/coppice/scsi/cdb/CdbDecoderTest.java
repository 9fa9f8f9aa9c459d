package io.coppice.scsi.cdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.scsi.cdb.Cdb.ReserveIn.Report;
import io.coppice.scsi.reservation.ReserveOut.Action;
import io.coppice.scsi.sense.AdditionalSense;
import io.coppice.scsi.sense.SenseData;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

public class CdbDecoderTest {

  /// Command blocks as the standards lay them out, and what they say.
  private static final Map<String, Cdb> COMMANDS =
      Map.ofEntries(
          Map.entry("000000000000", new Cdb.TestUnitReady()),
          Map.entry("03010000fc00", new Cdb.RequestSense(true, 252)),
          Map.entry("081f12340000", new Cdb.Read(0x1f1234, 256)),
          Map.entry("0a0000010100", new Cdb.Write(1, 1)),
          Map.entry("120183010000", new Cdb.Inquiry(true, 0x83, 256)),
          Map.entry("160000000000", new Cdb.Reserve()),
          Map.entry("170000000000", new Cdb.Release()),
          Map.entry("151000001800", new Cdb.ModeSelect(false, true, 24)),
          Map.entry("1b0100000100", new Cdb.StartUnit()),
          Map.entry("55100000000000010000", new Cdb.ModeSelect(true, true, 256)),
          Map.entry("5e030000000000020000", new Cdb.ReserveIn(Report.FULL_STATUS, 512)),
          Map.entry("5f051300000000001800", new Cdb.ReserveOut(Action.PREEMPT_AND_ABORT, 1, 3, 24)),
          Map.entry("8b000000000000000005000000020000", new Cdb.OrWrite(5, 2)),
          Map.entry("9c000000000000000008000000100000", new Cdb.WriteAtomic(8, 16)),
          Map.entry("1a088a01ff00", new Cdb.ModeSense(false, false, true, 2, 0x0a, 1, 255)),
          Map.entry("25000000000000000000", new Cdb.ReadCapacity10()),
          Map.entry("28180102030400ffff00", new Cdb.Read(0x01020304, 0xffff)),
          Map.entry("2a08fffffffe00000100", new Cdb.Write(0xfffffffeL, 1)),
          Map.entry("2e020000000100000200", new Cdb.WriteAndVerify(1, 2, true)),
          Map.entry("2f060000000100000200", new Cdb.Verify(1, 2, 3)),
          Map.entry("34000000000100000200", new Cdb.Prefetch(1, 2)),
          Map.entry("35020000000100000200", new Cdb.SynchronizeCache(1, 2)),
          Map.entry("3b0a0000000000100000", new Cdb.WriteBuffer(4096)),
          Map.entry("3c0a0000000001000000", new Cdb.ReadBuffer(false, 65536)),
          Map.entry("3c0b0000000000000400", new Cdb.ReadBuffer(true, 4)),
          Map.entry("4d004c00000001020000", new Cdb.LogSense(0x0c, 0, 1, 512)),
          Map.entry("41080000000100000200", new Cdb.WriteSame(1, 2, true, false, false)),
          Map.entry("42000000000000001800", new Cdb.Unmap(false, 24)),
          Map.entry("42010000000000001800", new Cdb.Unmap(true, 24)),
          Map.entry("56000000000000000000", new Cdb.Reserve()),
          Map.entry("57000000000000000000", new Cdb.Release()),
          Map.entry("5a103f00000000020000", new Cdb.ModeSense(true, true, false, 0, 0x3f, 0, 512)),
          Map.entry("83000000000000000000000000480000", new Cdb.ExtendedCopy(false, 0x48)),
          Map.entry("83010000000000000000000000480000", new Cdb.ExtendedCopy(true, 0x48)),
          Map.entry("831000000000fffffffe000000200000", new Cdb.PopulateToken(0xfffffffe, 0x20)),
          Map.entry("83110000000012345678000002280000", new Cdb.WriteUsingToken(0x12345678, 0x228)),
          Map.entry("831c1234567800000000000000000000", new Cdb.AbortCopy(0x12345678)),
          Map.entry(
              "84051234567800000000000000200000", new Cdb.ReceiveCopyStatus(true, 0x12345678, 32)),
          Map.entry("84071234567800000000000002280000", new Cdb.ReceiveTokens(0x12345678, 0x228)),
          Map.entry("84080000000000000000000010000000", new Cdb.ReportTokens(0x1000)),
          Map.entry("84010700000000000000000000100000", new Cdb.ReceiveCopyData(7, 16)),
          Map.entry("84040700000000000000000000100000", new Cdb.ReceiveCopyFailure(7, 16)),
          Map.entry("84000700000000000000000000100000", new Cdb.ReceiveCopyStatus(false, 7, 16)),
          Map.entry(
              "84030000000000000000000000ff0000", new Cdb.ReceiveCopyOperatingParameters(255)),
          Map.entry("88000102030405060708000000100000", new Cdb.Read(0x0102030405060708L, 16)),
          Map.entry("89000000000000000005000000020000", new Cdb.CompareAndWrite(5, 2)),
          Map.entry("8a000000000000000005ffffffff0000", new Cdb.Write(5, 0xffffffffL)),
          Map.entry("8e000000000000000005000000020000", new Cdb.WriteAndVerify(5, 2, false)),
          Map.entry("8f020000000000000005000000020000", new Cdb.Verify(5, 2, 1)),
          Map.entry("90000000000000000005000000020000", new Cdb.Prefetch(5, 2)),
          Map.entry("91000000000000000005000000020000", new Cdb.SynchronizeCache(5, 2)),
          Map.entry("93090000000000000005000000020000", new Cdb.WriteSame(5, 2, true, false, true)),
          Map.entry("93190000000000000005000000020000", new Cdb.WriteSame(5, 2, true, true, true)),
          Map.entry("9e100000000000000000000000200000", new Cdb.ReadCapacity16(32)),
          Map.entry("9e120000000000000005000000180000", new Cdb.GetLbaStatus(5, 24)),
          Map.entry("a00012000000000001000000", new Cdb.ReportLuns(0x12, 256)),
          Map.entry("a40a00000000000000080000", new Cdb.SetTargetPortGroups(8)),
          Map.entry("a32a00000000000000ff0000", new Cdb.ReportTargetPortGroups(true, 255)),
          Map.entry(
              "a30c82880003000002000000",
              new Cdb.ReportSupportedOperationCodes(true, 2, 0x88, 3, 512)),
          Map.entry("a30d80000000000000100000", new Cdb.ReportSupportedTaskManagement(true, 16)),
          Map.entry("a80000000001000000020000", new Cdb.Read(1, 2)),
          Map.entry("aa0000000001000000020000", new Cdb.Write(1, 2)),
          Map.entry("ae0000000001000000020000", new Cdb.WriteAndVerify(1, 2, false)),
          Map.entry("af0000000001000000020000", new Cdb.Verify(1, 2, 0)));

  @Test
  void everyCommandIsDecodedFromItsBytes() {
    COMMANDS.forEach(
        (hex, cdb) -> assertThat(CdbDecoder.decode(bytes(hex))).as(hex).isEqualTo(cdb));
  }

  @Test
  void everyOperationOfTheTableIsDecoded() {
    for (OperationCode operation : OperationCode.values()) {
      byte[] block = new byte[operation.cdbLength()];
      block[0] = (byte) operation.opcode();
      if (operation.hasServiceAction()) {
        block[1] = (byte) operation.serviceAction();
      }
      if (operation == OperationCode.START_STOP_UNIT) {
        block[4] = 1;
      }
      if (operation == OperationCode.READ_BUFFER || operation == OperationCode.WRITE_BUFFER) {
        block[1] = 0x0a; // the echo buffer
      }
      assertThat(CdbDecoder.decode(ByteBuffer.wrap(block)))
          .as(operation.name())
          .isNotInstanceOf(Cdb.Refused.class);
    }
  }

  @Test
  void whatIsNotInTheTableIsAnUnknownOperationCode() {
    for (String hex : new String[] {"01", "1e", "48", "7f", "a5", "c0", "ff"}) {
      assertThat(CdbDecoder.decode(bytes(hex + "00".repeat(15))))
          .as(hex)
          .isEqualTo(
              new Cdb.Refused(
                  SenseData.illegalRequest(AdditionalSense.INVALID_COMMAND_OPERATION_CODE)));
    }
  }

  @Test
  void refusedFieldsAreNamed() {
    Map<String, Integer> refused =
        Map.ofEntries(
            Map.entry("3b050000000000100000", 1), // microcode
            Map.entry("3c020000000000100000", 1), // data
            Map.entry("4d014c00000000020000", 1), // SP
            Map.entry("a40b00000000000000080000", 1), // no such service action
            Map.entry("28200000000000000100", 1), // RDPROTECT
            Map.entry("2a200000000000000100", 1), // WRPROTECT
            Map.entry("2f040000000000000100", 1), // BYTCHK 10b
            Map.entry("93100000000000000000000000010000", 1), // ANCHOR without UNMAP
            Map.entry("93020000000000000000000000010000", 1), // LBDATA
            Map.entry("120200000000", 1), // CMDDT
            Map.entry("120080002400", 2), // page code without EVPD
            Map.entry("56100000000000000000", 1), // third party
            Map.entry("151100001800", 1), // SP
            Map.entry("1b0000000000", 4), // stop
            Map.entry("1b0000000200", 4), // eject
            Map.entry("1b0000000300", 4), // load
            Map.entry("1b0000001100", 4), // power condition
            Map.entry("5e040000000000020000", 1), // no such service action
            Map.entry("5f080000000000001800", 1), // no such service action
            Map.entry("8b200000000000000005000000020000", 1), // ORPROTECT
            Map.entry("9c000000000000000008000800100000", 10), // atomic boundary
            Map.entry("9e000000000000000000000000200000", 1), // no such service action
            Map.entry("83020000000000000000000000200000", 1), // no such service action
            Map.entry("84060000000000000000000000200000", 1), // RECEIVE COPY DATA (LID4)
            Map.entry("25000000000100000000", 2), // LBA without PMI
            Map.entry("28000000000000000104", 9)); // NACA
    refused.forEach(
        (hex, index) ->
            assertThat(CdbDecoder.decode(bytes(hex)))
                .as(hex)
                .isEqualTo(new Cdb.Refused(SenseData.invalidCdb(index))));
  }

  @Test
  void longLbaIsBeyondEveryMedium() {
    assertThat(CdbDecoder.decode(bytes("8800ffffffffffffffff000000010000")))
        .isEqualTo(new Cdb.Read(Long.MAX_VALUE, 1));
  }

  @Test
  void truncatedBlocksAreRefused() {
    COMMANDS
        .keySet()
        .forEach(
            hex -> {
              for (int length = 1; length < hex.length() / 2; length++) {
                ByteBuffer block = bytes(hex.substring(0, 2 * length));
                assertThat(CdbDecoder.decode(block)).as(hex).isInstanceOf(Cdb.Refused.class);
              }
            });
    assertThat(CdbDecoder.decode(ByteBuffer.allocate(0))).isInstanceOf(Cdb.Refused.class);
  }

  @Test
  void trailingBytesChangeNothing() {
    COMMANDS.forEach(
        (hex, cdb) ->
            assertThat(CdbDecoder.decode(bytes(hex + "ff".repeat(244)))).as(hex).isEqualTo(cdb));
  }

  @Test
  void randomBytesNeverThrow() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int i = 0; i < 200_000; i++) {
      byte[] block = new byte[random.nextInt(20)];
      random.nextBytes(block);
      assertThat(CdbDecoder.decode(ByteBuffer.wrap(block))).as("seed %d, %d", seed, i).isNotNull();
    }
  }

  private static ByteBuffer bytes(String hex) {
    return ByteBuffer.wrap(HexFormat.of().parseHex(hex));
  }
}

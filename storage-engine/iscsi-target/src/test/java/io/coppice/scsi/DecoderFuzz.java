package io.coppice.scsi;

import static io.coppice.fuzz.Decoder.check;
import static io.coppice.fuzz.Decoder.hex;

import io.coppice.fuzz.Decoder;
import io.coppice.fuzz.FuzzTarget;
import io.coppice.fuzz.FuzzTarget.Bounds;
import io.coppice.scsi.cdb.Cdb;
import io.coppice.scsi.cdb.CdbDecoder;
import io.coppice.scsi.cdb.OperationCode;
import io.coppice.scsi.page.ModePages;
import io.coppice.scsi.parameter.CopyList;
import io.coppice.scsi.parameter.ModeList;
import io.coppice.scsi.parameter.PortGroupList;
import io.coppice.scsi.parameter.RangeList;
import io.coppice.scsi.parameter.ReserveList;
import io.coppice.scsi.parameter.UnmapList;
import io.coppice.scsi.sense.SenseData;
import io.coppice.scsi.transport.LogicalUnitNumber;
import io.coppice.scsi.transport.SecondaryIdForm;
import io.coppice.scsi.transport.UnitAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/// CDBs, LUNs and parameter lists, for the fuzzer. A parameter list comes as its PARAMETER LIST
/// LENGTH in two bytes and then the list.
final class DecoderFuzz {

  private static final Bounds SMALL = new Bounds(4096, 64, 2000, 32);
  private static final UnmapList.Limits UNMAP = new UnmapList.Limits(256, 1 << 20);
  private static final CopyList.Limits COPY = new CopyList.Limits(16, 64);
  private static final RangeList.Limits RANGES = new RangeList.Limits(64, 1 << 20, 60, 1 << 16);
  private static final int BLOCKS = 2048;
  private static final String NAA = "602c0b11111111112222222222222222";
  private static final String DEVICE = "e4000000 01030010" + NAA + "00000000 00000200";
  private static final String SEGMENT =
      "02000018 00000001 00000800 0000000000000010 0000000000000020";
  private static final String BYTES =
      "0a00001c 00000001 00000200 0000000000000010 0000000000000020 0000 0000";
  private static final String RANGE = "0000000000000010 00000008 00000000";
  private static final String INITIATOR =
      "69716e2e313939382d30312e636f6d2e766d776172653a657378312c692c30783233643030303030300000";

  private DecoderFuzz() {}

  static List<FuzzTarget> targets() {
    return List.of(
        cdb(),
        lun(),
        unmap(),
        extendedCopy(),
        longCopy(),
        populateToken(),
        writeUsingToken(),
        reserveOut(),
        transportId(),
        modeSelect(),
        groups());
  }

  private static FuzzTarget cdb() {
    List<byte[]> seeds = Arrays.stream(OperationCode.values()).map(OperationCode::usage).toList();
    return new Decoder("CDB", 260, SMALL, seeds, List.of(), DecoderFuzz::runCdb);
  }

  private static String runCdb(byte[] input) {
    Cdb cdb = CdbDecoder.decode(ByteBuffer.wrap(input));
    byte[] amid = new byte[input.length + 7];
    Arrays.fill(amid, (byte) 0xff);
    System.arraycopy(input, 0, amid, 7, input.length);
    Cdb again = CdbDecoder.decode(ByteBuffer.wrap(amid).position(7).asReadOnlyBuffer());
    check(cdb.equals(again), "the same wherever it stands: " + cdb, again);
    if (cdb instanceof Cdb.Refused(SenseData sense)) {
      return "refused " + text(sense);
    }
    boolean known =
        Arrays.stream(OperationCode.values()).anyMatch(it -> it.opcode() == (input[0] & 0xff));
    check(known, "only operations that are reported", cdb);
    return cdb.getClass().getSimpleName();
  }

  private static FuzzTarget lun() {
    List<byte[]> seeds =
        hex("0001000000000000", "0001d20000010000", "c101000000000000", "4001e20000000001");
    return new Decoder("LUN", 8, SMALL, seeds, List.of(), DecoderFuzz::runLun);
  }

  private static String runLun(byte[] input) {
    long value = ByteBuffer.wrap(Arrays.copyOf(input, 8)).getLong();
    int number = (int) (value & 0x3fff);
    check(
        UnitAddress.of(new LogicalUnitNumber(UnitAddress.plain(number)))
            .equals(new UnitAddress.Single(number)),
        "a plain LUN to be read as it was written",
        number);
    int endpoint = 1 + (int) (value >>> 16 & 0xff) % 255;
    for (SecondaryIdForm form : SecondaryIdForm.values()) {
      int subsidiary = 1 + (int) (value >>> 24 & Integer.MAX_VALUE) % form.largest();
      LogicalUnitNumber lun =
          new LogicalUnitNumber(UnitAddress.subsidiary(endpoint, subsidiary, form));
      check(
          UnitAddress.of(lun).equals(new UnitAddress.Subsidiary(endpoint, subsidiary)),
          form + " to be read as it was written",
          lun);
    }
    return UnitAddress.of(new LogicalUnitNumber(value)).getClass().getSimpleName();
  }

  private static FuzzTarget unmap() {
    List<byte[]> seeds =
        hex(
            "0000",
            "0028 0026002000000000 0000000000000010 00000008 00000000 0000000000000100 00000000"
                + "00000000",
            "0008 0006000000000000");
    return new Decoder(
        "UNMAP",
        8000,
        SMALL,
        seeds,
        List.of(),
        input -> {
          UnmapList list = UnmapList.decode(list(input), length(input), UNMAP);
          return switch (list) {
            case UnmapList.Refused(SenseData sense) -> "refused " + text(sense);
            case UnmapList.Runs(List<UnmapList.Run> runs) -> {
              check(runs.size() <= UNMAP.descriptors(), "at most 256 runs", runs.size());
              long blocks = runs.stream().mapToLong(UnmapList.Run::blocks).sum();
              check(blocks <= UNMAP.blocks(), "at most 2^20 blocks", blocks);
              yield "runs " + Math.min(runs.size(), 3);
            }
          };
        });
  }

  private static FuzzTarget extendedCopy() {
    String whole = "07000040 00000000 0000001c 00000000" + DEVICE + DEVICE + SEGMENT;
    List<byte[]> seeds = hex("0000", "006c" + whole, "0010 07000000 00000000 00000000 00000000");
    return new Decoder(
        "EXTENDED COPY",
        4000,
        SMALL,
        seeds,
        hex(DEVICE, SEGMENT, BYTES),
        input -> outcome(CopyList.decode(list(input), length(input), COPY)));
  }

  private static FuzzTarget longCopy() {
    String head = "01000020" + "00".repeat(12) + "ff000000 00000007" + "00".repeat(18);
    List<byte[]> seeds =
        hex(
            "0000",
            "008c" + head + "0040 001c 0000" + DEVICE + DEVICE + SEGMENT,
            "0090" + head + "0040 0020 0000" + DEVICE + DEVICE + BYTES);
    return new Decoder(
        "EXTENDED COPY (LID4)",
        4000,
        SMALL,
        seeds,
        hex(DEVICE, SEGMENT, BYTES),
        input -> outcome(CopyList.decodeLong(list(input), length(input), COPY)));
  }

  private static String outcome(CopyList list) {
    return switch (list) {
      case CopyList.Refused(SenseData sense) -> "refused " + text(sense);
      case CopyList.Plan plan -> {
        check(plan.devices().size() <= COPY.devices(), "at most 16 devices", plan);
        check(plan.segments().size() <= COPY.segments(), "at most 64 segments", plan);
        yield "plan of %d and %d"
            .formatted(Math.min(plan.devices().size(), 3), Math.min(plan.segments().size(), 3));
      }
    };
  }

  private static FuzzTarget populateToken() {
    String ranges = RANGE + "0000000000000100 00000010 00000000";
    List<byte[]> seeds = hex("0000", "0030 002e 02 00 00000010 00000000 00000000 0020" + ranges);
    return new Decoder(
        "POPULATE TOKEN",
        2000,
        SMALL,
        seeds,
        hex(RANGE),
        input -> outcome(RangeList.decodePopulate(list(input), length(input), RANGES)));
  }

  private static FuzzTarget writeUsingToken() {
    String head = "0226 00 00 00000000 0000000000000001" + "5a".repeat(512) + "000000000000 0010";
    List<byte[]> seeds = hex("0000", "0228" + head + RANGE);
    return new Decoder(
        "WRITE USING TOKEN",
        2000,
        SMALL,
        seeds,
        hex(RANGE),
        input -> outcome(RangeList.decodeWrite(list(input), length(input), RANGES)));
  }

  private static String outcome(RangeList list) {
    return switch (list) {
      case RangeList.Refused(SenseData sense) -> "refused " + text(sense);
      case RangeList.Nothing _ -> "nothing";
      case RangeList.Populate populate -> ranges(populate.ranges());
      case RangeList.Write write -> ranges(write.ranges());
    };
  }

  private static String ranges(List<RangeList.Range> ranges) {
    check(ranges.size() <= RANGES.ranges(), "at most 64 ranges", ranges.size());
    long blocks = 0;
    for (RangeList.Range range : ranges) {
      blocks += range.blocks();
      check(range.lba() + range.blocks() <= RANGES.capacity(), "a range of the medium", range);
    }
    check(blocks <= RANGES.blocks(), "at most 2^20 blocks", blocks);
    return "ranges " + Math.min(ranges.size(), 3);
  }

  private static FuzzTarget reserveOut() {
    List<byte[]> seeds =
        hex(
            "0018 0000000000000001 00000000000000ab 00000000 05 000000",
            "0018 00000000000000ab 0000000000000000 00000000 08 000000");
    return new Decoder(
        "RESERVE OUT",
        600,
        SMALL,
        seeds,
        List.of(),
        input -> outcome(ReserveList.decode(list(input), length(input))));
  }

  private static FuzzTarget transportId() {
    String head = "0048 00000000000000ab 00000000000000cd 00 01 0001 00000030";
    List<byte[]> seeds = hex(head + "45 00 002c" + INITIATOR.substring(0, 2 * 0x2a) + "0000");
    return new Decoder(
        "TransportID",
        600,
        new Bounds(4096, 64, 2000, 64),
        seeds,
        hex("2c692c3078", "00", "45", "69716e2e", "c4b0"),
        input -> outcome(ReserveList.decodeMove(list(input), length(input))));
  }

  private static String outcome(ReserveList list) {
    return switch (list) {
      case ReserveList.Refused(SenseData sense) -> "refused " + text(sense);
      case ReserveList.Keys keys -> "keys " + keys.allPorts() + keys.persist();
      case ReserveList.Move move -> {
        check(!move.name().isEmpty() && move.name().length() <= 223, "1 to 223 characters", move);
        check(move.isid() >>> 48 == 0, "an ISID of 48 bits", move);
        yield "move " + move.unregister() + move.persist();
      }
    };
  }

  private static FuzzTarget modeSelect() {
    List<byte[]> seeds =
        hex(
            "000c 00000000 0a0a0410000000000000",
            "1014 00000008 00000800 00000200 0a0a0410080000000000",
            "901e 0000 0000 0100 0010 0000000000000800 00000000 00000200 0a0a0010000000000000");
    return new Decoder(
        "MODE SELECT", 300, SMALL, seeds, hex("0a0a", "8a0a"), DecoderFuzz::runModeSelect);
  }

  /// The first bit of the length says MODE SELECT (10), the second that PF is off.
  private static String runModeSelect(byte[] input) {
    int head = length(input);
    boolean ten = (head & 0x8000) != 0;
    Cdb.ModeSelect cdb = new Cdb.ModeSelect(ten, (head & 0x4000) == 0, head & 0xfff);
    ModePages.Values now =
        new ModePages.Values(
            new ModePages.Control((head & 0x2000) != 0, (head & 0x1000) != 0),
            ModePages.Threshold.NONE);
    return switch (ModeList.decode(list(input), cdb, BLOCKS, now)) {
      case ModeList.Refused(SenseData sense) -> "refused " + text(sense);
      case ModeList.Values(ModePages.Control control) -> {
        ModePages.Values next = new ModePages.Values(control, now.threshold());
        ModePages.Medium medium = new ModePages.Medium(BLOCKS, 512, false, next);
        Cdb.ModeSense sense = new Cdb.ModeSense(ten, false, false, 0, 0x3f, 0, 255);
        ByteBuffer pages = ModePages.encode(sense, medium).orElseThrow();
        Cdb.ModeSelect back = new Cdb.ModeSelect(ten, true, pages.remaining());
        ModeList same = ModeList.decode(pages, back, BLOCKS, next);
        check(
            same.equals(new ModeList.Values(control)),
            "MODE SENSE sent back to change nothing of " + control,
            same);
        yield control.toString();
      }
    };
  }

  private static FuzzTarget groups() {
    List<byte[]> seeds = hex("0000", "0008 00000000 00000001", "000c 00000000 02000001 01000001");
    return new Decoder(
        "PORT GROUPS",
        600,
        SMALL,
        seeds,
        List.of(),
        input ->
            switch (PortGroupList.decode(list(input), length(input), 1)) {
              case PortGroupList.Refused(SenseData sense) -> "refused " + text(sense);
              case PortGroupList.Wanted wanted -> wanted.state().toString();
            });
  }

  private static int length(byte[] input) {
    return input.length < 2 ? 0 : Short.toUnsignedInt(ByteBuffer.wrap(input).getShort());
  }

  private static ByteBuffer list(byte[] input) {
    return ByteBuffer.wrap(input, Math.min(2, input.length), Math.max(0, input.length - 2));
  }

  private static String text(SenseData sense) {
    return sense.additional() + " " + sense.detail();
  }
}

package io.coppice.scsi.command;

import io.coppice.scsi.cdb.Cdb;
import io.coppice.scsi.cdb.OperationCode;
import io.coppice.scsi.copy.CopyCommands;
import io.coppice.scsi.page.Designation;
import io.coppice.scsi.page.InquiryData;
import io.coppice.scsi.page.LunList;
import io.coppice.scsi.page.ModePages;
import io.coppice.scsi.page.SupportedOperations;
import io.coppice.scsi.page.TargetPortGroup;
import io.coppice.scsi.page.VitalProductData;
import io.coppice.scsi.parameter.PortGroupList;
import io.coppice.scsi.sense.AdditionalSense;
import io.coppice.scsi.sense.SenseData;
import io.coppice.scsi.setting.ScsiLimits;
import io.coppice.scsi.setting.ScsiSettings;
import io.coppice.scsi.task.Nexuses;
import io.coppice.scsi.task.Task;
import io.coppice.scsi.task.UnitAttention;
import io.coppice.scsi.transport.ScsiCommand;
import io.coppice.scsi.transport.ScsiResponse;
import io.coppice.scsi.transport.TargetPort;
import io.coppice.scsi.transport.UnitAddress;
import io.coppice.scsi.unit.EndpointUnit;
import io.coppice.scsi.unit.LogicalUnit;
import io.coppice.scsi.unit.LunResolver;
import io.coppice.scsi.unit.VolumeUnit;
import io.coppice.scsi.unit.WellKnownUnit;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The commands of every logical unit (SPC-5), at one target. They never wait for anything.
public final class PrimaryCommands {

  private static final String REVISION = "0001";
  private static final int SAVED = 3;
  private static final List<OperationCode> ALL = List.of(OperationCode.values());
  private static final List<OperationCode> WITHOUT_MEDIUM =
      ALL.stream().filter(operation -> !operation.needsMedium()).toList();
  private static final List<OperationCode> OF_ENDPOINTS =
      ALL.stream()
          .filter(o -> !o.needsMedium() || EndpointCommands.OPERATIONS.contains(o))
          .toList();

  private final ScsiSettings settings;
  private final TargetPort port;
  private final LunResolver resolver;
  private final AccessStates accessStates;
  private final UUID copyGroup;

  /// @param copyGroup names the units among which copies are made
  public PrimaryCommands(
      ScsiSettings settings,
      TargetPort port,
      LunResolver resolver,
      Nexuses nexuses,
      UUID copyGroup) {
    this.copyGroup = copyGroup;
    this.accessStates = new AccessStates(port, nexuses);
    this.settings = settings;
    this.port = port;
    this.resolver = resolver;
  }

  public void execute(Task task, Cdb.Primary cdb) {
    switch (cdb) { // no default: a new command must be handled here to compile
      case Cdb.TestUnitReady _ -> task.succeeded();
      case Cdb.RequestSense request -> requestSense(task, request);
      case Cdb.Inquiry inquiry -> inquiry(task, inquiry);
      case Cdb.ReportLuns report -> reportLuns(task, report);
      case Cdb.ModeSense request -> modeSense(task, request);
      case Cdb.ReportSupportedOperationCodes request ->
          replyOr(
              task,
              SupportedOperations.encode(request, operationsOf(task.path().unit())),
              request.allocationLength(),
              3);
      case Cdb.ReportSupportedTaskManagement(boolean extended, int length) ->
          task.reply(SupportedOperations.taskManagement(extended), length);
      case Cdb.ReportTargetPortGroups(boolean extended, int length) ->
          task.reply(
              TargetPortGroup.encode(
                  port.number(), extended, accessStates.of(task.command().lun())),
              length);
      case Cdb.SetTargetPortGroups(int length) -> setPortGroups(task, length);
    }
  }

  /// Answers a LUN without a logical unit (SPC-5 §4.3.1). INQUIRY says so, REPORT LUNS is for LUN
  /// 0, and REQUEST SENSE returns the sense data that all other commands end with.
  public ScsiResponse executeAbsent(ScsiCommand command, UnitAddress address, Cdb cdb) {
    String initiator = command.nexus().initiator().name();
    boolean lunZero = address.equals(new UnitAddress.Single(0));
    SenseData sense =
        SenseData.illegalRequest(
            resolver.lacksBinding(initiator, address)
                ? AdditionalSense.SUBSIDIARY_LOGICAL_UNIT_NOT_CONFIGURED
                : AdditionalSense.LOGICAL_UNIT_NOT_SUPPORTED);
    return switch (cdb) {
      case Cdb.Inquiry(boolean vital, int _, int length) when !vital ->
          Task.truncated(
              command,
              standard(lunZero ? InquiryData.NOT_CONNECTED : InquiryData.NOT_CAPABLE),
              length);
      case Cdb.RequestSense(boolean descriptors, int length) ->
          Task.truncated(command, encode(sense, descriptors), length);
      case Cdb.ReportLuns(int select, int length) when lunZero ->
          length < 16
              ? ScsiResponse.checkCondition(SenseData.invalidCdb(6).encode())
              : resolver
                  .inventory(initiator, select, address)
                  .map(luns -> Task.truncated(command, LunList.encode(luns), length))
                  .orElseGet(() -> ScsiResponse.checkCondition(SenseData.invalidCdb(2).encode()));
      default -> ScsiResponse.checkCondition(sense.encode());
    };
  }

  /// SET TARGET PORT GROUPS (SPC-5 §6.45).
  private void setPortGroups(Task task, int length) {
    switch (PortGroupList.decode(task.command().dataOut(), length, port.number())) {
      case PortGroupList.Refused(SenseData sense) -> task.fail(sense);
      case PortGroupList.Wanted(Optional<TargetPortGroup.State> state) -> {
        state.ifPresent(s -> accessStates.set(task.command().lun(), s, task.nexus()));
        task.expectDataOut(length);
        task.succeeded();
      }
    }
  }

  private void requestSense(Task task, Cdb.RequestSense request) {
    @Nullable UnitAttention attention = task.path().take();
    SenseData sense = attention == null ? SenseData.NO_SENSE : attention.sense();
    task.reply(encode(sense, request.descriptors()), request.allocationLength());
  }

  private static ByteBuffer encode(SenseData sense, boolean descriptors) {
    return descriptors ? sense.encodeDescriptors() : sense.encode();
  }

  private void inquiry(Task task, Cdb.Inquiry inquiry) {
    LogicalUnit unit = task.path().unit();
    int peripheral =
        unit instanceof WellKnownUnit ? InquiryData.WELL_KNOWN : InquiryData.BLOCK_DEVICE;
    if (!inquiry.vitalProductData()) {
      task.reply(standard(peripheral), inquiry.allocationLength());
      return;
    }
    Optional<ByteBuffer> page = page(unit, inquiry.pageCode());
    page.ifPresent(p -> p.put(0, (byte) peripheral));
    replyOr(task, page, inquiry.allocationLength(), 2);
  }

  private ByteBuffer standard(int peripheral) {
    return new InquiryData(
            peripheral,
            port.conglomerate(),
            settings.identity().vendor(),
            settings.identity().product(),
            REVISION)
        .encode();
  }

  private static int[] pagesOf(LogicalUnit unit) {
    int[] all = {
      VitalProductData.SUPPORTED_PAGES,
      VitalProductData.UNIT_SERIAL_NUMBER,
      VitalProductData.DEVICE_IDENTIFICATION,
      VitalProductData.EXTENDED_INQUIRY,
      VitalProductData.SCSI_PORTS,
      VitalProductData.THIRD_PARTY_COPY,
      VitalProductData.BLOCK_LIMITS,
      VitalProductData.BLOCK_DEVICE_CHARACTERISTICS,
      VitalProductData.LOGICAL_BLOCK_PROVISIONING
    };
    return unit instanceof VolumeUnit ? all : Arrays.copyOf(all, 5);
  }

  private Optional<ByteBuffer> page(LogicalUnit unit, int code) {
    int[] codes = pagesOf(unit);
    if (Arrays.stream(codes).noneMatch(c -> c == code)) {
      return Optional.empty();
    }
    return Optional.of(
        switch (code) {
          case VitalProductData.SUPPORTED_PAGES -> VitalProductData.supportedPages(codes);
          case VitalProductData.UNIT_SERIAL_NUMBER ->
              VitalProductData.unitSerialNumber(unit.naa().toString());
          case VitalProductData.DEVICE_IDENTIFICATION ->
              new Designation(unit.naa(), unit.uuid(), port.designation()).encode();
          case VitalProductData.EXTENDED_INQUIRY -> VitalProductData.extendedInquiry();
          case VitalProductData.SCSI_PORTS -> Designation.ports(port.designation());
          case VitalProductData.THIRD_PARTY_COPY ->
              CopyCommands.parameters(settings, copyGroup).encodePage();
          case VitalProductData.BLOCK_LIMITS -> VitalProductData.blockLimits(blockLimits());
          case VitalProductData.BLOCK_DEVICE_CHARACTERISTICS ->
              VitalProductData.blockDeviceCharacteristics();
          default -> VitalProductData.logicalBlockProvisioning(unit.isThin());
        });
  }

  private VitalProductData.BlockLimits blockLimits() {
    ScsiLimits limits = settings.limits().commands();
    int transfer = limits.transferInBytes() / VolumeUnit.BLOCK_SIZE;
    return new VitalProductData.BlockLimits(
        BlockCommands.MAX_COMPARE_BLOCKS,
        1 << VolumeUnit.PHYSICAL_EXPONENT,
        transfer,
        Math.min(transfer, (1 << 20) / VolumeUnit.BLOCK_SIZE),
        (int) (limits.unmapInBytes() / VolumeUnit.BLOCK_SIZE),
        limits.unmapDescriptors(),
        limits.writeSameInBytes() / VolumeUnit.BLOCK_SIZE,
        settings.medium().writeSameToEnd(),
        ReadModifyWrite.PIECE_BYTES / VolumeUnit.BLOCK_SIZE,
        BlockCommands.ATOMIC_BLOCKS);
  }

  private void reportLuns(Task task, Cdb.ReportLuns report) {
    if (report.allocationLength() < 16) {
      task.fail(SenseData.invalidCdb(6));
      return;
    }
    UnitAddress address = UnitAddress.of(task.command().lun());
    String initiator = task.nexus().initiator().name();
    Optional<long[]> luns = resolver.inventory(initiator, report.select(), address);
    if (luns.isPresent()) {
      // The host has now heard what the condition was about (SAM-5 §5.14).
      task.nexus().paths().forEach(path -> path.clear(UnitAttention.INVENTORY_CHANGED));
    }
    replyOr(task, luns.map(LunList::encode), report.allocationLength(), 2);
  }

  private void modeSense(Task task, Cdb.ModeSense request) {
    if (request.pageControl() == SAVED) {
      task.fail(AdditionalSense.SAVING_PARAMETERS_NOT_SUPPORTED);
      return;
    }
    LogicalUnit unit = task.path().unit();
    ModePages.Medium medium =
        unit instanceof VolumeUnit volume
            ? new ModePages.Medium(
                volume.blocks(), VolumeUnit.BLOCK_SIZE, volume.isReadOnly(), volume.modes())
            : new ModePages.Medium(
                EndpointUnit.BLOCKS, VolumeUnit.BLOCK_SIZE, true, ModePages.Values.DEFAULT);
    replyOr(task, ModePages.encode(request, medium), request.allocationLength(), 2);
  }

  private static List<OperationCode> operationsOf(LogicalUnit unit) {
    return switch (unit) {
      case VolumeUnit _ -> ALL;
      case EndpointUnit _ -> OF_ENDPOINTS;
      case WellKnownUnit _ -> WITHOUT_MEDIUM;
    };
  }

  /// @param index byte of the CDB at fault if there is no reply
  private static void replyOr(
      Task task, Optional<ByteBuffer> reply, int allocationLength, int index) {
    reply.ifPresentOrElse(
        data -> task.reply(data, allocationLength), () -> task.fail(SenseData.invalidCdb(index)));
  }
}

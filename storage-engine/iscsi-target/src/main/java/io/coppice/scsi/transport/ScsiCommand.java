package io.coppice.scsi.transport;

import java.nio.ByteBuffer;
import java.util.Objects;

/// One command, with all of its Data-Out (SAM-5 §5.1, Execute Command).
///
/// | Component | Meaning |
/// |---|---|
/// | `tag` | the transport's name for the command within its nexus |
/// | `cdb` | 6 to 260 bytes from position 0, big-endian, read only |
/// | `dataOut` | everything the initiator sent; empty if nothing; owned by the device until completion |
/// | `dataIn` | memory for what goes back |
/// | `completion` | called once, on any thread, with the outcome |
/// | `lendsThread` | nobody waits for the thread that brings the command: the device may use it for one transfer before it returns |
public record ScsiCommand(
    Nexus nexus,
    LogicalUnitNumber lun,
    long tag,
    TaskAttribute attribute,
    ByteBuffer cdb,
    ByteBuffer dataOut,
    DataInAllocator dataIn,
    CommandCompletion completion,
    boolean lendsThread) {

  public ScsiCommand {
    Objects.requireNonNull(nexus, "nexus");
    Objects.requireNonNull(lun, "lun");
    Objects.requireNonNull(cdb, "cdb");
    Objects.requireNonNull(dataOut, "dataOut");
    Objects.requireNonNull(completion, "completion");
  }
}

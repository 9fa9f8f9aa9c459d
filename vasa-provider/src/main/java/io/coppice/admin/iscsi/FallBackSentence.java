package io.coppice.admin.iscsi;

import io.coppice.scsi.sense.AdditionalSense;
import io.coppice.scsi.sense.SenseCode;

/// The sentence of a fall-back: what the host was told first, then what that means for its copy.
final class FallBackSentence {

  /// Of fall-backs that no sense counts.
  static final String OTHERS =
      "The host was told something else each time, more than is counted by itself; it does the work"
          + " itself.";

  private FallBackSentence() {}

  static String of(SenseCode told) {
    return switch (told.key()) {
      case COPY_ABORTED -> ofAbortedCopy(told);
      case ABORTED_COMMAND ->
          "Another change of the volume came in between; the host repeats the command or does the"
              + " work itself.";
      case MEDIUM_ERROR ->
          "Blocks of the source are damaged; the host's own read of them fails as well.";
      case HARDWARE_ERROR ->
          "The pool does not serve I/O, or the provider met a fault; the host's own I/O may fail as"
              + " well.";
      case DATA_PROTECT -> ofProtectedData(told);
      case ILLEGAL_REQUEST -> ofRequest(told);
      case NO_SENSE, UNIT_ATTENTION, MISCOMPARE -> any(told);
    };
  }

  private static String ofAbortedCopy(SenseCode told) {
    return switch (told.additional()) {
      case COPY_TARGET_DEVICE_NOT_REACHABLE ->
          "The host does not reach the other volume of the copy here; it copies the blocks itself.";
      case UNREACHABLE_COPY_TARGET ->
          "The copy named a volume that its own list does not have; the host copies the blocks"
              + " itself.";
      case LOGICAL_BLOCK_ADDRESS_OUT_OF_RANGE ->
          "The source and the destination of the copy overlap; the host copies the blocks itself.";
      case NONE ->
          "A piece of the copy is longer than its limit, or ends behind the end of a volume; the"
              + " host copies the blocks itself.";
      case WRITE_PROTECTED ->
          "The destination of the copy takes no writes; the host's own writes fail as well.";
      case COMMANDS_CLEARED_BY_DEVICE_SERVER ->
          "The copy was ended before it was whole, by the host or by a reset; the host copies the"
              + " rest itself.";
      default -> any(told);
    };
  }

  private static String ofProtectedData(SenseCode told) {
    return told.additional() == AdditionalSense.SPACE_ALLOCATION_FAILED_WRITE_PROTECT
        ? "There was no space for what the command writes; the host's own writes fail as well"
            + " until some is free."
        : "The volume takes no writes from this host; its own writes fail as well.";
  }

  private static String ofRequest(SenseCode told) {
    return switch (told.additional()) {
      case INVALID_FIELD_IN_CDB ->
          "The command asked for more blocks than its limit, or for what this volume does not do;"
              + " the host does the work itself, in smaller steps or another way.";
      case INVALID_FIELD_IN_PARAMETER_LIST ->
          "The list of blocks has a field that the volume does not take, such as too many or too"
              + " long runs; the host does the work itself.";
      case PARAMETER_LIST_LENGTH_ERROR ->
          "The list of blocks was cut short or too long; nothing was done, and the host does the"
              + " work itself.";
      case INVALID_COMMAND_OPERATION_CODE ->
          "The volume does not know the command; the host does the work itself and asks no more.";
      case LOGICAL_BLOCK_ADDRESS_OUT_OF_RANGE ->
          "The command named blocks behind the end of the volume; nothing was done, and the host's"
              + " own I/O to them fails as well.";
      case TOO_MANY_CSCD_DESCRIPTORS, TOO_MANY_SEGMENT_DESCRIPTORS ->
          "The copy names more volumes or pieces than one command may; the host copies the blocks"
              + " itself.";
      case UNSUPPORTED_CSCD_DESCRIPTOR_TYPE,
          UNSUPPORTED_SEGMENT_DESCRIPTOR_TYPE,
          INLINE_DATA_LENGTH_EXCEEDED ->
          "The copy is of a form that is not supported; the host copies the blocks itself.";
      case LOGICAL_UNIT_NOT_SUPPORTED -> "The volume is gone; the host's own I/O fails as well.";
      default -> ofToken(told);
    };
  }

  private static String ofToken(SenseCode told) {
    return switch (told.additional()) {
      case TOKEN_EXPIRED ->
          "The token of the copy was older than its time; the host copies the blocks itself.";
      case TOKEN_REVOKED ->
          "Nobody reached the source of the token any more; the host copies the blocks itself.";
      case TOKEN_CANCELLED ->
          "The token was given up for a newer one; the host copies the blocks itself.";
      case TOKEN_DELETED -> "The host had given the token back; it copies the blocks itself.";
      case TOKEN_UNKNOWN ->
          "The token is not known, such as one from before a restart; the host copies the blocks"
              + " itself.";
      case INVALID_TOKEN_OPERATION,
          UNSUPPORTED_TOKEN_TYPE,
          REMOTE_TOKEN_USAGE_NOT_SUPPORTED,
          TOKEN_CORRUPT,
          INVALID_TOKEN_LENGTH ->
          "The token is none of this array, or not whole; the host copies the blocks itself.";
      case INSUFFICIENT_RESOURCES_TO_CREATE_ROD ->
          "There was no space for the snapshot that a token holds; the host copies the blocks"
              + " itself.";
      case INSUFFICIENT_RESOURCES_TO_CREATE_ROD_TOKEN ->
          "Every token was in use; the host copies the blocks itself.";
      case OPERATION_IN_PROGRESS ->
          "A copy with the same identifier was still running; the host waits for it or copies the"
              + " blocks itself.";
      default -> any(told);
    };
  }

  private static String any(SenseCode told) {
    return "The host was told %s; it does the work itself.".formatted(told);
  }
}

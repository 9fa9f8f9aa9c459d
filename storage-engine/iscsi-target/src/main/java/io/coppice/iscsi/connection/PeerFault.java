package io.coppice.iscsi.connection;

/// A fault of a peer, or something that went wrong with it. Counted, never logged one by one: a
/// hostile or broken peer must not fill a disk.
public enum PeerFault {
  /// More connections of a portal than the limit, all logged in: closed at once.
  TOO_MANY_CONNECTIONS,
  /// Not logged in, or not any more, when its portal had no place for a newer connection: dropped.
  CROWDED_OUT,
  /// Not in full feature phase in time.
  LOGIN_TIMEOUT,
  /// A login ended with a status other than success.
  LOGIN_REFUSED,
  /// A PDU other than a login request before the login was done.
  NOT_LOGGED_IN,
  HEADER_DIGEST,
  DATA_DIGEST,
  /// A data segment longer than MaxRecvDataSegmentLength.
  SEGMENT_TOO_LONG,
  /// Data-Out with a number, offset or length that does not follow: the command ends with ABORTED
  /// COMMAND 47h/05h, the session stays.
  DATA_OUT_SEQUENCE,
  /// Data-Out for no command: dropped silently, since it may cross an abort.
  DATA_OUT_UNKNOWN,
  /// A CmdSN outside the window: ignored.
  CMD_SN_OUTSIDE_WINDOW,
  /// A PDU answered with Reject.
  REJECTED,
  /// No answer to our ping.
  NOT_ALIVE,
  /// The peer took too little of its output: dropped.
  OUTPUT_TIMEOUT,
  /// Data of a write command did not come: the command ends with ABORTED COMMAND 0Ch/0Dh, the
  /// session stays.
  DATA_OUT_TIMEOUT,
  /// A command number that was left out did not come: dropped.
  COMMAND_TIMEOUT,
  /// The connection broke.
  CONNECTION_LOST,
  /// No memory for a command's data, or for an answer, though no limit was reached.
  OUT_OF_MEMORY,
  /// A mistake of ours; the connection is dropped.
  INTERNAL
}

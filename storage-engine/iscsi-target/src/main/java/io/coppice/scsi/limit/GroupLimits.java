package io.coppice.scsi.limit;

import io.coppice.engine.OperationId;
import java.util.Map;

/// The limits that the volumes of a group share, beside their own. A volume's group is the virtual
/// machine that its attributes name (see [io.coppice.scsi.limit.LimitAttributes]). Safe for any
/// thread.
///
/// They stand in the pool: a target that opens it keeps them from the first command on.
public interface GroupLimits {

  /// Longest name, in bytes of UTF-8.
  int MAX_NAME_BYTES = 256;

  /// All limits, by the name of the group.
  Map<String, Limits> all();

  /// Sets a group's limit, or removes it with [Limits#NONE]. Stable in the pool on return; it also
  /// counts for waiting commands.
  ///
  /// @param group 1 to [#MAX_NAME_BYTES] bytes; it need not have a volume
  /// @throws IllegalArgumentException if the name is empty or too long
  /// @throws io.coppice.engine.StorageException if the pool fails
  void limit(OperationId operation, String group, Limits limits);
}

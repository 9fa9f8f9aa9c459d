package io.coppice.driver.esxi;

import io.coppice.driver.soap.StorageProfile;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A virtual machine to create; sizes are in MB of 2^20 bytes. `profile` null means no policy.
public record VmSpec(
    String name,
    String containerId,
    long configMb,
    List<Long> diskMb,
    long memoryMb,
    @Nullable StorageProfile profile) {
  public VmSpec {
    diskMb = List.copyOf(diskMb);
  }

  /// A machine with one disk, the usual 4 GiB of configuration and no policy.
  public static VmSpec of(String name, String containerId, long diskMb, long memoryMb) {
    return new VmSpec(name, containerId, 4096, List.of(diskMb), memoryMb, null);
  }
}

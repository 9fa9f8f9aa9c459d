package io.coppice.driver.soap;

import java.util.List;

/// The answer for one item of a batch; no `errors` means that it succeeded.
public record BatchStatus(String id, List<VasaFault> errors) {
  static BatchStatus of(String operation, Xml x) {
    return new BatchStatus(
        x.required("vvol:uniqueId"),
        x.all("vvol:errorResult/vvol:error").stream()
            .map(error -> VasaFault.ofItem(operation, error))
            .toList());
  }

  /// Throws the first error of the first item that failed.
  public static void requireAllGood(List<BatchStatus> batch) {
    for (BatchStatus status : batch) {
      if (!status.errors.isEmpty()) {
        throw status.errors.getFirst();
      }
    }
  }
}

package io.coppice.vasa.volume;

import io.coppice.vasa.fault.VasaException;
import java.util.stream.Stream;

/// A host's use of a virtual volume (VASA 2.0 VirtualVolumeTypeEnum).
public enum VolumeType {
  CONFIG("Config"),
  DATA("Data"),
  SWAP("Swap"),
  MEMORY("Memory"),
  OTHER("Other");

  private final String text;

  VolumeType(String text) {
    this.text = text;
  }

  /// The value on the wire.
  public String text() {
    return text;
  }

  /// @throws VasaException (InvalidArgument) if there is no such type
  public static VolumeType parse(String text) {
    return Stream.of(values())
        .filter(type -> type.text.equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                VasaException.invalidArgument(
                        "expected a virtual volume type of Config, Data, Swap, Memory or Other, got '%s'"
                            .formatted(text))
                    .about("type"));
  }
}

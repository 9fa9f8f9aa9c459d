package io.coppice.vasa.volume;

import io.coppice.vasa.fault.VasaException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A condition on the labels of a volume.
///
/// @param key of the label that it must have
/// @param value of that label; null for any
public record LabelFilter(String key, @Nullable String value) {

  /// The conditions that some texts stand for, each `key` or `key=value`.
  ///
  /// @param texts null for none
  /// @throws VasaException (InvalidArgument) if no label can be like one of them, or there are more
  ///   of them than a volume has labels
  public static List<LabelFilter> parse(@Nullable List<String> texts) {
    if (texts == null) {
      return List.of();
    }
    if (texts.size() > Labels.MOST) {
      throw VasaException.invalidArgument(
              "expected at most %d labels, got %d".formatted(Labels.MOST, texts.size()))
          .about("label");
    }
    try {
      return texts.stream().map(LabelFilter::parse).toList();
    } catch (VasaException e) {
      throw VasaException.invalidArgument(String.valueOf(e.getMessage())).about("label");
    }
  }

  private static LabelFilter parse(String text) {
    int equals = text.indexOf('=');
    if (equals < 0) {
      return new LabelFilter(Labels.checkedKey(text), null);
    }
    String key = Labels.checkedKey(text.substring(0, equals));
    return new LabelFilter(key, Labels.checkedValue(key, text.substring(equals + 1)));
  }

  /// The key, in the metadata, of the label.
  public String metadataKey() {
    return Labels.metadataKey(key);
  }
}

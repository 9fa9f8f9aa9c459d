package io.coppice.vasa.volume.policy;

import io.coppice.vasa.policy.Violation;
import io.coppice.vasa.volume.VirtualVolume;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The effect of an edition of a profile, if it were applied now to all volumes that have the
/// profile. Each of them is `compliant`, `broken` or `already`.
///
/// @param using volumes that have the profile, whatever its edition
/// @param compliant those that would comply
/// @param broken those that comply now, and would not
/// @param already those that do not comply now, and would not either
/// @param older those that were given an edition before the present one
/// @param setAside bytes that would have to be set aside beyond what is now
/// @param unkept the oldest of those that would not comply, a bounded number
public record PolicyEffect(
    int using,
    int compliant,
    int broken,
    int already,
    int older,
    long setAside,
    List<Unkept> unkept) {

  public PolicyEffect {
    unkept = List.copyOf(unkept);
  }

  /// A volume that would not comply.
  ///
  /// @param already whether it does not comply now either
  /// @param refusal why the edition could not be applied to it, as the part of a sentence; null if
  ///   it could
  /// @param violations what it would not keep; none if there is a refusal
  public record Unkept(
      VirtualVolume volume, boolean already, @Nullable String refusal, List<Violation> violations) {

    public Unkept {
      violations = List.copyOf(violations);
    }
  }
}

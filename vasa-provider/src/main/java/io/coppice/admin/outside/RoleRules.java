package io.coppice.admin.outside;

import io.coppice.admin.login.Grant;
import io.coppice.api.Role;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The roles of the groups of one source, as a setting lists them: `ROLE: GROUP`, or
/// `volume-admin@CONTAINER,CONTAINER: GROUP` for the role that is bound to containers.
public final class RoleRules {

  /// Most containers that somebody may be bound to, as with tokens.
  static final int MOST_CONTAINERS = 64;

  private static final Pattern LINE = Pattern.compile("([a-z-]+)(?:@([^:\\s]*))?:\\s*(\\S.*)");

  private final Map<String, List<Grant>> byGroup;

  private RoleRules(Map<String, List<Grant>> byGroup) {
    this.byGroup = byGroup;
  }

  /// @param setting name of the setting, for refusals
  /// @param canonical the one form of a group's name that is compared; throws
  ///   [IllegalArgumentException] for what is no such name
  /// @throws IllegalArgumentException if a line cannot be understood
  public static RoleRules parse(
      String setting, List<String> lines, UnaryOperator<String> canonical) {
    Map<String, List<Grant>> byGroup = new HashMap<>();
    for (String line : lines) {
      Matcher parts = LINE.matcher(line.strip());
      if (!parts.matches()) {
        throw new IllegalArgumentException(
            "%s: expected ROLE: GROUP or volume-admin@CONTAINERS: GROUP, got '%s'"
                .formatted(setting, line));
      }
      try {
        byGroup
            .computeIfAbsent(canonical.apply(parts.group(3)), _ -> new ArrayList<>())
            .add(grant(parts.group(1), parts.group(2)));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "%s: %s, in '%s'".formatted(setting, e.getMessage(), line), e);
      }
    }
    return new RoleRules(byGroup);
  }

  private static Grant grant(String role, @Nullable String containers) {
    Role found =
        Arrays.stream(Role.values())
            .filter(one -> one.text().equals(role))
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "expected admin, storage-admin, vm-admin, operator or volume-admin, got '%s'"
                            .formatted(role)));
    List<UUID> bound =
        containers == null
            ? List.of()
            : Arrays.stream(containers.split(",", -1)).map(UUID::fromString).toList();
    if (found.isBound() != !bound.isEmpty() || bound.size() > MOST_CONTAINERS) {
      throw new IllegalArgumentException(
          "expected 1 to %d containers with volume-admin and none with another role, got %d"
              .formatted(MOST_CONTAINERS, bound.size()));
    }
    return new Grant(found, bound);
  }

  /// What the largest role among these groups allows. `volume-admin` counts only if there is no
  /// other role; its containers are those of all the groups, at most [#MOST_CONTAINERS].
  ///
  /// @param groups names in their canonical form
  Optional<Grant> of(Collection<String> groups) {
    List<Grant> all =
        groups.stream().flatMap(group -> byGroup.getOrDefault(group, List.of()).stream()).toList();
    Optional<Grant> largest =
        all.stream()
            .filter(grant -> !grant.role().isBound())
            .min(Comparator.comparing(Grant::role));
    if (largest.isPresent() || all.isEmpty()) {
      return largest;
    }
    return Optional.of(
        new Grant(
            Role.VOLUME_ADMIN,
            all.stream()
                .flatMap(grant -> grant.containers().stream())
                .distinct()
                .limit(MOST_CONTAINERS)
                .toList()));
  }
}

package io.coppice.admin.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.api.Role;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class RememberedCallersTest {

  private static final Instant NOW = Instant.parse("2026-11-28T10:00:00Z");
  private static final Instant LATER = NOW.plusSeconds(60);

  private final RememberedCallers callers = new RememberedCallers(3);

  private static byte[] hash(String name) {
    return name.getBytes(StandardCharsets.UTF_8);
  }

  private void remember(String name, long before) {
    AdminCaller caller =
        AdminCaller.ofToken(
            UUID.nameUUIDFromBytes(hash(name)), name, Role.OPERATOR, List.<UUID>of());
    callers.remember(hash(name), caller, LATER, before);
  }

  private void remember(String name) {
    remember(name, callers.revocations());
  }

  private boolean isKnown(String name) {
    return callers.find(hash(name), NOW).isPresent();
  }

  @Test
  void aCallerIsKnownUntilItsEnd() {
    remember("a");

    assertThat(callers.find(hash("a"), LATER.minusNanos(1)).orElseThrow().name()).isEqualTo("a");
    assertThat(callers.find(hash("a"), LATER)).isEmpty();
    callers.forget(hash("a"));
    assertThat(isKnown("a")).isFalse();
  }

  @Test
  void theOneThatCameLongestAgoGoes() {
    remember("a");
    remember("b");
    remember("c");
    assertThat(isKnown("a")).isTrue();
    remember("d");

    assertThat(isKnown("b")).isFalse();
    assertThat(List.of("a", "c", "d")).allMatch(this::isKnown);
  }

  @Test
  void whatWasFoundBeforeARevocationIsNotRememberedAfterIt() {
    remember("a");
    remember("b");
    long before = callers.revocations();

    callers.revoked(caller -> caller.name().equals("a"));
    assertThat(isKnown("a")).isFalse();
    assertThat(isKnown("b")).isTrue();
    remember("a", before);
    assertThat(isKnown("a")).isFalse();
    remember("a");
    assertThat(isKnown("a")).isTrue();
    callers.revoked();
    assertThat(List.of("a", "b")).noneMatch(this::isKnown);
  }
}

package io.coppice.admin.host;

import io.coppice.admin.access.RequiredRole;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.api.Role;
import io.coppice.api.host.NewSecret;
import io.coppice.vasa.binding.KnownHosts;
import java.util.Optional;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/// The CHAP secrets of iSCSI initiators (RFC 7143 §12.1.3): an initiator proves itself at login,
/// and the target may prove itself to the initiator. Nothing reads a secret back.
@RestController
final class InitiatorController {

  private static final int SHORTEST = 12;
  private static final int LONGEST = 255;

  private final KnownHosts hosts;

  InitiatorController(KnownHosts hosts) {
    this.hosts = hosts;
  }

  /// Sets secrets for the next logins, of a host's initiator or another; open sessions go on.
  @PutMapping("/initiators/{name}/chap")
  @RequiredRole(Role.ADMIN)
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void setSecret(@PathVariable String name, @RequestBody NewSecret wanted) {
    String secret = RequestRejectedException.requireField("secret", wanted.secret());
    String mutual = wanted.mutualSecret();
    checkSecret("secret", secret);
    if (mutual != null) {
      checkSecret("mutualSecret", mutual);
      if (mutual.equals(secret)) {
        throw RequestRejectedException.field(
            "mutualSecret",
            "expected another secret than the initiator's own (RFC 7143 §12.1.3), got the same");
      }
    }
    set(name, Optional.of(secret), Optional.ofNullable(mutual));
  }

  private static void checkSecret(String field, String secret) {
    if (!secret.chars().allMatch(c -> c >= ' ' && c <= '~')) {
      throw RequestRejectedException.field(
          field, "expected a secret of printable ASCII characters");
    }
    if (secret.length() < SHORTEST || secret.length() > LONGEST) {
      throw RequestRejectedException.field(
          field,
          "expected a secret of %d to %d characters, got %d"
              .formatted(SHORTEST, LONGEST, secret.length()));
    }
  }

  /// Removes the secrets. The initiator logs in without CHAP from then on, and the target cannot
  /// prove itself to it.
  @DeleteMapping("/initiators/{name}/chap")
  @RequiredRole(Role.ADMIN)
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void removeSecret(@PathVariable String name) {
    set(name, Optional.empty(), Optional.empty());
  }

  private void set(String name, Optional<String> secret, Optional<String> mutual) {
    RequestRejectedException.about(
        "name",
        () -> {
          hosts.setSecrets(name, secret, mutual);
          return true;
        });
  }
}

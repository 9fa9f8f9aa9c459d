package io.coppice.admin;

import io.coppice.engine.OperationId;
import io.coppice.scsi.LunDirectory;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/// What iSCSI initiators must prove at login (CHAP, RFC 7143 §12.1.3). Nothing reads a secret back.
@RestController
final class InitiatorController {

  private final LunDirectory luns;

  InitiatorController(LunDirectory luns) {
    this.luns = luns;
  }

  record NewSecret(@Nullable String secret) {

    /// Never the secret.
    @Override
    public String toString() {
      return "NewSecret[]";
    }
  }

  /// Holds from the next login on, of a host or not; sessions that are open go on.
  @PutMapping("/initiators/{name}/chap")
  @AllowedTo(Role.ADMIN)
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void setSecret(@PathVariable String name, @RequestBody NewSecret wanted) {
    String secret = Rejection.requireField("secret", wanted.secret());
    if (!secret.chars().allMatch(c -> c >= ' ' && c <= '~')) {
      throw Rejection.field("secret", "expected a secret of printable ASCII characters");
    }
    luns.setChapSecret(OperationId.random(), name, Optional.of(secret));
  }

  /// The initiator logs in without CHAP from then on.
  @DeleteMapping("/initiators/{name}/chap")
  @AllowedTo(Role.ADMIN)
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void removeSecret(@PathVariable String name) {
    luns.setChapSecret(OperationId.random(), name, Optional.empty());
  }
}

package io.coppice.admin.system;

import io.coppice.admin.Readiness;
import io.coppice.admin.field.CamelCase;
import io.coppice.api.system.SystemVerdict;
import io.coppice.api.system.VerdictCheck;
import io.coppice.vasa.verdict.ProviderVerdict;
import io.coppice.vasa.verdict.Verdicts;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/// The verdict on the provider, in one sentence. Needs no database.
@RestController
final class VerdictController {

  private final Verdicts verdicts;
  private final Readiness readiness;

  VerdictController(Verdicts verdicts, Readiness readiness) {
    this.verdicts = verdicts;
    this.readiness = readiness;
  }

  @GetMapping("/system/verdict")
  SystemVerdict verdict() {
    ProviderVerdict verdict = verdicts.now(readiness.obstacle());
    return new SystemVerdict(
        CamelCase.of(verdict.status()),
        verdict.sentence(),
        verdict.remedy(),
        verdict.checks().stream()
            .map(
                one ->
                    new VerdictCheck(
                        one.topic(), CamelCase.of(one.outcome()), one.seen(), one.remedy()))
            .toList());
  }
}

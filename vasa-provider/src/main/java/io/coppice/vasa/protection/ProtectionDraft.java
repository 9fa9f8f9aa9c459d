package io.coppice.vasa.protection;

import io.coppice.vasa.protection.rule.ContinuousRule;
import io.coppice.vasa.protection.rule.ProtectionRules;

/// A protection policy as somebody wants it.
public record ProtectionDraft(
    String name,
    String description,
    ProtectionRules rules,
    ContinuousRule continuous,
    WatchRule watch) {

  /// A policy without continuous points, and with the usual rule of the watch.
  public ProtectionDraft(String name, String description, ProtectionRules rules) {
    this(name, description, rules, ContinuousRule.NONE, WatchRule.USUAL);
  }
}

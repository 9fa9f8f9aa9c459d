package io.coppice.vasa.policy;

import java.util.Objects;

/// The name of a capability within a namespace.
public record CapabilityId(String namespace, String id) {

  public CapabilityId {
    Objects.requireNonNull(namespace, "namespace");
    Objects.requireNonNull(id, "id");
  }

  @Override
  public String toString() {
    return namespace + "/" + id;
  }
}

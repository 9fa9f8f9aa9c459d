package io.coppice.vasa.policy;

/// The name of a capability within a namespace.
public record CapabilityId(String namespace, String id) {

  @Override
  public String toString() {
    return namespace + "/" + id;
  }
}

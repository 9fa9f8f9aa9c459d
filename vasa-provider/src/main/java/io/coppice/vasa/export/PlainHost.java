package io.coppice.vasa.export;

import java.util.Collection;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;

/// A host that an administrator named, for exports. Hosts of vCenter declare themselves and are not
/// among them; one initiator may belong to one of each kind.
///
/// @param name no other plain host has it
/// @param initiators iSCSI names in lower case, at least one; no other plain host has one of them
public record PlainHost(UUID id, String name, SortedSet<String> initiators) {

  public PlainHost {
    initiators = Collections.unmodifiableSortedSet(new TreeSet<>(initiators));
  }

  PlainHost(UUID id, String name, Collection<String> initiators) {
    this(id, name, new TreeSet<>(initiators));
  }
}

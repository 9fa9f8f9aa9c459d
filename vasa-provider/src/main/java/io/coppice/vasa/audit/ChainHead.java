package io.coppice.vasa.audit;

/// The end of a chain.
///
/// @param seq number of its last entry; 0 if it is empty
public record ChainHead(long seq, ChainHash hash) {

  /// The end of a chain without entries.
  static final ChainHead EMPTY = new ChainHead(0, ChainHash.NONE);

  static ChainHead of(AuditEntry entry) {
    return new ChainHead(entry.seq(), entry.hash());
  }
}

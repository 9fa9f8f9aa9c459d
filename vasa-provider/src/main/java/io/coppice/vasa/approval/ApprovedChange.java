package io.coppice.vasa.approval;

import io.coppice.vasa.fault.VasaException;

/// A kind of change that takes two people.
public interface ApprovedChange {

  /// Its name, such as `raise-max-lock`.
  String action();

  /// The value in the form in which it is kept.
  ///
  /// @throws VasaException (InvalidArgument) if it cannot be wanted now
  String checked(String value);

  /// Makes the change, in the transaction of the approval.
  ///
  /// @throws VasaException (InvalidArgument) if it cannot be made any more
  void make(String value);
}

package io.coppice.api.iscsi;

import java.util.List;

/// The volumes or virtual machines that hosts used most within a window that ends now.
///
/// @param window its length in milliseconds, 0 if nothing has been counted yet
/// @param items the busiest first; what nobody used is left out
public record BusiestObjects(long window, List<BusyObject> items) {

  public BusiestObjects {
    items = List.copyOf(items);
  }
}

package io.coppice.admin.edition;

import io.coppice.vasa.audit.ChangeNotes;
import java.net.URI;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;

/// An answer that is one object, with the tag of its edition in the header `ETag`. A GET that names
/// the tag in `If-None-Match` is answered with 304.
public final class Edited<T> extends ResponseEntity<T> {

  private Edited(T body, HttpHeaders headers, HttpStatus status) {
    super(body, headers, status);
  }

  /// An object as it is, or as it is after a change.
  public static <T> Edited<T> of(T body, Edition edition) {
    return new Edited<>(body, headers(edition), HttpStatus.OK);
  }

  /// An object that was made (201).
  public static <T> Edited<T> made(URI location, T body, Edition edition) {
    HttpHeaders headers = headers(edition);
    headers.setLocation(location);
    return new Edited<>(body, headers, HttpStatus.CREATED);
  }

  private static HttpHeaders headers(Edition edition) {
    ChangeNotes.noteAfter(edition.fields());
    HttpHeaders headers = new HttpHeaders();
    headers.setETag(edition.tag());
    return headers;
  }
}

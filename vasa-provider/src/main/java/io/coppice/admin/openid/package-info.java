/// Logins by OpenID Connect (OpenID Connect Core 1.0, authorization code flow) with PKCE (RFC
/// 7636). Begin with [io.coppice.admin.openid.OpenIdLogin]. May depend on `admin.login`,
/// `admin.outside` and `admin.problem`.
@NullMarked
package io.coppice.admin.openid;

import org.jspecify.annotations.NullMarked;
